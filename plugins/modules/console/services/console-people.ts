import { randomUUID } from 'node:crypto'
import { beginningOf, notFound } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  conflict,
  forbidden,
  isUuid,
  type ModuleCradle,
  mailAddress,
  PLATFORM,
  type Principal,
  recordAudit,
  type Transaction,
} from '../../../../src/plugin/module.ts'
import {
  type ListedInvitation,
  listInvitations,
  listMembers,
  lockOwners,
  type Member,
  putInvitation,
  removeInvitation,
  removeMember,
  setMember,
} from '../people-rows.ts'
import { CONSOLE_ROLES } from '../roles.ts'
import { hashOf, newSecret } from '../secrets.ts'

const INVITATION_DAYS = 7
const MAX_NAME_CHARACTERS = 120

interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly permissions?: readonly string[] | null
  readonly operatorId?: string | null
}

type Rights = Pick<Member, 'role' | 'permissions' | 'operatorId'>

/** Members and invitations of a workspace. */
export default function consolePeople({ config, database, moduleHooks, operators, translator }: ModuleCradle) {
  return {
    members: ({ tenantId }: Principal) => listMembers(database.forTenant(tenantId)),
    invitations: ({ tenantId }: Principal): Promise<ListedInvitation[]> =>
      listInvitations(database.forTenant(tenantId)),
    ...{ member, invite, uninvite, change, remove },
  }

  /** @throws Problem 404 */
  async function member(principal: Principal, id: string): Promise<Member> {
    const [found] = isUuid(id) ? await listMembers(database.forTenant(principal.tenantId), id) : []
    if (found === undefined) throw noMember()
    return found
  }

  /**
   * Invites a person by a link that holds once, and e-mails it if possible.
   * @param by undefined for the operator of the gateway
   * @throws Problem 400; 403 for rights beyond those of the inviter
   */
  async function invite(
    tenantId: string,
    input: NewMember,
    { by, workspace, lang }: { readonly by?: Principal; readonly workspace: string; readonly lang: string },
  ): Promise<{ address: string; isMailed: boolean }> {
    const email = mailAddress(input.email.trim())?.toLowerCase()
    if (email === undefined) throw badRequest('E-mail: enter one plain address, such as anna@example.com.')
    const name = beginningOf(input.name.trim(), MAX_NAME_CHARACTERS)
    if (name === '') throw badRequest('Name: enter the name of the person.')
    const rights = await rightsOf(input, by)
    const secret = newSecret()
    const address = `${config.baseUrl}/console/sign-in/${secret}`
    const id = randomUUID()
    await database.transaction(tenantId, async (tx) => {
      const invitedBy = by?.actor ?? PLATFORM.actor
      putInvitation(tx, { id, email, name, ...rights, secretHash: hashOf(secret), invitedBy }, INVITATION_DAYS)
      recordAudit(tx, by ?? PLATFORM, 'person.invited', id, rights)
      const t = (key: string) => translator.translate(lang, 'console', key, { name, workspace, address })
      await moduleHooks.sendLetter(tx, {
        to: email,
        subject: t('letter.invitedSubject'),
        text: t('letter.invited'),
        lang,
      })
    })
    return { address, isMailed: moduleHooks.sendsLetters() }
  }

  /** @throws Problem 404 */
  async function uninvite(principal: Principal, id: string): Promise<void> {
    await database.transaction(principal.tenantId, async (tx) => {
      if (!isUuid(id) || !(await removeInvitation(tx, id))) throw notFound('This invitation has ended.')
      recordAudit(tx, principal, 'person.uninvited', id)
    })
  }

  /** Applies at the next request of the member. Absent permissions stay, unless the role changes. @throws Problem 400, 403, 404; 409 for the last owner */
  async function change(principal: Principal, personId: string, input: Omit<NewMember, 'email' | 'name'>) {
    const before = await member(principal, personId)
    const { permissions = input.role === before.role ? before.permissions : null } = input
    const rights = await rightsOf({ ...input, permissions }, principal)
    await database.transaction(principal.tenantId, async (tx) => {
      if (rights.role !== 'owner' || rights.permissions !== null || rights.operatorId !== null) {
        await keepOwner(tx, personId)
      }
      setMember(tx, personId, rights)
      recordAudit(tx, principal, 'person.updated', personId, { from: rightsIn(before), to: rights })
    })
  }

  /** Ends the sessions of the member too. @throws Problem 404; 409 for the last owner */
  async function remove(principal: Principal, personId: string): Promise<void> {
    await member(principal, personId)
    await database.transaction(principal.tenantId, async (tx) => {
      await keepOwner(tx, personId)
      removeMember(tx, personId)
      recordAudit(tx, principal, 'person.removed', personId)
    })
  }

  /** A member grants at most the own rights. */
  async function rightsOf(input: Omit<NewMember, 'email' | 'name'>, by: Principal | undefined): Promise<Rights> {
    const { role, permissions = null, operatorId = null } = input
    if (!CONSOLE_ROLES.some((name) => name === role)) throw badRequest('Role: choose one of the list.')
    if (by !== undefined) {
      const [own] = await listMembers(database.forTenant(by.tenantId), by.actor.slice('person:'.length))
      if (own?.role !== 'owner' || own.permissions !== null || own.operatorId !== null) {
        throw forbidden('Only an owner without limits may decide about people.')
      }
      if (operatorId !== null) await operators.get(by, operatorId)
    }
    return { role, permissions, operatorId }
  }
}

async function keepOwner(tx: Transaction, personId: string): Promise<void> {
  const owners = await lockOwners(tx)
  if (owners.length === 1 && owners[0] === personId) {
    throw conflict('This person is the only owner. Make another person an owner first.')
  }
}

const rightsIn = ({ role, permissions, operatorId }: Rights): Rights => ({ role, permissions, operatorId })

const noMember = () => notFound('This person is not a member of the workspace.')
