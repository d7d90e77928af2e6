import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'
import { isUuid, trimmedProductId } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import type { Principal } from '../domain/principal.ts'
import { conflict, type IssueText, Problem } from '../domain/problem.ts'
import { isRecord } from '../domain/record.ts'
import type { Content } from '../domain/schema.ts'
import { mapYielding } from '../domain/yielding.ts'
import type { AttestedSeal } from '../seals/seals.ts'
import type { Session } from '../storage/statement.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { inAttempts } from '../storage/unit-of-work.ts'
import { prefixClaimed } from '../workspaces/company-prefixes.ts'
import type { RemainingQuota } from '../workspaces/quota.ts'
import { addSealed, assertSealFits, DUPLICATE, newRow, sealOfAnother } from './new-passport.ts'
import { loadMasterData } from './passport-master-data.ts'
import { isTaken, type NewPassport, readObstacles } from './passport-writes.ts'

type Services = Pick<Cradle, 'passportRules' | 'quota' | 'passportViews' | 'passportChange'>

const MAX_FINDINGS = 5

export const INGEST_RACES = ['gone', 'taken', 'claimed'] as const

interface Admitted {
  readonly ingested: ReadonlyMap<ValidatedRow, NewPassport>
  readonly refusals: ReadonlyMap<ValidatedRow, string>
  /** Valid rows to publish, before the quota check. */
  readonly candidates: number
  readonly remaining: RemainingQuota
}

interface RefusedRow {
  readonly productId: string
  readonly refusal: string
  readonly findings?: readonly IssueText[]
}

const refused = (productId: string, refusal: string): RefusedRow => ({ productId, refusal })

export const isGood = (row: ValidatedRow | RefusedRow): row is ValidatedRow => !('refusal' in row)

export interface ValidatedRow {
  readonly id: string
  readonly productId: string
  readonly metadata: Metadata
  readonly metadataText: string
  readonly operatorId: string | null
  readonly facilityId: string | null
  readonly status?: 'DRAFT' | undefined
  readonly seal?: AttestedSeal
}

/**
 * Ingests rows independently, in one transaction (specification 4.1): published immediately, without enrichment or copied identifiers.
 * @throws Problem 400 with every row's error if no row is valid; 402 without capacity
 */
export async function ingestPassports(
  services: Services,
  principal: Principal,
  rows: readonly unknown[],
  { lang, preview }: { lang: string; preview: boolean },
  scope: WriteScope,
): Promise<Content<'BulkResult'>> {
  const validated = await validateAll(services, rows, lang)
  const inputs = validated.filter(isGood)
  // The retry sees concurrent additions, removals and claims.
  const { ingested, refusals } = await inAttempts(INGEST_RACES, () =>
    scope.transaction(async (tx) => {
      const admitted = await admit(services, tx, principal, inputs, { preview })
      if (admitted.candidates > 0) admitted.remaining.assert()
      return admitted
    }),
  )
  const errors = validated
    .map((row, index) => labelled(row.productId, isGood(row) ? inRow(index, refusals.get(row)) : row.refusal))
    .filter((error) => error !== undefined)
  if (ingested.size === 0)
    throw new Problem(400, 'No row was ingested.', { title: 'Bulk Ingestion Failed', rows: errors })
  return {
    message: `${ingested.size} of ${rows.length} passports ${preview ? 'can be ingested.' : 'ingested.'}`,
    insertedCount: preview ? 0 : ingested.size,
    results: inputs
      .map((input) => ingested.get(input))
      .filter((row) => row !== undefined)
      .map((row) => ({ productId: row.productId, digitalLinkUri: services.passportViews.digitalLink(row.productId) })),
    errors: errors.length === 0 ? undefined : errors,
  }
}

export function validateAll(
  services: Services,
  rows: readonly unknown[],
  lang: string,
): Promise<(ValidatedRow | RefusedRow)[]> {
  return mapYielding(rows, (row, index) => validateRow(services, row, index, lang))
}

function validateRow(
  { passportRules }: Services,
  row: unknown,
  index: number,
  lang: string,
): ValidatedRow | RefusedRow {
  if (!isRecord(row)) return refused('?', `Row ${index + 1} must be an object.`)
  const { productId, metadata, operatorId = null, facilityId = null } = row
  if (typeof productId !== 'string') return refused('?', `Row ${index + 1}: productId must be a string.`)
  if (productId.trim() === '') return refused('?', `Row ${index + 1} has an empty productId.`)
  const label = productId.trim()
  if (!isRecord(metadata)) return refused(label, 'metadata is required and must be an object.')
  if (operatorId !== null && typeof operatorId !== 'string') return refused(label, 'operatorId must be a UUID.')
  if (facilityId !== null && typeof facilityId !== 'string') return refused(label, 'facilityId must be a UUID.')
  try {
    const trimmed = trimmedProductId(productId)
    const identifier = passportRules.identify(trimmed)
    assertPlainKeys(metadata)
    const findings = passportRules.findings(metadata, identifier, lang)
    if (findings.length > 0) return { ...refused(label, inOneLine(findings)), findings }
    return {
      id: randomUUID(),
      productId: trimmed,
      metadata,
      metadataText: JSON.stringify(metadata),
      operatorId,
      facilityId,
    }
  } catch (error) {
    if (error instanceof Problem) return refused(label, error.message)
    throw error
  }
}

/**
 * Ingests new validated rows within the quota. May fail with `INGEST_RACES`.
 * @param promised capacity to reserve for further passports
 */
export async function admit(
  services: Services,
  tx: Transaction,
  principal: Principal,
  inputs: readonly ValidatedRow[],
  { preview, promised = 0 }: { readonly preview: boolean; readonly promised?: number },
): Promise<Admitted> {
  const refusals = new Map<ValidatedRow, string>()
  const [ingested, remaining] = await Promise.all([
    attribute(tx, principal, inputs, refusals),
    services.quota.readRemaining(tx, principal),
  ])
  const published = [...ingested.keys()].filter(({ status }) => status !== 'DRAFT')
  for (const input of published.slice(Math.max(0, remaining.left - promised))) {
    refusals.set(input, 'The limit of published passports is reached.')
    ingested.delete(input)
  }
  if (!preview && ingested.size > 0) {
    // Yields one tick; waiting for a turn would prolong the open transaction.
    await setImmediate()
    const plain = [...ingested].flatMap(([{ seal }, row]) => (seal ? [] : [row]))
    const sealed = [...ingested].filter(([{ seal }]) => seal)
    await services.passportChange.addAll(tx, plain, 'passport.ingested')
    await setImmediate()
    for (const [input, row] of sealed) {
      const refusal = await addIndividually(services, tx, row, input.seal)
      if (refusal === undefined) continue
      refusals.set(input, refusal)
      ingested.delete(input)
    }
  }
  return { ingested, refusals, candidates: published.length, remaining }
}

async function attribute(
  session: Session,
  principal: Principal,
  inputs: readonly ValidatedRow[],
  refusals: Map<ValidatedRow, string>,
): Promise<Map<ValidatedRow, NewPassport>> {
  const { operatorId: own } = principal
  const keyed = inputs.map(({ id, productId, metadata, operatorId: named }) => {
    return { id, productId, metadata, operatorId: own ?? (named !== null && isUuid(named) ? named : null) }
  })
  const [masters, obstacles] = await Promise.all([
    loadMasterData(
      session,
      [own, ...inputs.map(({ operatorId }) => operatorId)],
      inputs.map(({ facilityId }) => facilityId),
    ),
    readObstacles(session, keyed),
  ])
  const rows = new Map<ValidatedRow, NewPassport>()
  const pairs = new Set<string>()
  for (const input of inputs) {
    try {
      const { id, productId, metadata, metadataText, status = 'ACTIVE' } = input
      const operator = masters.operatorFor(principal, input.operatorId)
      const facility = masters.facilityFor(principal, input.facilityId)
      const pair = `${operator.id} ${productId}`
      if (pairs.has(pair)) throw conflict('The request contains this product and operator more than once.')
      pairs.add(pair)
      if (obstacles.isClaimed(id)) throw prefixClaimed()
      if (obstacles.isThere({ productId, operatorId: operator.id })) throw conflict(DUPLICATE)
      const passport = { productId, metadata, enrichment: null, operator, facility, status } as const
      const row = { ...newRow(principal, passport, metadataText), id }
      if (input.seal !== undefined) assertSealFits(principal, input.seal, row, operator)
      rows.set(input, row)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refusals.set(input, error.message)
    }
  }
  return rows
}

/** Adds a sealed row in a nested transaction, to isolate failures. @returns the reason for rejection */
async function addIndividually(
  services: Services,
  tx: Transaction,
  row: NewPassport,
  seal: AttestedSeal | undefined,
): Promise<string | undefined> {
  try {
    await tx.transaction((part) => addSealed(services, part, row, seal, 'passport.ingested'))
    return undefined
  } catch (error) {
    if (isTaken(error, 'id')) return sealOfAnother().message
    throw error
  }
}

function inOneLine(findings: readonly IssueText[]): string {
  const texts = findings
    .slice(0, MAX_FINDINGS)
    .map(({ path, message, friendlyMessage }) => `${path}: ${friendlyMessage ?? message}`)
  return [...texts, ...(findings.length > MAX_FINDINGS ? [`(+${findings.length - MAX_FINDINGS})`] : [])].join(' ')
}

const inRow = (index: number, refusal: string | undefined): string | undefined =>
  refusal === undefined ? undefined : `Row ${index + 1}: ${refusal}`

function labelled(productId: string, error: string | undefined): string | undefined {
  return error === undefined ? undefined : `[SKU: ${productId}] ${error}`
}
