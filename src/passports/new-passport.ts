import { randomUUID } from 'node:crypto'
import type { Cradle } from '../cradle.ts'
import { assertMayPublish, type Principal } from '../domain/principal.ts'
import { forbidden, Problem } from '../domain/problem.ts'
import type { PassportEvent } from '../domain/webhooks.ts'
import type { AttestedSeal } from '../seals/seals.ts'
import type { Transaction } from '../storage/transaction.ts'
import type { PassportRow } from './passport-columns.ts'
import type { NewPassport } from './passport-writes.ts'

export const DUPLICATE = 'A passport for this product and operator already exists.'

type New = Pick<PassportRow, 'productId' | 'metadata' | 'enrichment' | 'operator' | 'facility' | 'status'>

export function newRow(
  { tenantId, role }: Principal,
  passport: New,
  metadataText = JSON.stringify(passport.metadata),
): NewPassport {
  assertMayPublish({ role }, passport.status)
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    tenantId,
    operatorId: passport.operator.id,
    ...passport,
    metadataText,
    version: 1,
    archivedAt: null,
    retentionUntil: null,
    createdAt: now,
    updatedAt: now,
    seal: null,
    recall: null,
    parts: {},
    journey: null,
  }
}

export async function addSealed(
  { passportChange }: Pick<Cradle, 'passportChange'>,
  tx: Transaction,
  row: NewPassport,
  seal: AttestedSeal | undefined,
  event: PassportEvent | undefined,
): Promise<void> {
  await passportChange.add(tx, [row], event)
  if (seal !== undefined) await passportChange.seal(tx, row, seal, row.updatedAt)
}

/** @throws Problem 400 for another passport's seal, 403 for another workspace's passport */
export function assertSealFits(
  { tenantId }: Principal,
  { subject }: AttestedSeal,
  passport: PassportRow,
  { regId }: PassportRow['operator'],
): void {
  if (passport.id !== subject.id || regId !== subject.operator.regId) throw sealOfAnother()
  if (passport.tenantId === tenantId) return
  throw forbidden('Only the workspace that issued a passport may seal it.', 'PASSPORT_NOT_OWNED')
}

export const sealOfAnother = () =>
  new Problem(400, 'The seal was made for another passport.', { title: 'Signature Verification Failed' })
