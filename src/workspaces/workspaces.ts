import { randomUUID } from 'node:crypto'
import { PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isCountryCode } from '../domain/countries.ts'
import { isUuid } from '../domain/identifiers.ts'
import { mailAddress } from '../domain/mail.ts'
import { PLANS } from '../domain/plans.ts'
import { assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound } from '../domain/problem.ts'
import { defined } from '../domain/record.ts'
import { beginningOf } from '../domain/text.ts'
import { countPublished } from '../passports/published.ts'
import type { Transaction } from '../storage/transaction.ts'
import { isLost } from '../storage/unit-of-work.ts'
import { bindOperator } from './bind-operator.ts'
import { allWorkspaces, type ListedWorkspace, listApiKeys } from './credential-statements.ts'
import { createKey, createSession, type NewKey, type NewUserSession, revokeKey } from './credentials.ts'
import { Workspace } from './entities.ts'

const MAX_REASON_CHARACTERS = 500
const SUBSCRIPTIONS = ['active', 'grace', 'lapsed']

declare module '../cradle.ts' {
  interface Cradle {
    workspaces: ReturnType<typeof workspaces>
  }
}

export default function workspaces({ database, identity, seals }: Cradle) {
  return {
    ...{ create, show, set, suspend, resume, rotateKeys },
    list: (): Promise<ListedWorkspace[]> => allWorkspaces(database),
    bindOperator: (operatorId: string, workspaceId: string) => bindOperator(database, operatorId, workspaceId),
    createKey: (input: NewKey, by?: Principal) => createKey(database, input, by),
    listKeys: () => listApiKeys(database),
    revokeKey: (id: string, by?: Principal) => revokeKey(database, id, by),
    createSession: (input: NewUserSession) => createSession({ database, identity }, input),
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
      const { subscription } = change
      if (subscription !== undefined && !SUBSCRIPTIONS.includes(subscription)) {
        throw badRequest(`subscription must be one of ${SUBSCRIPTIONS.join(', ')}.`)
      }
      const { passportLimit, storageLimit, rowLimit, requireMfa, strictAudiences } = change
      const others = { subscription, passportLimit, storageLimit, rowLimit, requireMfa, strictAudiences }
      Object.assign(workspace, defined(others))
      const after = settingsOf(workspace)
      const changed = (Object.keys(after) as (keyof typeof after)[]).filter((name) => after[name] !== before[name])
      if (changed.length > 0) {
        const detail = Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]))
        recordAudit(tx, PLATFORM, 'workspace.updated', id, detail)
      }
      return { id, name: workspace.name, ...after }
    })
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

  /**
   * Makes a new signing key. It seals for every operator, so operators' keys may not replace it.
   * @returns the public key as PEM
   * @throws Problem 403 for an operator's key
   */
  async function rotateKeys(principal: Principal): Promise<string> {
    assertWholeWorkspace(principal)
    return seals.rotateKeys(principal.tenantId, principal)
  }
}

async function findById(tx: Transaction, id: string): Promise<Workspace> {
  const workspace = isUuid(id) ? await tx.entities.findOne(Workspace, { id }) : null
  if (workspace === null) throw notFound(`Workspace ${id} not found.`)
  return workspace
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
