import type { Cradle } from '../cradle.ts'
import type { ConsolePage, PageFile, PageRequest, SignedIn } from '../site.ts'

const EVENTS = [
  'passport.ingested',
  'passport.updated',
  'passport.sealed',
  'passport.recalled',
  'access.requested',
  'access.decided',
]
const FAILED_ON_PAGE = 50

/** Webhook subscriptions with their deliveries. */
export default (services: Cradle): PageFile => {
  const { webhookDeliveries } = services
  return {
    pages: [listPage(services), newPage(services), ...subscriptionPages(services), replayPage(services)],
    async attention({ can, principal, t }) {
      if (!can('webhook:write') || principal.operatorId !== null) return []
      const { count } = await webhookDeliveries.list(principal, { status: 'FAILED', limit: '200' })
      return [{ order: 30, count, text: t('webhook.failed', { count }), href: '/console/webhooks?status=FAILED' }]
    },
  }
}

function listPage({ webhookDeliveries, webhooks }: Cradle): ConsolePage {
  return {
    path: 'webhooks',
    needs: 'webhook:read',
    nav: { group: 'company', order: 40 },
    async show({ principal, t }, { query }) {
      const status = ['PENDING', 'DELIVERED', 'FAILED'].find((name) => name === query.status)
      const [{ subscriptions }, { deliveries }] = await Promise.all([
        webhooks.list(principal),
        webhookDeliveries.list(principal, {
          limit: String(FAILED_ON_PAGE),
          ...(status === undefined ? {} : { status }),
        }),
      ])
      const data = { subscriptions, deliveries, status: status ?? '' }
      return { title: t('nav.webhooks'), template: 'webhooks', data, api: 'GET /api/v1/webhooks/subscriptions' }
    },
  }
}

function newPage({ consoleInput, webhooks }: Cradle): ConsolePage {
  const view = (me: SignedIn, { url = '', ...form }: PageRequest['form']) => ({
    title: me.t('webhook.new'),
    template: 'webhook-new',
    data: { url, events: EVENTS.map((name) => ({ name, isChosen: form[name] !== undefined })) },
    trail: trailOf(me),
    api: 'POST /api/v1/webhooks/subscriptions\n\n{ "url": "https://…", "events": ["passport.sealed"] }',
  })
  return {
    path: 'webhooks/new',
    needs: 'webhook:write',
    show: (me, { form }) => view(me, 'url' in form ? form : { 'passport.sealed': 'on' }),
    async act(me, { form }) {
      const input = { url: form.url ?? '', events: EVENTS.filter((name) => form[name] !== undefined) }
      const errors = consoleInput.errorsIn('NewWebhookSubscription', input, 'webhook', me.t)
      if (errors.length > 0) return { ...view(me, form), errors, status: 400 }
      const { secret = '' } = await webhooks.create(me.principal, input as never)
      return secretView(me, secret, 'POST /api/v1/webhooks/subscriptions')
    },
  }
}

function subscriptionPages({ webhooks }: Cradle): ConsolePage[] {
  const back = () => ({ to: '/console/webhooks' })
  return [
    {
      path: 'webhooks/{id}/test',
      needs: 'webhook:write',
      show: back,
      async act(me, { id }) {
        const result = await webhooks.test(me.principal, id)
        return {
          title: me.t('webhook.test'),
          template: 'webhook-test',
          data: { result },
          trail: trailOf(me),
          api: `POST /api/v1/webhooks/subscriptions/${id}/test`,
        }
      },
    },
    {
      path: 'webhooks/{id}/rotate',
      needs: 'webhook:write',
      show: back,
      async act(me, { id }) {
        const { secret = '' } = await webhooks.rotateSecret(me.principal, id)
        return secretView(me, secret, `POST /api/v1/webhooks/subscriptions/${id}/rotate-secret`, true)
      },
    },
    {
      path: 'webhooks/{id}/switch',
      needs: 'webhook:write',
      show: back,
      async act({ principal }, { id, form }) {
        await webhooks.update(principal, id, { isActive: form.on === 'yes' })
        return { to: '/console/webhooks', done: 'saved' }
      },
    },
    {
      path: 'webhooks/{id}/remove',
      needs: 'webhook:write',
      show: back,
      async act({ principal }, { id }) {
        await webhooks.remove(principal, id)
        return { to: '/console/webhooks', done: 'removed' }
      },
    },
  ]
}

function replayPage({ webhookDeliveries }: Cradle): ConsolePage {
  return {
    path: 'deliveries/{id}',
    needs: 'webhook:write',
    show: () => ({ to: '/console/webhooks' }),
    async act({ principal }, { id }) {
      await webhookDeliveries.replay(principal, id)
      return { to: '/console/webhooks', done: 'replayed' }
    },
  }
}

const secretView = (me: SignedIn, secret: string, api: string, hasFormer = false) => ({
  title: me.t('webhook.secret'),
  template: 'webhook-secret',
  data: { secret, hasFormer },
  trail: trailOf(me),
  api,
})

const trailOf = ({ t }: SignedIn) => [{ href: '/console/webhooks', text: t('nav.webhooks') }]
