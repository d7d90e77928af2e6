import type { Cradle } from '../cradle.ts'
import { rightName } from '../right-name.ts'
import { CONSOLE_ROLES, rightsOfRole } from '../roles.ts'
import { endSession, listSessions } from '../session-rows.ts'
import type { ConsolePage, FieldError, PageFile, PageRequest, SignedIn } from '../site.ts'
import { browserName } from '../user-agent.ts'

export default (services: Cradle): PageFile => ({
  pages: [
    listPage(services),
    invitePage(services),
    ...memberPages(services),
    narrowPage(services),
    ...sessionPages(services),
  ],
})

function listPage({ consolePeople }: Cradle): ConsolePage {
  return {
    path: 'people',
    needs: 'people:read',
    nav: { group: 'company', order: 20 },
    async show(me) {
      const [members, invitations] = await Promise.all([
        consolePeople.members(me.principal),
        consolePeople.invitations(me.principal),
      ])
      return { title: me.t('nav.people'), template: 'people', data: { members, invitations }, api: inviteCommand(me) }
    },
  }
}

function invitePage({ consolePeople, moduleHooks, operators }: Cradle): ConsolePage {
  return {
    path: 'people/new',
    needs: 'people:write',
    isSensitive: true,
    show: view,
    async act(me, request) {
      const errors = missing(me, request, ['name', 'email'])
      if (errors.length > 0) return { ...(await view(me, request)), errors, status: 400 }
      const { principal, lang } = me
      const { name = '', email = '', role = '', operator = '' } = request.form
      const input = { name, email, role, operatorId: operator === '' ? null : operator }
      const about = { by: principal, workspace: principal.workspace.name, lang }
      const { address, isMailed } = await consolePeople.invite(principal.tenantId, input, about)
      const data = { address, isMailed, name, email }
      return { title: me.t('people.invited'), template: 'invited', data, trail: trailOf(me), api: inviteCommand(me) }
    },
  }

  async function view(me: SignedIn, { form }: PageRequest) {
    const values = { role: 'editor', ...form }
    const data = { ...(await choicesFor(operators, me)), values, isMailing: moduleHooks.sendsLetters() }
    return { title: me.t('people.invite'), template: 'invite', data, trail: trailOf(me), api: inviteCommand(me) }
  }
}

function memberPages({ consolePeople, operators }: Cradle): ConsolePage[] {
  return [
    {
      path: 'people/{id}',
      needs: 'people:write',
      isSensitive: true,
      async show(me, { id, form }) {
        const member = await consolePeople.member(me.principal, id)
        const { role = member.role, operator = member.operatorId } = form
        const data = { member, role, operator, ...(await choicesFor(operators, me)) }
        return { title: member.name, template: 'member', data, trail: trailOf(me), api: inviteCommand(me) }
      },
      async act({ principal }, { id, form }) {
        const { role = '', operator = '' } = form
        await consolePeople.change(principal, id, { role, operatorId: operator === '' ? null : operator })
        return { to: '/console/people', done: 'saved' }
      },
    },
    {
      path: 'people/{id}/remove',
      needs: 'people:write',
      isSensitive: true,
      async show(me, { id }) {
        const member = await consolePeople.member(me.principal, id)
        const trail = [...trailOf(me), { href: `/console/people/${id}`, text: member.name }]
        return {
          title: me.t('people.removeTitle', { name: member.name }),
          template: 'sure',
          data: {
            ...{ text: me.t('people.removeText'), path: `people/${id}/remove`, button: 'people.remove' },
            back: '/console/people',
          },
          trail,
          api: inviteCommand(me),
        }
      },
      async act({ principal }, { id }) {
        await consolePeople.remove(principal, id)
        return { to: '/console/people', done: 'personRemoved' }
      },
    },
    {
      path: 'people/{id}/uninvite',
      needs: 'people:write',
      isSensitive: true,
      show: () => ({ to: '/console/people' }),
      async act({ principal }, { id }) {
        await consolePeople.uninvite(principal, id)
        return { to: '/console/people', done: 'uninvited' }
      },
    },
  ]
}

/** Takes rights of the role away from a member, or gives them back. */
function narrowPage({ consolePeople }: Cradle): ConsolePage {
  return {
    path: 'people/{id}/rights',
    needs: 'people:write',
    isSensitive: true,
    async show(me, { id, form }) {
      const member = await consolePeople.member(me.principal, id)
      const rights = rightsOfRole(member.role).map((name) => ({
        name,
        text: rightName(name, me.t),
        isLeft: form.csrf === undefined ? (member.permissions?.includes(name) ?? true) : form[name] !== undefined,
      }))
      const trail = [...trailOf(me), { href: `/console/people/${id}`, text: member.name }]
      return {
        title: me.t('people.rights'),
        template: 'member-rights',
        data: { member, rights },
        trail,
        api: inviteCommand(me),
      }
    },
    async act({ principal }, { id, form }) {
      const { role, operatorId } = await consolePeople.member(principal, id)
      const all = rightsOfRole(role)
      const left = all.filter((name) => form[name] !== undefined)
      await consolePeople.change(principal, id, {
        role,
        operatorId,
        permissions: left.length === all.length ? null : left,
      })
      return { to: '/console/people', done: 'saved' }
    },
  }
}

function sessionPages({ database }: Cradle): ConsolePage[] {
  return [
    {
      path: 'sessions',
      needs: 'people:write',
      nav: { group: 'company', order: 25 },
      async show(me) {
        const sessions = await listSessions(database.forTenant(me.principal.tenantId), null)
        const data = { sessions: sessions.map((one) => ({ ...one, browser: browserName(one.agent) || '–' })) }
        return { title: me.t('nav.sessions'), template: 'sessions', data, api: 'GET /api/v1/whoami' }
      },
      async act({ principal }, { form }) {
        await endSession(database.forTenant(principal.tenantId), form.session ?? '', null)
        return { to: '/console/sessions', done: 'sessionEnded' }
      },
    },
  ]
}

/** Roles and operators to choose from. */
async function choicesFor(operators: Cradle['operators'], { principal, t }: SignedIn) {
  const found = await operators.list(principal, false)
  return {
    roles: CONSOLE_ROLES.map((role) => ({ value: role, text: t(`role.${role}`), help: t(`role.${role}Help`) })),
    operators: [
      { value: '', text: t('people.allOperators') },
      ...found.map(({ id, name }) => ({ value: id, text: name })),
    ],
  }
}

const missing = ({ t }: SignedIn, { form }: PageRequest, names: readonly string[]): FieldError[] =>
  names.filter((name) => !form[name]).map((field) => ({ field, message: t(`missing.${field}`) }))

const trailOf = ({ t }: SignedIn) => [{ href: '/console/people', text: t('nav.people') }]

/** The API has no operation for people. */
const inviteCommand = ({ principal }: SignedIn) =>
  `npm run -s dpp -- console invite --workspace ${principal.tenantId} --email anna@example.com --name Anna`
