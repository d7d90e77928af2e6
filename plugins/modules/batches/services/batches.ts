import { randomUUID } from 'node:crypto'
import {
  batchDocument,
  type JsonRecord,
  type Metadata,
  mapYielding,
  notFound,
  Problem,
} from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  conflict,
  inAttempts,
  isUuid,
  type ModuleCradle,
  type PageQuery,
  type Principal,
  pageOf,
  recordAudit,
  recordAudits,
  refuseClaimedPrefix,
  selectPassport,
  statesOtherLevel,
  type Transaction,
  toPassportName,
  validationMessage,
  type WriteScope,
} from '../../../../src/plugin/module.ts'
import {
  type BatchRow,
  deleteBatch,
  holdBatch,
  insertBatches,
  listBatches,
  loadBatch,
  readBatchGround,
} from '../batch-rows.ts'
import { batchesOf, type GivenBatch, validateBatch } from '../batch-rules.ts'
import type { components } from '../generated.ts'
import type { BatchRecords } from './batch-records.ts'

type Schemas = components['schemas']

/** Batches of products (Regulation (EU) 2024/1781, Articles 9(2)(d) and 10(1)(f)): immutable differences from a model. */
export default function batches({
  database,
  passportRows,
  batchRecords,
  categoryValidator,
  publicCache,
  protectedReadAudit,
}: ModuleCradle & { readonly batchRecords: BatchRecords }) {
  const loadPassport = passportRows.loaderOf('product_batch')

  return { record, list, read, remove }

  /**
   * Records batches independently of each other, in one transaction.
   * @throws Problem 400 if every batch is invalid; 403, 404; 409 for a passport of another level, or a claimed prefix
   */
  async function record(
    principal: Principal,
    passport: string,
    body: JsonRecord,
    lang: string,
    scope: WriteScope,
  ): Promise<Omit<Schemas['BatchesRecorded'], 'success'>> {
    const validated = await mapYielding(batchesOf(body), validateBatch)
    // The next attempt reports a number taken or a passport deleted meanwhile.
    const { made, errors, productId } = await inAttempts(['gone', 'taken'], () =>
      scope.transaction((tx) => store(tx, principal, passport, validated, lang)),
    ).catch(refuseClaimedPrefix)
    if (made.length === 0) throw new Problem(400, 'No batch was recorded.', { title: 'Recording Failed', rows: errors })
    return {
      message: `${made.length} of ${validated.length} batches recorded.`,
      count: made.length,
      batches: made.map((batch) => publicForm(batch, productId)),
      errors: errors.length === 0 ? undefined : errors,
    }
  }

  async function store(
    tx: Transaction,
    principal: Principal,
    idOrProduct: string,
    validated: readonly (GivenBatch | string)[],
    lang: string,
  ) {
    const given = validated.filter((batch) => typeof batch !== 'string')
    const { passports, stated, taken } = await readBatchGround(
      tx,
      toPassportName(idOrProduct, principal),
      given.map(({ batchNumber }) => batchNumber),
    )
    const passport = selectPassport(passports, principal)
    const metadata: Metadata = JSON.parse(stated.get(passport.id) ?? '{}')
    if (statesOtherLevel(metadata)) throw notOfModel()
    const numbers = new Set(
      taken.filter(({ passportId }) => passportId === passport.id).map(({ batchNumber }) => batchNumber),
    )
    const refusalOf = refusing(metadata, lang)
    const createdAt = new Date().toISOString()
    const errors: string[] = []
    const made: BatchRow[] = []
    await mapYielding(validated, (batch) => {
      const refusal =
        typeof batch === 'string' ? batch : numbers.has(batch.batchNumber) ? DUPLICATE : refusalOf(batch.metadata)
      if (typeof batch === 'string' || refusal !== undefined) {
        errors.push(refusal as string)
        return
      }
      numbers.add(batch.batchNumber)
      const { tenantId } = principal
      const { id: passportId, operatorId } = passport
      made.push({ id: randomUUID(), tenantId, passportId, operatorId, ...batch, createdAt })
    })
    if (made.length > 0) {
      insertBatches(tx, made)
      recordAudits(
        tx,
        principal,
        'batch.created',
        made.map(({ id, batchNumber }) => ({ id, detail: { batchNumber, passportId: passport.id } })),
      )
      // Affects links with these numbers, and units that specify them.
      publicCache.evictAfter(tx, [passport.id, passport.productId])
    }
    return { made, errors, productId: passport.productId }
  }

  /** Ignores errors that the product already has. */
  function refusing(metadata: Metadata, lang: string): (differing: Metadata) => string | undefined {
    let before: ReadonlySet<string> | undefined
    const inWords = (stated: Metadata) =>
      categoryValidator
        .validate(stated, lang)
        .errors.map((error) => ({ error, text: `${error.path} ${error.message}` }))
    return (differing) => {
      if (Object.keys(differing).length === 0) return undefined
      before ??= new Set(inWords(metadata).map(({ text }) => text))
      const errors = inWords({ ...metadata, ...differing }).filter(({ text }) => before?.has(text) === false)
      return errors.length === 0 ? undefined : validationMessage(errors.map(({ error }) => error))
    }
  }

  async function list(
    principal: Principal,
    passport: string,
    query: PageQuery,
  ): Promise<Omit<Schemas['BatchPage'], 'success'>> {
    const page = pageOf(query, { usual: 100, max: 200 })
    const session = database.forTenant(principal.tenantId)
    const { passports, batches, total } = await listBatches(session, toPassportName(passport, principal), page)
    const { productId } = selectPassport(passports, principal)
    return {
      count: batches.length,
      productId,
      batches: batches.map((batch) => publicForm(batch, productId)),
      ...page,
      total,
      totalPages: Math.ceil(total / page.limit),
    }
  }

  /** Returns the owner's view. @throws Problem 403, 404 */
  async function read(principal: Principal, id: string): Promise<Schemas['BatchDocument']> {
    if (!isUuid(id)) throw noBatch()
    const session = database.forTenant(principal.tenantId)
    const [batch, passport] = await Promise.all([loadBatch(session, id), loadPassport(session, id)])
    if (batch === undefined || passport === undefined) throw noBatch()
    assertOperatorScope(principal, batch.operatorId)
    protectedReadAudit.record({
      tenantId: batch.tenantId,
      actor: principal.actor,
      action: 'passport.read',
      subjectId: passport.id,
      representation: 'jsonld',
      audience: 'owner',
    })
    return batchDocument(batchRecords.view(batch, passport, 'owner'))
  }

  /** @throws Problem 403, 404; 409 if a unit specifies it */
  async function remove(principal: Principal, id: string): Promise<void> {
    if (!isUuid(id)) throw noBatch()
    await database.transaction(principal.tenantId, async (tx) => {
      const batch = await holdBatch(tx, id)
      if (batch === undefined) throw noBatch()
      assertOperatorScope(principal, batch.operatorId)
      if (batch.isNamed) throw isNamed()
      const { batchNumber, passportId, productId } = batch
      recordAudit(tx, principal, 'batch.deleted', batch.id, { batchNumber, passportId })
      deleteBatch(tx, batch.id)
      publicCache.evictAfter(tx, [batch.id, productId])
    })
  }

  function publicForm(batch: BatchRow, productId: string): Schemas['Batch'] {
    const { operatorId: _, ...shown } = batch
    return { ...shown, digitalLinkUri: batchRecords.link(productId, batch) }
  }
}

const DUPLICATE = 'A batch with this number already exists for this passport'

const noBatch = () => notFound('Batch not found in your workspace.')

const isNamed = () =>
  conflict(
    'Units refer to this batch (Regulation (EU) 2026/1778, Article 8(4)). First delete units that were serialised by mistake.',
    'BATCH_IN_USE',
  )

const notOfModel = () =>
  conflict(
    'metadata.granularity of the passport is not model. A batch must refer to a model (Regulation (EU) 2026/1778, Article 8(5)).',
    'LEVEL_FIXED',
  )
