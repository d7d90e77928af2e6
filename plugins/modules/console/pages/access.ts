import type { Cradle } from '../cradle.ts'
import { endOfDay, inDays } from '../days.ts'
import { countWaiting, GRANT_STATES, listGrants } from '../grant-rows.ts'
import { namesOf } from '../people-rows.ts'
import type { ConsolePage, PageFile, SignedIn } from '../site.ts'

const ON_PAGE = 50
/** Offered first. */
const USUAL_DAYS = 90
/** The API allows 366 days; the last one ends later. */
const MAX_DAYS = 365

/** Requests for access to restricted values, and the grants. */
export default (services: Cradle): PageFile => {
  const { database } = services
  return {
    pages: [listPage(services), ...grantPages(services)],
    async attention({ can, principal, t }) {
      if (!can('grant:write')) return []
      const count = await countWaiting(database.forTenant(principal.tenantId), principal.operatorId)
      return [{ order: 0, count, text: t('access.waiting', { count }), href: '/console/access' }]
    },
  }
}

function listPage({ database }: Cradle): ConsolePage {
  return {
    path: 'access',
    needs: 'grant:read',
    nav: { group: 'work', order: 50 },
    async show({ principal, t }, { query }) {
      const state = GRANT_STATES.find((name) => name === query.state) ?? 'PENDING'
      const page = Math.min(1000, Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1))
      const session = database.forTenant(principal.tenantId)
      const place = { limit: ON_PAGE + 1, offset: (page - 1) * ON_PAGE }
      const found = await listGrants(session, principal.operatorId, state, place)
      const data = {
        state,
        states: GRANT_STATES,
        grants: found.slice(0, ON_PAGE),
        page,
        hasMore: found.length > ON_PAGE,
      }
      return { title: t('nav.access'), template: 'access', data, api: 'GET /api/v1/grants' }
    },
  }
}

function grantPages({
  config,
  database,
  grantRequests,
  grants,
  moduleHooks,
  passportRows,
  translator,
}: Cradle): ConsolePage[] {
  const show = (template: string, api: (id: string) => string): ConsolePage['show'] =>
    async function showGrant(me, { id, form }) {
      const { principal, t } = me
      const grant = await grants.get(principal, id)
      const session = database.forTenant(principal.tenantId)
      const [passport, names] = await Promise.all([
        grant.passportId === null ? undefined : passportRows.load(session, grant.passportId),
        namesOf(session, [personIn(grant.decidedBy)]),
      ])
      const data = {
        ...{ grant, passport, isMailing: moduleHooks.sendsLetters() },
        actor: translator.translate(me.lang, 'html', `audience.kinds.${grant.actorKind}`, {
          defaultValue: grant.actorKind,
        }),
        decidedBy: names.get(personIn(grant.decidedBy)) ?? grant.decidedBy,
        expiresAt: form.expiresAt ?? (template === 'grant' ? inDays(USUAL_DAYS) : grant.expiresAt.slice(0, 10)),
        ...{ first: inDays(0), last: inDays(MAX_DAYS), isOver: new Date(grant.expiresAt) <= new Date() },
      }
      return { title: t('access.of', { name: grant.granteeName }), template, data, trail: trailOf(me), api: api(id) }
    }
  const page = (part: string, more: Pick<ConsolePage, 'show' | 'act'>): ConsolePage => ({
    path: part === '' ? 'access/{id}' : `access/{id}/${part}`,
    needs: part === '' ? 'grant:read' : 'grant:write',
    show: show('grant', (id) => `GET /api/v1/grants/${id}`),
    ...more,
  })
  return [
    page('', {}),
    page('approve', {
      async act(me, { id, form }) {
        const { grant, url } = await grantRequests.approve(me.principal, id, { expiresAt: endOfDay(form.expiresAt) })
        const data = { grant, url, baseUrl: config.baseUrl, isMailing: moduleHooks.sendsLetters() }
        return {
          title: me.t('access.approved'),
          template: 'grant-approved',
          data,
          trail: trailOf(me),
          api: `POST /api/v1/grants/${id}/approve`,
        }
      },
    }),
    page('deny', {
      async act({ principal }, { id }) {
        await grantRequests.deny(principal, id)
        return { to: '/console/access', done: 'denied' }
      },
    }),
    page('renew', {
      async act({ principal }, { id, form }) {
        await grants.renew(principal, id, { expiresAt: endOfDay(form.expiresAt) })
        return { to: `/console/access/${id}`, done: 'renewed' }
      },
    }),
    page('revoke', {
      async show(me, { id }) {
        const { granteeName: name } = await grants.get(me.principal, id)
        return {
          title: me.t('access.revoke'),
          template: 'sure',
          data: {
            text: `${me.t('access.of', { name })}. ${me.t('access.revokeText')}`,
            ...{ path: `access/${id}/revoke`, button: 'access.revoke', back: `/console/access/${id}` },
          },
          trail: [...trailOf(me), { href: `/console/access/${id}`, text: me.t('access.of', { name }) }],
          api: `DELETE /api/v1/grants/${id}`,
        }
      },
      async act({ principal }, { id }) {
        await grants.revoke(principal, id)
        return { to: '/console/access?state=ACTIVE', done: 'revoked' }
      },
    }),
  ]
}

const personIn = (actor: string | null) => (actor ?? '').replace(/^person:/, '')

const trailOf = ({ t }: SignedIn) => [{ href: '/console/access', text: t('nav.access') }]
