import { randomUUID } from 'node:crypto'
import { beginningOf } from '../../../../src/plugin/index.ts'
import type { ModuleCradle, Principal, Transaction } from '../../../../src/plugin/module.ts'
import { RIGHTS } from '../roles.ts'
import { csrfOf, hashOf, isSecret, newSecret } from '../secrets.ts'
import { addSession, findSession, type NewSessionRow, type SessionRow, touchSession } from '../session-rows.ts'
import type { SignedIn } from '../site.ts'

const FRESH_MS = 10 * 60_000
/** A form that was opened in time may be sent a little later. */
const FRESH_FOR_FORM_MS = 30 * 60_000
const MAX_AGENT_CHARACTERS = 200

/** Session of a request, without its language. */
export type FoundSession = Omit<SignedIn, 'lang' | 't'> & { readonly isFreshForForm: boolean }

/** Sessions are rows: one that was ended is rejected by every process at its next request. */
export default function consoleSessions({ database, identity }: ModuleCradle) {
  return { find, open }

  async function find(secret: string | undefined): Promise<FoundSession | undefined> {
    if (secret === undefined || !isSecret(secret)) return undefined
    const row = await findSession(database.batchedLookup, hashOf(secret))
    const principal = row && (await principalOf(row))
    if (row === undefined || principal === undefined) return undefined
    if (row.isStale) await touchSession(database.forTenant(row.tenantId), row.id)
    const { id, personId, name, email, role, method, authenticatedAt } = row
    const ageMs = Date.now() - Date.parse(authenticatedAt)
    const own: readonly string[] = row.permissions === null ? (RIGHTS[role]?.own ?? []) : narrowed(row)
    return {
      sessionId: id,
      person: { id: personId, name, email },
      role: role as SignedIn['role'],
      principal,
      can: (right) => principal.permissions.has(right) || own.includes(right),
      csrf: csrfOf(secret),
      method,
      authenticatedAt: new Date(authenticatedAt),
      isFresh: ageMs < FRESH_MS,
      isFreshForForm: ageMs < FRESH_FOR_FORM_MS,
    }
  }

  async function principalOf(row: SessionRow): Promise<Principal | undefined> {
    const rights = RIGHTS[row.role]
    if (rights === undefined) return undefined
    const { tenantId, personId, permissions, operatorId, mfa } = row
    const whole = await identity.stillOf({ tenantId, actor: `person:${personId}`, role: rights.role })
    if (whole === undefined) return undefined
    const isKept = (permission: string) =>
      !rights.without.includes(permission) && (permissions === null || permissions.includes(permission))
    return {
      ...whole,
      credentialId: row.id,
      permissions: new Set([...whole.permissions].filter(isKept)),
      operatorId,
      mfa,
    }
  }

  /** Adds a session with a new secret, which no earlier response contained. @returns the secret for the cookie */
  function open(tx: Transaction, session: Omit<NewSessionRow, 'id' | 'secretHash'>): string {
    const secret = newSecret()
    const agent = beginningOf(session.agent, MAX_AGENT_CHARACTERS)
    addSession(tx, { ...session, agent, id: randomUUID(), secretHash: hashOf(secret) })
    return secret
  }
}

const narrowed = ({ role, permissions }: SessionRow): readonly string[] =>
  (RIGHTS[role]?.own ?? []).filter((right) => permissions?.includes(right))
