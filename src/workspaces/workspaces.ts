import { randomUUID } from 'node:crypto'
import { PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isCountryCode } from '../domain/countries.ts'
import { isUuid } from '../domain/identifiers.ts'
import { mailAddress } from '../domain/mail.ts'
import { PERMISSIONS, permissionsOf, ROLES } from '../domain/permissions.ts'
import { PLANS } from '../domain/plans.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import { beginningOf } from '../domain/text.ts'
import { isBound } from '../operators/bindings.ts'
import { OperatorBinding } from '../operators/entities.ts'
import { countPublished } from '../passports/published.ts'
import type { Transaction } from '../storage/transaction.ts'
import { isLost } from '../storage/unit-of-work.ts'
import {
  allWorkspaces,
  findWorkspace,
  type ListedWorkspace,
  listApiKeys,
  revokeApiKey,
  workspaceOfApiKey,
} from './credential-statements.ts'
import { ApiKey, Workspace } from './entities.ts'
import { type NewSession, newApiKey } from './identity.ts'
import { passportLimitOf } from './quota.ts'

const MAX_USER_CHARACTERS = 200
const MAX_REASON_CHARACTERS = 500
const SUBSCRIPTIONS = ['active', 'grace', 'lapsed']

declare module '../cradle.ts' {
  interface Cradle {
    workspaces: ReturnType<typeof workspaces>
  }
}

export default function workspaces({ database, identity, seals }: Cradle) {
  return {
    create,
    list,
    show,
    set,
    suspend,
    resume,
    bindOperator,
    createKey,
    listKeys,
    revokeKey,
    createSession,
    rotateKeys,
    describe,
  }

  async function create(input: {
    name: string
    legalName?: string
    country?: string
    subdomain?: string
    email?: string
    plan?: string
    withKey?: boolean
  }) {
    const id = randomUUID()
    const name = input.name.trim()
    if (name === '') throw badRequest('The name of the workspace is missing.')
    const country = input.country?.toUpperCase()
    if (country !== undefined && !isCountryCode(country))
      throw badRequest(`country: ${input.country} is not an ISO 3166-1 code.`)
    const subdomain = input.subdomain?.toLowerCase()
    if (subdomain !== undefined && !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(subdomain)) {
      throw badRequest(
        `subdomain: "${input.subdomain}" is not a host label. Use lower-case letters, digits and hyphens.`,
      )
    }
    const workspace = {
      id,
      name,
      legalName: input.legalName?.trim() || name,
      country: country ?? null,
      subdomain: subdomain ?? null,
      email: input.email === undefined ? null : addressOf(input.email),
      plan: planOf(input.plan ?? 'growth'),
      subscription: 'active',
      requireMfa: false,
      strictAudiences: false,
    }
    try {
      await database.transaction(id, async (tx) => {
        tx.entities.create(Workspace, workspace)
        recordAudit(tx, PLATFORM, 'workspace.created', id, { name, plan: workspace.plan })
      })
    } catch (error) {
      if (!isLost(error, 'taken')) throw error
      throw conflict(`subdomain: "${subdomain}" is already in use. Choose another.`)
    }
    const publicKey = input.withKey === true ? await seals.rotateKeys(id, PLATFORM) : undefined
    return { ...workspace, publicKey }
  }

  async function set(
    id: string,
    change: {
      plan?: string
      email?: string | null
      subscription?: string
      passportLimit?: number | null
      storageLimit?: number | null
      rowLimit?: number | null
      requireMfa?: boolean
      strictAudiences?: boolean
    },
  ) {
    return database.transaction(id, async (tx) => {
      const workspace = await findById(tx, id)
      const before = settingsOf(workspace)
      if (change.plan !== undefined) workspace.plan = planOf(change.plan)
      if (change.email !== undefined) workspace.email = change.email === null ? null : addressOf(change.email)
      if (change.subscription !== undefined) {
        if (!SUBSCRIPTIONS.includes(change.subscription))
          throw badRequest(`subscription must be one of ${SUBSCRIPTIONS.join(', ')}.`)
        workspace.subscription = change.subscription
      }
      if (change.passportLimit !== undefined) workspace.passportLimit = change.passportLimit
      if (change.storageLimit !== undefined) workspace.storageLimit = change.storageLimit
      if (change.rowLimit !== undefined) workspace.rowLimit = change.rowLimit
      if (change.requireMfa !== undefined) workspace.requireMfa = change.requireMfa
      if (change.strictAudiences !== undefined) workspace.strictAudiences = change.strictAudiences
      const after = settingsOf(workspace)
      const changed = (Object.keys(after) as (keyof typeof after)[]).filter((name) => after[name] !== before[name])
      if (changed.length > 0) {
        const detail = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
        recordAudit(tx, PLATFORM, 'workspace.updated', id, detail)
      }
      return { id, name: workspace.name, ...after }
    })
  }

  async function list(): Promise<ListedWorkspace[]> {
    return allWorkspaces(database)
  }

  /** @throws Problem 404 */
  async function show(id: string) {
    return database.transaction(id, async (tx) => {
      const workspace = await findById(tx, id)
      const { name, legalName, country, subdomain, suspendedAt, suspensionReason } = workspace
      return {
        ...{ id, name, legalName, country: country ?? null, subdomain: subdomain ?? null, ...settingsOf(workspace) },
        suspendedAt: suspendedAt?.toISOString() ?? null,
        suspensionReason: suspensionReason ?? null,
        publishedPassports: await countPublished(tx),
      }
    })
  }

  /** Rejects the keys, sessions and grants of a workspace immediately. Public data stays readable. @throws Problem 404 */
  async function suspend(id: string, reason: string | undefined) {
    return database.transaction(id, async (tx) => {
      const workspace = await findById(tx, id)
      workspace.suspendedAt ??= new Date()
      workspace.suspensionReason = beginningOf(reason?.trim() ?? '', MAX_REASON_CHARACTERS) || null
      recordAudit(tx, PLATFORM, 'workspace.suspended', id, { reason: workspace.suspensionReason })
      return { id, suspendedAt: workspace.suspendedAt.toISOString(), reason: workspace.suspensionReason }
    })
  }

  /** @throws Problem 404 */
  async function resume(id: string) {
    return database.transaction(id, async (tx) => {
      const workspace = await findById(tx, id)
      if (workspace.suspendedAt != null) recordAudit(tx, PLATFORM, 'workspace.resumed', id)
      Object.assign(workspace, { suspendedAt: null, suspensionReason: null })
      return { id, suspendedAt: null }
    })
  }

  async function findById(tx: Transaction, id: string): Promise<Workspace> {
    const workspace = isUuid(id) ? await tx.entities.findOne(Workspace, { id }) : null
    if (workspace === null) throw notFound(`Workspace ${id} not found.`)
    return workspace
  }

  /** Lets a workspace act for another workspace's operator. */
  async function bindOperator(operatorId: string, workspaceId: string) {
    await assertWorkspace(workspaceId)
    if (!isUuid(operatorId)) throw notFound(`Operator ${operatorId} not found.`)
    if (!(await isBound(database.forTenant(workspaceId), workspaceId, operatorId))) {
      await database
        .transaction(workspaceId, async (tx) => {
          tx.entities.create(OperatorBinding, { tenantId: workspaceId, operatorId })
          recordAudit(tx, PLATFORM, 'operator.bound', operatorId)
        })
        .catch((error) => {
          if (isLost(error, 'gone')) throw notFound(`Operator ${operatorId} not found.`)
          throw error
        })
    }
    return { operatorId, workspaceId, bound: true }
  }

  /** @returns the key, disclosed only here */
  async function createKey(input: {
    workspaceId: string
    role: string
    permissions?: readonly string[]
    operatorId?: string
    expiresAt?: string
    name?: string
  }) {
    await assertWorkspace(input.workspaceId)
    assertRole(input.role)
    const unknown = input.permissions?.find((permission) => !(PERMISSIONS as readonly string[]).includes(permission))
    if (unknown !== undefined) throw badRequest(`permissions: unknown permission "${unknown}".`)
    const beyond = input.permissions?.filter((permission) => !permissionsOf(input.role, null).has(permission)) ?? []
    if (beyond.length > 0) {
      throw badRequest(
        `permissions: the role ${input.role} does not have ${beyond.join(', ')}. Choose another role, or remove them.`,
      )
    }
    const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt)
    if (expiresAt !== null && Number.isNaN(expiresAt.getTime()))
      throw badRequest(`expires: "${input.expiresAt}" is not a date.`)
    const session = database.forTenant(input.workspaceId)
    if (input.operatorId !== undefined && !(await isBound(session, input.workspaceId, input.operatorId))) {
      throw badRequest(`operator: ${input.operatorId} is not bound to this workspace. Run: dpp operator bind`)
    }
    const { id, key, secretHash } = newApiKey()
    const { workspaceId: tenantId, role, operatorId = null, name = null } = input
    const permissions = input.permissions === undefined ? null : [...input.permissions]
    await database.transaction(tenantId, async (tx) => {
      tx.entities.create(ApiKey, { id, tenantId, secretHash, role, permissions, operatorId, name, expiresAt })
      const detail = { role, permissions, operatorId, name, expiresAt: expiresAt?.toISOString() ?? null }
      recordAudit(tx, PLATFORM, 'key.created', id, detail)
    })
    return { id, key }
  }

  async function listKeys() {
    return listApiKeys(database)
  }

  async function revokeKey(id: string) {
    const tenantId = await workspaceOfApiKey(database, id)
    if (tenantId === undefined) throw notFound(`Key ${id} not found.`)
    await database.transaction(tenantId, async (tx) => {
      if (await revokeApiKey(tx, id)) recordAudit(tx, PLATFORM, 'key.revoked', id)
    })
    return { id, revoked: true }
  }

  async function createSession(input: {
    workspaceId: string
    user: string
    role: string
    mfa: boolean
  }): Promise<NewSession> {
    await assertWorkspace(input.workspaceId)
    assertRole(input.role)
    const user = input.user.trim()
    if (user === '' || user.length > MAX_USER_CHARACTERS)
      throw badRequest(`user must have 1 to ${MAX_USER_CHARACTERS} characters.`)
    return identity.createSession({
      tenantId: input.workspaceId,
      user,
      role: input.role,
      mfa: input.mfa,
    })
  }

  /**
   * Makes a new signing key. It seals for every operator, so operators' keys may not replace it.
   * @returns the public key as PEM
   * @throws Problem 403 for an operator's key
   */
  async function rotateKeys(principal: Principal): Promise<string> {
    assertWholeWorkspace(principal)
    return seals.rotateKeys(principal.tenantId, principal)
  }

  /** Returns the caller's identity (specification 4.5). */
  async function describe(principal: Principal) {
    const { workspace } = principal
    return {
      tenant: {
        id: workspace.id,
        name: workspace.name,
        subdomain: workspace.subdomain,
        tier: workspace.plan,
        subscriptionStatus: workspace.subscription,
      },
      auth: {
        role: principal.role,
        permissions: [...principal.permissions],
        isApiKeySession: principal.kind === 'key',
        operatorId: principal.operatorId,
      },
      usage: {
        activePassports: await countPublished(database.batchedFor(principal.tenantId)),
        passportLimit: passportLimitOf(principal),
      },
    }
  }

  async function assertWorkspace(id: string): Promise<void> {
    if ((await findWorkspace(database, id)) === undefined) throw notFound(`Workspace ${id} not found.`)
  }
}

const settingsOf = (workspace: Workspace) => ({
  email: workspace.email ?? null,
  plan: workspace.plan,
  subscription: workspace.subscription,
  passportLimit: workspace.passportLimit ?? null,
  storageLimit: workspace.storageLimit ?? null,
  rowLimit: workspace.rowLimit ?? null,
  requireMfa: workspace.requireMfa,
  strictAudiences: workspace.strictAudiences,
})

function planOf(plan: string): string {
  if (PLANS[plan] === undefined) throw badRequest(`plan must be one of ${Object.keys(PLANS).join(', ')}.`)
  return plan
}

function addressOf(text: string): string {
  const address = mailAddress(text.trim())
  if (address === undefined) throw badRequest('email must be one plain address, such as passports@example.com.')
  return address
}

function assertRole(role: string): void {
  if (ROLES[role] === undefined) throw badRequest(`role must be one of ${Object.keys(ROLES).join(', ')}.`)
}
