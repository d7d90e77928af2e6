import { PLATFORM, recordAudit } from '../audit/audit-statements.ts'
import { actorIn } from '../domain/actors.ts'
import { audienceOfGrant, newGrantToken, parseExpiry } from '../domain/grants.ts'
import { assertOperatorScope, assertWholeWorkspace, type Principal } from '../domain/principal.ts'
import { badRequest, notFound } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Database } from '../storage/database.ts'
import type { Transaction } from '../storage/transaction.ts'
import { addGrant, findGrantTarget, type GrantTarget, grantForm } from './grant-statements.ts'

export interface NewAuthority {
  readonly scope: string
  readonly target: string
  readonly expires: string
  readonly name?: string
  readonly actorKind?: string
  readonly identifierScheme?: string
  readonly identifier?: string
}

/** @throws Problem 400, 404 */
export async function issueGrant(
  database: Database,
  principal: Principal,
  input: Schema<'NewGrant'>,
): Promise<Content<'IssuedGrant'>> {
  const expiresAt = parseExpiry(input.expiresAt, new Date())
  const actor = actorIn(input, audienceOfGrant('LEGITIMATE_INTEREST'))
  const { token, tokenHash } = newGrantToken('li')
  const grant = await database.transaction(principal.tenantId, async (tx) => {
    const { passportId, batteryUnitId } = await targetOf(tx, principal, input)
    const { granteeName, granteeEmail, organization, purpose, scopeType } = input
    const grant = addGrant(tx, {
      kind: 'LEGITIMATE_INTEREST',
      ...{ granteeName, granteeEmail, organization, purpose, ...actor },
      ...{ scopeType, passportId, batteryUnitId },
      issuerType: 'TENANT',
      issuerEmail: principal.kind === 'session' ? principal.actor : null,
      ...{ expiresAt, tokenHash },
    })
    recordAudit(tx, principal, 'grant.issued', grant.id, { scopeType })
    return grantForm(grant)
  })
  return { grant, token }
}

/** Mints a token for an authority, which the workspace sees but cannot revoke. @throws Problem 400, 404 */
export async function issueAuthorityGrant(database: Database, input: NewAuthority) {
  const scopeType = SCOPES.find((scope) => scope === input.scope)
  if (scopeType === undefined) throw badRequest('scope must be UNIT, PASSPORT or TENANT.')
  const expiresAt = parseExpiry(input.expires, new Date())
  const actor = actorIn(input, audienceOfGrant('AUTHORITY'))
  const target = await findGrantTarget(database.lookup, scopeType, input.target)
  if (target === undefined) throw notFound(`Published ${NOUNS[scopeType]} ${input.target} not found.`)
  const { token, tokenHash } = newGrantToken('auth')
  const { tenantId, passportId, batteryUnitId } = target
  return database.transaction(tenantId, async (tx) => {
    const { id } = addGrant(tx, {
      kind: 'AUTHORITY',
      granteeName: input.name?.trim() || 'Authority',
      ...actor,
      ...{ scopeType, passportId, batteryUnitId },
      issuerType: 'PLATFORM',
      ...{ expiresAt, tokenHash },
    })
    recordAudit(tx, PLATFORM, 'grant.issued', id, { scopeType, kind: 'AUTHORITY' })
    return { id, token }
  })
}

async function targetOf(
  tx: Transaction,
  principal: Principal,
  { scopeType, passportId, batteryUnitId }: Schema<'NewGrant'>,
): Promise<Pick<GrantTarget, 'passportId' | 'batteryUnitId'>> {
  if (scopeType === 'TENANT') {
    assertWholeWorkspace(principal)
    return { passportId: null, batteryUnitId: null }
  }
  const id = scopeType === 'UNIT' ? batteryUnitId : passportId
  const target = await findGrantTarget(tx, scopeType, id ?? '')
  // Includes targets of operators bound to the workspace.
  if (target?.tenantId !== principal.tenantId) {
    throw notFound(scopeType === 'UNIT' ? 'Battery unit not found' : 'Passport not found')
  }
  assertOperatorScope(principal, target.operatorId)
  return target
}

const NOUNS: Readonly<Record<Schema<'GrantScope'>, string>> = {
  UNIT: 'battery unit',
  PASSPORT: 'passport',
  TENANT: 'workspace',
}
const SCOPES = Object.keys(NOUNS) as Schema<'GrantScope'>[]
