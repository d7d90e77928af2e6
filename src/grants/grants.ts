import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { parseExpiry } from '../domain/grants.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import type { Principal } from '../domain/principal.ts'
import { conflict } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { grantReaders } from './grant-readers.ts'
import { countGrants, findGrant, grantForm, listGrants, lockOwnGrant } from './grant-statements.ts'
import { issueAuthorityGrant, issueGrant, type NewAuthority } from './issue-grant.ts'
import { type GrantsOf, revokeAllGrants, revokeGrant } from './revoke-grants.ts'

declare module '../cradle.ts' {
  interface Cradle {
    grants: ReturnType<typeof grants>
  }
}

/** Specification 4.5. */
export default function grants({ database, log }: Cradle) {
  return {
    ...{ list, get, renew },
    issue: (principal: Principal, input: Schema<'NewGrant'>) => issueGrant(database, principal, input),
    issueAuthority: (input: NewAuthority) => issueAuthorityGrant(database, input),
    revoke: (principal: Principal, id: string) => revokeGrant(database, principal, id),
    revokeAll: (of: GrantsOf) => revokeAllGrants(database, of),
    ...grantReaders({ database, log }),
  }

  /** Operator-scoped keys see grants of their passports. */
  async function list(principal: Principal, query: PageQuery): Promise<Content<'GrantPage'>> {
    const { page, limit } = pageOf(query, { usual: 100, max: 200 })
    const session = database.forTenant(principal.tenantId)
    const [grants, total] = await Promise.all([
      listGrants(session, principal.operatorId, { page, limit }),
      countGrants(session, principal.operatorId),
    ])
    return { count: grants.length, page, limit, total, totalPages: Math.ceil(total / limit), grants }
  }

  async function get(principal: Principal, id: string): Promise<Schema<'Grant'>> {
    return grantForm(await findGrant(database.entities(database.forTenant(principal.tenantId)), principal, id))
  }

  /**
   * Changes the expiry, but not the token; reactivates an expired grant.
   * @throws Problem 400, 404; 403 for a grant of an authority; 409 if revoked, denied or pending
   */
  async function renew(principal: Principal, id: string, input: Schema<'GrantRenewal'>): Promise<Schema<'Grant'>> {
    const expiresAt = parseExpiry(input.expiresAt, new Date())
    return database.transaction(principal.tenantId, async (tx) => {
      const grant = await lockOwnGrant(tx, principal, id, 'renewed')
      if (grant.status !== 'ACTIVE') {
        throw conflict(`Only an active grant can be renewed; this one is ${grant.status}.`)
      }
      recordAudit(tx, principal, 'grant.renewed', grant.id, { from: grant.expiresAt, to: expiresAt })
      grant.expiresAt = expiresAt
      return grantForm(grant)
    })
  }
}
