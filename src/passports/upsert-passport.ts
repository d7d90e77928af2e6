import type { Cradle } from '../cradle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import type { AttestedSeal } from '../seals/seals.ts'
import type { Transaction } from '../storage/transaction.ts'
import { inAttempts } from '../storage/unit-of-work.ts'
import { asRefusal } from '../workspaces/company-prefixes.ts'
import type { RemainingQuota } from '../workspaces/quota.ts'
import { addSealed, assertSealFits, newRow, sealOfAnother } from './new-passport.ts'
import { findOfProduct } from './passport-catalogue.ts'
import { assertUnsealed } from './passport-change.ts'
import type { PassportRow } from './passport-columns.ts'
import { linkedFacility, loadMasterData } from './passport-master-data.ts'
import { isTaken, type NewPassport } from './passport-writes.ts'

type Services = Pick<Cradle, 'database' | 'passportRules' | 'quota' | 'passportChange' | 'passportLocks'>

interface UpsertContent {
  readonly productId: string
  readonly metadata: Metadata
  readonly seal: AttestedSeal | undefined
  readonly changeReason: string
}

/**
 * Publishes validated metadata, or replaces the unsealed passport, without event (specification 4.1 and 6).
 * @param content its seal covers the metadata, see `seals.attest`, and determines the id
 * @returns the passport's id
 * @throws Problem 400 for missing documents, 403 for a sealed passport, 402 without capacity
 */
export async function upsertPassport(
  services: Services,
  principal: Principal,
  content: UpsertContent,
  lang: string,
): Promise<string> {
  try {
    return await inAttempts(['gone', 'taken'], () =>
      services.database.transaction(principal.tenantId, (tx) => upsertIn(services, tx, principal, content, lang)),
    )
  } catch (error) {
    // The seal's id may be that of a hidden passport.
    throw isTaken(error, 'id') && content.seal !== undefined ? sealOfAnother() : asRefusal(error)
  }
}

async function upsertIn(
  services: Services,
  tx: Transaction,
  principal: Principal,
  content: UpsertContent,
  lang: string,
): Promise<string> {
  const { productId, metadata, seal } = content
  const about = seal?.subject
  const [masters, remaining] = await Promise.all([
    loadMasterData(tx, [principal.operatorId, about?.operator.id ?? null], []),
    services.quota.readRemaining(tx, principal),
  ])
  const operator = masters.operatorFor(principal, about?.operator.id ?? null)
  const made: NewPassport = {
    ...newRow(principal, { productId, metadata, enrichment: null, operator, facility: null, status: 'ACTIVE' }),
    ...(about === undefined ? {} : { id: about.id }),
  }
  const there = await findOfProduct(tx, made)
  if (there !== undefined) return replace(services, tx, principal, there, { ...content, operator, remaining }, lang)
  services.passportRules.assertParts(metadata, {}, lang)
  remaining.assert()
  if (seal !== undefined) assertSealFits(principal, seal, made, operator)
  await addSealed(services, tx, made, seal, undefined)
  return made.id
}

interface Replacement extends UpsertContent {
  readonly operator: PassportRow['operator']
  readonly remaining: RemainingQuota
}

async function replace(
  { passportRules, passportChange, passportLocks }: Services,
  tx: Transaction,
  principal: Principal,
  id: string,
  { metadata, seal, operator, remaining, changeReason }: Replacement,
  lang: string,
): Promise<string> {
  assertPermission(principal, 'passport:update')
  const before = await passportLocks.lock(tx, principal, id, 'bound')
  assertUnsealed(before)
  passportRules.assertParts(metadata, before.parts, lang)
  const wasDraft = before.status === 'DRAFT'
  if (wasDraft) {
    await linkedFacility(tx, principal, before)
    remaining.assert()
  }
  if (seal !== undefined) assertSealFits(principal, seal, before, operator)
  await passportChange.apply(tx, principal, before, {
    to: { metadata, status: wasDraft ? 'ACTIVE' : before.status },
    reason: changeReason,
    seal,
  })
  return id
}
