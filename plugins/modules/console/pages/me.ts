import type { Cradle } from '../cradle.ts'
import { ownPath, setCookie } from '../http.ts'
import { membershipsOf } from '../link-rows.ts'
import { endOtherSessions, endSession, listSessions } from '../session-rows.ts'
import type { ConsolePage, PageFile, SignedIn } from '../site.ts'
import { browserName } from '../user-agent.ts'

export default (services: Cradle): PageFile => ({
  pages: [...accountPages(services), ...passkeyPages(services), confirmPage(services)],
})

function accountPages(services: Cradle): ConsolePage[] {
  const { config, database, consoleOidc, consolePasskeys, consoleSignIn } = services
  return [
    {
      path: 'me',
      needs: null,
      nav: { group: 'me', order: 0 },
      async show(me) {
        const [sessions, passkeys, workspaces, isConnected] = await Promise.all([
          listSessions(database.forTenant(me.principal.tenantId), me.person.id),
          consolePasskeys.list(me),
          membershipsOf(database.lookup, me.person.email),
          consoleOidc.isConnected(me),
        ])
        const listed = sessions.map((session) => ({ ...session, browser: browserName(session.agent) || '–' }))
        const oidc = consoleOidc.name
        const data = { sessions: listed, passkeys, workspaces, canAdd: consolePasskeys.isOn, oidc, isConnected }
        return { title: me.t('me.title'), template: 'me', data, api: 'GET /api/v1/whoami' }
      },
    },
    {
      path: 'sign-out',
      needs: null,
      isForAll: true,
      show: (me) => leaveView(services, me),
      async act(me, { form }) {
        const { principal, person, sessionId } = me
        const session = database.forTenant(principal.tenantId)
        if (form.others !== undefined) {
          await endOtherSessions(session, person.id, sessionId)
          return { to: '/console/me', done: 'othersEnded' }
        }
        const id = form.session ?? sessionId
        if (id === sessionId && form.sure === undefined && (await hasNoWayBack(services, me))) {
          return leaveView(services, me)
        }
        await endSession(session, id, person.id)
        if (id !== sessionId) return { to: '/console/me', done: 'sessionEnded' }
        const cookie = setCookie(config.baseUrl, 'session', '', 0)
        return { to: '/console/sign-in', done: 'signedOut', cookie }
      },
    },
    {
      path: 'workspace',
      needs: null,
      isForAll: true,
      async act(me, { form, agent }) {
        const secret = await consoleSignIn.switchTo(me, form.workspace ?? '', agent)
        if (secret === undefined) return { to: '/console/me' }
        await endSession(database.forTenant(me.principal.tenantId), me.sessionId, me.person.id)
        return { to: '/console', cookie: setCookie(config.baseUrl, 'session', secret) }
      },
    },
  ]
}

/** True if only the operator of the gateway could let the member in again. */
async function hasNoWayBack({ consoleOidc, consolePasskeys, moduleHooks }: Cradle, me: SignedIn): Promise<boolean> {
  if (moduleHooks.sendsLetters()) return false
  const [passkeys, isConnected] = await Promise.all([consolePasskeys.list(me), consoleOidc.isConnected(me)])
  return passkeys.length === 0 && !isConnected
}

async function leaveView(services: Cradle, me: SignedIn) {
  const isWarned = await hasNoWayBack(services, me)
  return {
    title: me.t('signOut.button'),
    template: 'sure',
    data: {
      text: me.t(isWarned ? 'signOut.noWayBack' : 'signOut.text'),
      more: isWarned && services.consolePasskeys.isOn ? '/console/passkeys' : undefined,
      ...{ path: 'sign-out', button: 'signOut.button', back: '/console' },
    },
    api: linkCommand(me),
  }
}

function passkeyPages({ consolePasskeys }: Cradle): ConsolePage[] {
  return [
    {
      path: 'passkeys',
      needs: null,
      isForAll: true,
      isSensitive: true,
      async show(me, { agent, form }) {
        const data = { options: await consolePasskeys.newOptions(me), suggested: form.name ?? browserName(agent) }
        return {
          title: me.t('passkey.add'),
          template: 'passkey-new',
          data,
          trail: account(me),
          api: 'GET /api/v1/whoami',
        }
      },
      async act(me, { form }) {
        await consolePasskeys.add(me, form.response, form.name ?? '')
        return { to: '/console/me', done: 'passkeyAdded' }
      },
    },
    {
      path: 'passkeys/remove',
      needs: null,
      isForAll: true,
      isSensitive: true,
      show: () => ({ to: '/console/me' }),
      async act(me, { form }) {
        await consolePasskeys.remove(me, form.passkey ?? '')
        return { to: '/console/me', done: 'passkeyRemoved' }
      },
    },
  ]
}

/** Renews the authentication before sensitive pages. */
function confirmPage({ consoleOidc, consolePasskeys, consoleSignIn, moduleHooks }: Cradle): ConsolePage {
  return {
    path: 'confirm',
    needs: null,
    isForAll: true,
    async show(me, { query }) {
      const next = ownPath(query.next)
      const [passkey, isConnected] = await Promise.all([
        consolePasskeys.options('confirm', me),
        consoleOidc.isConnected(me),
      ])
      const oidc = isConnected ? consoleOidc.name : undefined
      const data = { next, passkey, oidc, isMailing: moduleHooks.sendsLetters() }
      return { title: me.t('confirm.title'), template: 'confirm', data, api: linkCommand(me) }
    },
    async act(me, { form }) {
      if (form.by === 'link') {
        consoleSignIn.mailLinks(me.person.email, me.lang)
        return { title: me.t('signIn.mailed'), template: 'mailed', data: {}, api: linkCommand(me) }
      }
      await consolePasskeys.confirm(me, form.response)
      return { to: ownPath(form.next) }
    },
  }
}

const account = ({ t }: SignedIn) => [{ href: '/console/me', text: t('nav.me') }]

const linkCommand = ({ person }: SignedIn) => `npm run -s dpp -- console link --email ${person.email}`
