import type { Cradle } from '../cradle.ts'
import { setCookie } from '../http.ts'
import { endOtherSessions, endSession, listSessions } from '../session-rows.ts'
import type { PageFile } from '../site.ts'

export default ({ config, database }: Cradle): PageFile => ({
  pages: [
    {
      path: 'me',
      needs: null,
      isForAll: true,
      nav: { group: 'me', order: 0 },
      async show(me) {
        const sessions = await listSessions(database.forTenant(me.principal.tenantId), me.person.id)
        return { title: me.t('me.title'), template: 'me', data: { sessions } }
      },
    },
    {
      path: 'sign-out',
      needs: null,
      isForAll: true,
      async act({ principal, person, sessionId }, { form }) {
        const session = database.forTenant(principal.tenantId)
        if (form.others !== undefined) {
          await endOtherSessions(session, person.id, sessionId)
          return { to: '/console/me', done: 'othersEnded' }
        }
        const id = form.session ?? sessionId
        await endSession(session, id, person.id)
        if (id !== sessionId) return { to: '/console/me', done: 'sessionEnded' }
        const cookie = setCookie(config.baseUrl, 'session', '', 0)
        return { to: '/console/sign-in', done: 'signedOut', cookie }
      },
    },
  ],
})
