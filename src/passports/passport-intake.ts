import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import { credentialBlocker } from '../domain/credential-country.ts'
import { type Identifier, isUuid, trimmedProductId } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { conflict, forbidden, type IssueText, orProblem, Problem } from '../domain/problem.ts'
import { isRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { PassportEvent } from '../domain/webhooks.ts'
import { mapYielding } from '../domain/yielding.ts'
import type { AttestedSeal } from '../seals/seals.ts'
import type { Session } from '../storage/statement.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { inAttempts, ownScope } from '../storage/unit-of-work.ts'
import { asRefusal, prefixClaimed } from '../workspaces/company-prefixes.ts'
import type { RemainingQuota } from '../workspaces/quota.ts'
import { sanitiseEnrichment } from './enrichment.ts'
import { findNamed, findOfProduct } from './passport-catalogue.ts'
import { assertUnsealed } from './passport-change.ts'
import type { PassportRow } from './passport-columns.ts'
import { linkedFacility, loadMasterData } from './passport-master-data.ts'
import { withIdentifier } from './passport-rules.ts'
import { isTaken, type NewPassport, readObstacles } from './passport-writes.ts'

const DUPLICATE = 'A passport for this product and operator already exists.'
const MAX_FINDINGS = 5

declare module '../cradle.ts' {
  interface Cradle {
    passportIntake: ReturnType<typeof passportIntake>
  }
}

/** Specification 4.1. */
export default function passportIntake({
  config,
  database,
  passportRules,
  quota,
  passportViews,
  passportChange,
  sharedAddresses,
  translator,
}: Cradle) {
  return { create, ingest, validateAll, admit, upsert }

  async function create(
    principal: Principal,
    input: Schema<'NewPassport'>,
    lang: string,
    scope: WriteScope = ownScope(database, principal.tenantId),
  ): Promise<Content<'PassportCreated'>> {
    const creation = await withSharedAddress(prepared(principal, input, lang))
    try {
      return await inAttempts(['gone'], () => scope.transaction((tx) => createIn(tx, creation)))
    } catch (error) {
      throw isTaken(error, 'product') ? await duplicate(principal, creation) : asRefusal(error)
    }
  }

  async function duplicate(principal: Principal, { productId, operatorId }: Creation): Promise<Problem> {
    const named = await findNamed(database.forTenant(principal.tenantId), principal, 'product_id', productId, 'bound')
    const [there] = named.filter((one) => operatorId === null || one.operatorId === operatorId.toLowerCase())
    const existing = there && { id: there.id, url: `${config.baseUrl}/passport/${there.id}` }
    return new Problem(409, DUPLICATE, { title: 'Conflict', code: 'PASSPORT_DUPLICATE', extra: { existing } })
  }

  async function withSharedAddress(creation: Creation): Promise<Creation> {
    const { principal, identifier, verdict, lang } = creation
    if (identifier === undefined || verdict instanceof Problem) return creation
    return {
      ...creation,
      verdict: [...verdict, ...(await sharedAddresses.warnings(principal.tenantId, identifier, lang))],
    }
  }

  /** @throws Problem 400 */
  function prepared(principal: Principal, input: Schema<'NewPassport'>, lang: string): Creation {
    const isDraft = input.draft === true
    const productId = trimmedProductId(input.productId)
    const identifier = isDraft ? undefined : passportRules.identify(productId)
    assertPlainKeys(input.metadata)
    const { metadata, copied } = withIdentifier(input.metadata, identifier)
    const verdict = orProblem(() => {
      if (isDraft) return []
      passportRules.assertValid(metadata, identifier, lang, { parts: {} })
      return passportRules.warnings(metadata, identifier, lang)
    })
    return {
      ...{ principal, lang, isDraft, productId, identifier, metadata, copied, verdict },
      metadataText: JSON.stringify(metadata),
      enrichment: input.enrichment,
      operatorId: input.operatorId ?? null,
      facilityId: input.facilityId ?? null,
    }
  }

  /** @throws Problem for a missing operator, facility or capacity, or invalid metadata */
  async function createIn(tx: Transaction, creation: Creation): Promise<Content<'PassportCreated'>> {
    const { principal, isDraft, operatorId, facilityId, verdict, productId, metadata, metadataText } = creation
    const [masters, remaining] = await Promise.all([
      loadMasterData(tx, principal, [operatorId], [facilityId]),
      isDraft ? undefined : quota.readRemaining(tx, principal),
    ])
    const operator = masters.operatorFor(operatorId)
    const facility = masters.facilityFor(facilityId)
    if (verdict instanceof Problem) throw verdict
    remaining?.assert()
    const enrichment = sanitiseEnrichment(creation.enrichment)
    const status = isDraft ? 'DRAFT' : 'ACTIVE'
    const row = newRow(principal, { productId, metadata, enrichment, operator, facility, status }, metadataText)
    return publishCreated(tx, row, creation)
  }

  /** Runs inside the transaction, so that a failing response stores nothing. */
  async function publishCreated(
    tx: Transaction,
    row: NewPassport,
    { lang, isDraft, operatorId, copied, verdict }: Creation,
  ): Promise<Content<'PassportCreated'>> {
    const passport = await passportChange.add(tx, row, 'passport.ingested')
    const remarks: (Remark | undefined)[] = [
      operatorId === null
        ? { code: 'OPERATOR_AUTO_ATTRIBUTED', path: 'operatorId', params: { operator: row.operator.name } }
        : undefined,
      copied === undefined ? undefined : { code: 'GTIN_AUTO_COPIED', path: copied, params: { field: copied } },
    ]
    const notices = remarks.filter((remark) => remark !== undefined)
    const blocker = credentialBlocker(row.facility)
    return {
      message: isDraft ? 'Draft passport saved' : 'Digital Product Passport successfully validated and ingested',
      passport,
      warnings: verdict instanceof Problem ? [] : verdict,
      notices: notices.map((remark) => translator.advisory(remark, lang)),
      vcReady: blocker === undefined,
      vcReadyReason: blocker ?? null,
    }
  }

  /**
   * Ingests rows independently, in one transaction (specification 4.1): published immediately, without enrichment or copied identifiers.
   * @throws Problem 400 with every row's error if no row is valid; 402 without capacity
   */
  async function ingest(
    principal: Principal,
    rows: readonly unknown[],
    { lang, preview }: { lang: string; preview: boolean },
    scope: WriteScope,
  ): Promise<Content<'BulkResult'>> {
    const validated = await validateAll(rows, lang)
    const inputs = validated.filter(isGood)
    // The retry sees concurrent additions, removals and claims.
    const { ingested, refusals } = await inAttempts(INGEST_RACES, () =>
      scope.transaction(async (tx) => {
        const admitted = await admit(tx, principal, inputs, { preview })
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
        .map((row) => ({ productId: row.productId, digitalLinkUri: passportViews.digitalLink(row.productId) })),
      errors: errors.length === 0 ? undefined : errors,
    }
  }

  function validateAll(rows: readonly unknown[], lang: string): Promise<(ValidatedRow | RefusedRow)[]> {
    return mapYielding(rows, (row, index) => validateRow(row, index, lang))
  }

  /**
   * Ingests new validated rows within the quota. May fail with `INGEST_RACES`.
   * @param promised capacity to reserve for further passports
   */
  async function admit(
    tx: Transaction,
    principal: Principal,
    inputs: readonly ValidatedRow[],
    { preview, promised = 0 }: { readonly preview: boolean; readonly promised?: number },
  ): Promise<Admitted> {
    const refusals = new Map<ValidatedRow, string>()
    const [ingested, remaining] = await Promise.all([
      attribute(tx, principal, inputs, refusals),
      quota.readRemaining(tx, principal),
    ])
    const candidates = ingested.size
    for (const input of [...ingested.keys()].slice(Math.max(0, remaining.left - promised))) {
      refusals.set(input, 'The limit of published passports is reached.')
      ingested.delete(input)
    }
    if (!preview && ingested.size > 0) {
      // Yields one tick; waiting for a turn would prolong the open transaction.
      await setImmediate()
      const [plain, sealed] = [[...ingested].filter(([{ seal }]) => !seal), [...ingested].filter(([{ seal }]) => seal)]
      await passportChange.addAll(
        tx,
        plain.map(([, row]) => row),
      )
      await setImmediate()
      for (const [input, row] of sealed) {
        const refusal = await addIndividually(tx, row, input.seal)
        if (refusal === undefined) continue
        refusals.set(input, refusal)
        ingested.delete(input)
      }
    }
    return { ingested, refusals, candidates, remaining }
  }

  /**
   * Publishes validated metadata, or replaces the unsealed passport, without event (specification 4.1 and 6).
   * @param seal covers the metadata, see `seals.attest`, and determines the id
   * @returns the passport's id
   * @throws Problem 400 for missing documents, 403 for a sealed passport, 402 without capacity
   */
  async function upsert(
    principal: Principal,
    {
      productId,
      metadata,
      seal,
      changeReason,
    }: { productId: string; metadata: Metadata; seal: AttestedSeal | undefined; changeReason: string },
    lang: string,
  ): Promise<string> {
    const about = seal?.subject
    const work = async (tx: Transaction) => {
      const [masters, remaining] = await Promise.all([
        loadMasterData(tx, principal, [about?.operator.id ?? null], [null]),
        quota.readRemaining(tx, principal),
      ])
      const operator = masters.operatorFor(about?.operator.id ?? null)
      const made: NewPassport = {
        ...newRow(principal, { productId, metadata, enrichment: null, operator, facility: null, status: 'ACTIVE' }),
        ...(about === undefined ? {} : { id: about.id }),
      }
      const there = await findOfProduct(tx, made)
      if (there !== undefined)
        return replace(tx, principal, there, { metadata, seal, operator, remaining, changeReason }, lang)
      passportRules.assertParts(metadata, {}, lang)
      remaining.assert()
      if (seal !== undefined) assertSealFits(principal, seal, made, operator)
      await addSealed(tx, made, seal, undefined)
      return made.id
    }
    try {
      return await inAttempts(['gone', 'taken'], () => database.transaction(principal.tenantId, work))
    } catch (error) {
      // The seal's id may be that of a hidden passport.
      throw isTaken(error, 'id') && seal !== undefined ? sealOfAnother() : asRefusal(error)
    }
  }

  /** Adds a sealed row in a nested transaction, to isolate failures. @returns the reason for rejection */
  async function addIndividually(
    tx: Transaction,
    row: NewPassport,
    seal: AttestedSeal | undefined,
  ): Promise<string | undefined> {
    try {
      await tx.transaction((part) => addSealed(part, row, seal, 'passport.ingested'))
      return undefined
    } catch (error) {
      if (isTaken(error, 'id')) return sealOfAnother().message
      throw error
    }
  }

  async function addSealed(
    tx: Transaction,
    row: NewPassport,
    seal: AttestedSeal | undefined,
    event: PassportEvent | undefined,
  ): Promise<void> {
    await passportChange.add(tx, row, event)
    if (seal !== undefined) await passportChange.seal(tx, row, seal, { at: row.updatedAt })
  }

  async function replace(
    tx: Transaction,
    principal: Principal,
    id: string,
    {
      metadata,
      seal,
      operator,
      remaining,
      changeReason,
    }: {
      metadata: Metadata
      seal: AttestedSeal | undefined
      operator: PassportRow['operator']
      remaining: RemainingQuota
      changeReason: string
    },
    lang: string,
  ): Promise<string> {
    assertPermission(principal, 'passport:update')
    const before = await passportChange.lock(tx, principal, id, 'bound')
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

  function validateRow(row: unknown, index: number, lang: string): ValidatedRow | RefusedRow {
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
        principal,
        inputs.map(({ operatorId }) => operatorId),
        inputs.map(({ facilityId }) => facilityId),
      ),
      readObstacles(session, keyed),
    ])
    const rows = new Map<ValidatedRow, NewPassport>()
    const pairs = new Set<string>()
    for (const input of inputs) {
      try {
        const { id, productId, metadata, metadataText } = input
        const operator = masters.operatorFor(input.operatorId)
        const facility = masters.facilityFor(input.facilityId)
        const pair = `${operator.id} ${productId}`
        if (pairs.has(pair)) throw conflict('The request contains this product and operator more than once.')
        pairs.add(pair)
        if (obstacles.isClaimed(id)) throw prefixClaimed()
        if (obstacles.isThere({ productId, operatorId: operator.id })) throw conflict(DUPLICATE)
        const passport = { productId, metadata, enrichment: null, operator, facility, status: 'ACTIVE' } as const
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
}

interface Creation {
  readonly principal: Principal
  readonly lang: string
  readonly isDraft: boolean
  readonly productId: string
  readonly identifier: Identifier | undefined
  readonly metadata: Metadata
  readonly metadataText: string
  readonly enrichment: Schema<'NewPassport'>['enrichment']
  readonly operatorId: string | null
  readonly facilityId: string | null
  readonly copied: string | undefined
  /** Warnings, or the rejection, reported after the operator check. */
  readonly verdict: ReturnType<Cradle['passportRules']['warnings']> | Problem
}

export const INGEST_RACES = ['gone', 'taken', 'claimed'] as const

interface Admitted {
  readonly ingested: ReadonlyMap<ValidatedRow, NewPassport>
  readonly refusals: ReadonlyMap<ValidatedRow, string>
  /** Valid rows before the quota check. */
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
  readonly seal?: AttestedSeal
}

type New = Pick<PassportRow, 'productId' | 'metadata' | 'enrichment' | 'operator' | 'facility' | 'status'>

function newRow({ tenantId }: Principal, passport: New, metadataText = JSON.stringify(passport.metadata)): NewPassport {
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

/** @throws Problem 400 for another passport's seal, 403 for another workspace's passport */
function assertSealFits(
  { tenantId }: Principal,
  { subject }: AttestedSeal,
  passport: PassportRow,
  { regId }: PassportRow['operator'],
): void {
  if (passport.id !== subject.id || regId !== subject.operator.regId) throw sealOfAnother()
  if (passport.tenantId === tenantId) return
  throw forbidden('Only the workspace that issued a passport may seal it.', 'PASSPORT_NOT_OWNED')
}

const sealOfAnother = () =>
  new Problem(400, 'The seal was made for another passport.', { title: 'Signature Verification Failed' })
