import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import { sanitiseEnrichment } from '../domain/enrichment.ts'
import { gs1KeysOf } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { assertPermission, type Principal } from '../domain/principal.ts'
import { conflict, type IssueText, Problem } from '../domain/problem.ts'
import { isRecord } from '../domain/record.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { PassportEvent } from '../jobs/outbox.ts'
import { executeWithParameters, pack } from '../storage/database.ts'
import { inOwnTransaction, type WriteScope } from '../storage/idempotency.ts'
import { loadMasterData } from '../storage/passport-master-data.ts'
import type { PassportRow } from '../storage/passport-rows.ts'
import { prefixClaimed } from './company-prefixes.ts'
import { NO_FACILITY, trimmedProductId, withIdentifier } from './passport-rules.ts'
import type { AttestedSeal } from './seals.ts'

const DUPLICATE = 'A passport for this product and operator already exists.'
/** Findings of one row that are told; its caller mends them and sends the row again. */
const MOST_FINDINGS = 5
/** SQLSTATE of a row that refers to nothing, and of one that the workspace may not write (any more). */
const GONE: ReadonlySet<string> = new Set(['23503', '42501'])
/** How often a write begins again because an operator or facility was removed under it. */
const ATTEMPTS = 3

declare module '../cradle.ts' {
  interface Cradle {
    passportIntake: ReturnType<typeof passportIntake>
  }
}

/** How new passports come in, alone or in bulk (specification 4.1). Both end in the same three set-based inserts. */
export default function passportIntake({
  database,
  passportRules,
  quota,
  passportViews,
  renditions,
  outbox,
  translator,
  publicCache,
  passports,
  seals,
}: Cradle) {
  return { create, ingest, upsert }

  /** Creates one passport, or saves a draft of one. Without a scope it works in a transaction of its own. */
  async function create(
    principal: Principal,
    input: Schema<'NewPassport'>,
    lang: string,
    scope?: WriteScope,
  ): Promise<Content<'PassportCreated'>> {
    if (scope === undefined) {
      return inOwnTransaction(database, principal.tenantId, (own) => create(principal, input, lang, own))
    }
    const isDraft = input.draft === true
    const productId = trimmedProductId(input.productId)
    const identifier = isDraft ? undefined : passportRules.identify(productId)
    assertPlainKeys(input.metadata)
    const { metadata, copied } = withIdentifier(input.metadata, identifier)
    const operatorId = input.operatorId ?? null
    const facilityId = input.facilityId ?? null
    const { row, created } = await inAttempts(scope, async (tx) => {
      const masters = await loadMasterData(tx, principal, [operatorId], [facilityId])
      const operator = masters.operatorFor(operatorId)
      const facility = masters.facilityFor(facilityId, operator.id)
      if (!isDraft) {
        passportRules.assertValid(metadata, identifier, lang)
        await quota.room(tx, principal)
      }
      const enrichment = sanitiseEnrichment(input.enrichment)
      const status = isDraft ? 'DRAFT' : 'ACTIVE'
      const row = newRow(principal, { productId, metadata, enrichment, operator, facility, status })
      const { inserted, claimed } = await insert(tx, principal.tenantId, [row])
      if (claimed.size > 0) throw prefixClaimed()
      if (inserted.size === 0) throw conflict(DUPLICATE, 'PASSPORT_DUPLICATE')
      const remarks: (Remark | undefined)[] = [
        operatorId === null
          ? { code: 'OPERATOR_AUTO_ATTRIBUTED', path: 'operatorId', params: { operator: operator.name } }
          : undefined,
        copied === undefined ? undefined : { code: 'GTIN_AUTO_COPIED', path: copied, params: { field: copied } },
      ]
      const notices = remarks.filter((remark) => remark !== undefined)
      // Inside the transaction: what cannot be answered is not stored either.
      const created = {
        message: isDraft ? 'Draft passport saved' : 'Digital Product Passport successfully validated and ingested',
        // Writes answer the public tier, even to the owner (trap 17).
        passport: passportDocument(passportViews.view(row, 'public')),
        warnings: isDraft ? [] : passportRules.warnings(metadata, identifier, lang),
        notices: notices.map((remark) => translator.advisory(remark, lang)),
        vcReady: facility !== null,
        vcReadyReason: facility === null ? NO_FACILITY : null,
      }
      return { row, created }
    })
    scope.afterCommit(() => publicCache.forgetProduct({ ...row.metadata, productId: row.productId }))
    return created
  }

  /**
   * Ingests rows independently of each other, in one transaction (specification 4.1): published at once, without
   * enrichment, and with nothing copied into the metadata. A preview answers the same and writes nothing.
   * @throws Problem 400 with every row's error when no row is good; 402 when the plan has no room at all
   */
  async function ingest(
    principal: Principal,
    rows: readonly unknown[],
    { lang, preview }: { lang: string; preview: boolean },
    scope: WriteScope,
  ): Promise<Content<'BulkResult'>> {
    const judged = rows.map((row, index) => judge(row, index, lang))
    const inputs = judged.filter((row): row is JudgedRow => typeof row !== 'string')
    const { ingested, refusals } = await inAttempts(scope, async (tx) => {
      const refusals = new Map<JudgedRow, string>()
      const candidates = await attribute(tx, principal, inputs, refusals)
      const room = candidates.size === 0 ? 0 : await quota.room(tx, principal)
      for (const input of [...candidates.keys()].slice(Math.min(room, candidates.size))) {
        refusals.set(input, 'The plan has no room for another published passport.')
        candidates.delete(input)
      }
      const { inserted, claimed } = preview
        ? await foresee(tx, [...candidates.values()])
        : await insert(tx, principal.tenantId, [...candidates.values()])
      for (const [input, row] of candidates) {
        if (inserted.has(row.id)) continue
        refusals.set(input, claimed.has(row.id) ? prefixClaimed().message : DUPLICATE)
        candidates.delete(input)
      }
      return { ingested: candidates, refusals }
    })
    const errors = judged
      .map((row) => (typeof row === 'string' ? row : labelled(row.productId, refusals.get(row))))
      .filter((error) => error !== undefined)
    if (ingested.size === 0)
      throw new Problem(400, 'No row was ingested.', { title: 'Bulk Ingestion Failed', rows: errors })
    if (!preview) {
      scope.afterCommit(() => {
        for (const row of ingested.values()) publicCache.forgetProduct({ ...row.metadata, productId: row.productId })
      })
    }
    return {
      message: `${ingested.size} of ${rows.length} passports ${preview ? 'can be ingested.' : 'ingested.'}`,
      insertedCount: preview ? 0 : ingested.size,
      results: inputs
        .map((input) => ingested.get(input))
        .filter((row) => row !== undefined)
        .map((row) => ({ productId: row.productId, digitalLinkUri: passportViews.digitalLink(row.productId) })),
      ...(errors.length === 0 ? {} : { errors }),
    }
  }

  /**
   * Publishes what another system states, or replaces the unsealed passport of this product and operator with it; emits no
   * event either way (specification 4.1 and 6). The metadata must have been judged.
   * @param seal one that covers the metadata, see {@link Seals.attest}; the passport then has the id that it names
   * @returns the passport's id
   * @throws Problem 403 for a sealed passport, 402 where the plan has no room
   */
  async function upsert(
    principal: Principal,
    {
      productId,
      metadata,
      seal,
      changeReason,
    }: { productId: string; metadata: Metadata; seal: AttestedSeal | undefined; changeReason: string },
  ): Promise<string> {
    return inOwnTransaction(database, principal.tenantId, async (scope) => {
      const row = await inAttempts(scope, async (tx) => {
        const about = seal?.subject
        const masters = await loadMasterData(tx, principal, [about?.operator.id ?? null], [null])
        const operator = masters.operatorFor(about?.operator.id ?? null)
        const made: PassportRow = {
          ...newRow(principal, { productId, metadata, enrichment: null, operator, facility: null, status: 'ACTIVE' }),
          // A seal names the passport that it was made for, and no other may have it.
          ...(about === undefined ? {} : { id: about.id }),
        }
        let id = await existing(tx, made)
        if (id === undefined) {
          await quota.room(tx, principal)
          const { inserted, claimed } = await insert(tx, principal.tenantId, [made], { event: undefined }).catch(
            (error) => {
              // The id that the seal names is that of a passport which this workspace may not see.
              throw error.code === UNIQUE_VIOLATION && about !== undefined ? sealOfAnother() : error
            },
          )
          if (claimed.size > 0) throw prefixClaimed()
          // Whoever was faster has inserted it meanwhile, and committed.
          if (inserted.size === 0) id = await existing(tx, made)
        }
        if (id !== undefined) assertPermission(principal, 'passport:update')
        if (id !== undefined) await passports.replace(tx, principal, id, { metadata, changeReason })
        const row = { ...made, id: id ?? made.id }
        if (about !== undefined && (row.id !== about.id || operator.regId !== about.operator.regId)) {
          throw sealOfAnother()
        }
        if (seal !== undefined) await seals.attach(tx, principal, row.id, seal)
        return row
      })
      scope.afterCommit(() => {
        publicCache.forgetProduct({ ...metadata, productId })
        publicCache.forget(row.id)
      })
      return row.id
    })
  }

  /** The id of the passport of a row's product and operator, drafts included. */
  async function existing(tx: EntityManager, { productId, operatorId }: PassportRow): Promise<string | undefined> {
    const [found] = await tx.execute<{ id: string }[]>(
      'select id from passport where product_id = ? and operator_id = ?',
      [productId, operatorId],
    )
    return found?.id
  }

  /** A row as far as it can be judged without the database; a text says what is wrong with it. */
  function judge(row: unknown, index: number, lang: string): JudgedRow | string {
    if (!isRecord(row)) return labelled('?', `Row ${index + 1} must be an object.`)
    const { productId, metadata, operatorId = null, facilityId = null } = row
    if (typeof productId !== 'string') return labelled('?', `Row ${index + 1} needs a productId that is a text.`)
    const label = productId.trim() || '?'
    if (!isRecord(metadata)) return labelled(label, 'metadata is required and must be an object.')
    if (operatorId !== null && typeof operatorId !== 'string') return labelled(label, 'operatorId must be a UUID.')
    if (facilityId !== null && typeof facilityId !== 'string') return labelled(label, 'facilityId must be a UUID.')
    try {
      const trimmed = trimmedProductId(productId)
      const identifier = passportRules.identify(trimmed)
      assertPlainKeys(metadata)
      const findings = passportRules.findings(metadata, identifier, lang)
      if (findings.length > 0) return labelled(label, inOneLine(findings))
      return { productId: trimmed, metadata, operatorId, facilityId }
    } catch (error) {
      if (error instanceof Problem) return labelled(label, error.message)
      throw error
    }
  }

  /** Rows with their operator and facility, one per product and operator; the others get their refusal. */
  async function attribute(
    tx: EntityManager,
    principal: Principal,
    inputs: readonly JudgedRow[],
    refusals: Map<JudgedRow, string>,
  ): Promise<Map<JudgedRow, PassportRow>> {
    const masters = await loadMasterData(
      tx,
      principal,
      inputs.map(({ operatorId }) => operatorId),
      inputs.map(({ facilityId }) => facilityId),
    )
    const rows = new Map<JudgedRow, PassportRow>()
    const pairs = new Set<string>()
    for (const input of inputs) {
      try {
        const operator = masters.operatorFor(input.operatorId)
        const facility = masters.facilityFor(input.facilityId, operator.id)
        const pair = `${operator.id} ${input.productId}`
        if (pairs.has(pair)) throw conflict('This product and operator is in the request more than once.')
        pairs.add(pair)
        const { productId, metadata } = input
        rows.set(
          input,
          newRow(principal, { productId, metadata, enrichment: null, operator, facility, status: 'ACTIVE' }),
        )
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refusals.set(input, error.message)
      }
    }
    return rows
  }

  /** Inserts what is not there yet and under no claim of another, renders it, and enqueues its event, if it has one. */
  async function insert(
    tx: EntityManager,
    tenantId: string,
    rows: readonly PassportRow[],
    { event }: { event: PassportEvent | undefined } = { event: 'passport.ingested' },
  ): Promise<Insertion> {
    if (rows.length === 0) return { inserted: NONE, claimed: NONE }
    // One order for everybody: two requests with the same products wait for each other instead of deadlocking.
    const sorted = rows.toSorted((a, b) => compare(a.productId, b.productId) || compare(a.operatorId, b.operatorId))
    const { bytes, starts, lengths } = pack(sorted.map(({ metadata }) => JSON.stringify(metadata)))
    const inserting = executeWithParameters<{ id: string }>(
      tx,
      `insert into passport (id, tenant_id, operator_id, facility_id, product_id, status, metadata, enrichment, created_at, updated_at)
       select r.id, $1, r.operator_id, r.facility_id, r.product_id, r.status,
         convert_from(substr($2::bytea, r.start, r.length), 'UTF8')::json, r.enrichment, r.created_at, r.created_at
       from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::int[], $9::int[], $10::json[], $11::timestamptz[])
         as r (id, operator_id, facility_id, product_id, status, start, length, enrichment, created_at)
       where r.id <> all ((select company_prefix_refuses($12::text[], $13::uuid[], $14::uuid[]))::uuid[])
       on conflict (product_id, operator_id) do nothing returning id`,
      [
        tenantId,
        bytes,
        sorted.map(({ id }) => id),
        sorted.map(({ operatorId }) => operatorId),
        sorted.map(({ facility }) => facility?.id ?? null),
        sorted.map(({ productId }) => productId),
        sorted.map(({ status }) => status),
        starts,
        lengths,
        sorted.map(({ enrichment }) => (enrichment === null ? null : JSON.stringify(enrichment))),
        sorted.map(({ createdAt }) => createdAt),
        ...keysOf(sorted),
      ],
    )
    // Most of them will be new: they are rendered while the database inserts them.
    const rendering = setImmediate().then(() => renditions.renderNew(sorted.filter(isPublished)))
    const [found, rendered] = await Promise.all([inserting, rendering])
    const inserted = new Set(found.map(({ id }) => id))
    const published = sorted.filter((row) => inserted.has(row.id) && isPublished(row))
    await renditions.storeNew(
      tx,
      rendered.filter(({ row }) => inserted.has(row.id)),
    )
    if (event !== undefined) {
      await outbox.publish(
        tx,
        published.map(({ id, tenantId, version }) => ({ event, tenantId, passportId: id, version })),
      )
    }
    return { inserted, claimed: inserted.size === sorted.length ? NONE : await claimedIds(tx, sorted) }
  }

  /** What inserting `rows` would do. */
  async function foresee(tx: EntityManager, rows: readonly PassportRow[]): Promise<Insertion> {
    const found = await tx.execute<{ id: string }[]>(
      `select r.id from json_to_recordset(?::json) as r (id uuid, operator_id uuid, product_id text)
       where not exists (select 1 from passport p where p.product_id = r.product_id and p.operator_id = r.operator_id)`,
      [JSON.stringify(rows.map((row) => ({ id: row.id, operator_id: row.operatorId, product_id: row.productId })))],
    )
    const claimed = await claimedIds(tx, rows)
    return { inserted: new Set(found.map(({ id }) => id).filter((id) => !claimed.has(id))), claimed }
  }

  /** The ids of `rows` with a GS1 key under a prefix that another workspace has claimed. */
  async function claimedIds(tx: EntityManager, rows: readonly PassportRow[]): Promise<ReadonlySet<string>> {
    const found = await executeWithParameters<{ id: string }>(
      tx,
      'select unnest(company_prefix_refuses($1::text[], $2::uuid[], $3::uuid[])) as id',
      keysOf(rows),
    )
    return new Set(found.map(({ id }) => id))
  }
}

/** Ids of rows that were inserted, and of those that were refused for a claim. The others were there already. */
interface Insertion {
  readonly inserted: ReadonlySet<string>
  readonly claimed: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

/** The GS1 keys at which rows would be found once they are published, with the id and the operator of their row. */
function keysOf(rows: readonly PassportRow[]): [string[], string[], string[]] {
  const found = rows
    .filter(isPublished)
    .flatMap((row) => gs1KeysOf(row.productId, row.metadata).map((key) => ({ key, row })))
  return [found.map(({ key }) => key), found.map(({ row }) => row.id), found.map(({ row }) => row.operatorId)]
}

/** A row of a bulk that is good as far as the row alone can tell. */
interface JudgedRow {
  readonly productId: string
  readonly metadata: Metadata
  readonly operatorId: string | null
  readonly facilityId: string | null
}

type New = Pick<PassportRow, 'productId' | 'metadata' | 'enrichment' | 'operator' | 'facility' | 'status'>

/** The row as it will be read back, so that it need not be. */
function newRow({ tenantId }: Principal, passport: New): PassportRow {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    tenantId,
    operatorId: passport.operator.id,
    ...passport,
    version: 1,
    archivedAt: null,
    retentionUntil: null,
    createdAt: now,
    updatedAt: now,
    seal: null,
  }
}

/** Begins again when an operator or facility was removed after it was read: then it is refused by name. */
async function inAttempts<T>(scope: WriteScope, work: (tx: EntityManager) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scope.transaction(work)
    } catch (error) {
      if (!GONE.has((error as { code?: string }).code ?? '') || attempt === ATTEMPTS) throw error
    }
  }
}

function inOneLine(findings: readonly IssueText[]): string {
  const told = findings
    .slice(0, MOST_FINDINGS)
    .map(({ path, message, friendlyMessage }) => friendlyMessage ?? `${path}: ${message}`)
  return [...told, ...(findings.length > MOST_FINDINGS ? [`(+${findings.length - MOST_FINDINGS})`] : [])].join(' ')
}

function labelled(productId: string, error: string): string
function labelled(productId: string, error: string | undefined): string | undefined
function labelled(productId: string, error: string | undefined): string | undefined {
  return error === undefined ? undefined : `[SKU: ${productId}] ${error}`
}

const sealOfAnother = () =>
  new Problem(400, 'The seal is one of another passport.', { title: 'Signature Verification Failed' })

const UNIQUE_VIOLATION = '23505'

const isPublished = ({ status }: PassportRow) => status !== 'DRAFT'

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
