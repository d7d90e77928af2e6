import { DOCUMENT_KEYS, isRecord, type JsonRecord, type Metadata, Problem } from '../../../src/plugin/index.ts'
import { assertPlainKeys, badRequest, batchNumberOf, momentOf, NO_BATCH_NUMBER } from '../../../src/plugin/module.ts'

/** Validated, except against its product. */
export interface GivenBatch {
  readonly batchNumber: string
  readonly manufacturedAt: string | null
  /** Only differences from the product. */
  readonly metadata: Metadata
}

const MAX_BATCHES = 200
const MAX_METADATA_BYTES = 65_536

/** Keys of the model, invalid in a batch (Regulation (EU) 2026/1778, Article 8(5)). */
const OF_THE_MODEL: ReadonlySet<string> = new Set([
  ...DOCUMENT_KEYS,
  'category',
  'gtin',
  'grai',
  'serialNumber',
  'granularity',
  'batchNumber',
])

/** @throws Problem 400 for 0 or more than 200 */
export function batchesOf(body: JsonRecord): readonly unknown[] {
  const { batches } = body
  if (!Array.isArray(batches)) return [body]
  if (batches.length === 0) throw badRequest('batches must not be empty')
  if (batches.length > MAX_BATCHES) throw badRequest(`batches must have at most ${MAX_BATCHES} items`)
  return batches
}

/** Returns an error text if invalid. */
export function validateBatch(batch: unknown): GivenBatch | string {
  if (!isRecord(batch)) return 'A batch must be an object'
  const batchNumber = batchNumberOf(batch.batchNumber)
  if (batchNumber === undefined) return NO_BATCH_NUMBER
  const manufacturedAt = batch.manufacturedAt ?? null
  const madeAt = manufacturedAt === null ? null : momentOf(manufacturedAt)
  if (madeAt === undefined) return 'manufacturedAt is not a valid date'
  const metadata = batch.metadata ?? {}
  if (!isRecord(metadata)) return 'metadata must be an object'
  const ofModel = Object.keys(metadata).find((key) => OF_THE_MODEL.has(key))
  if (ofModel !== undefined) {
    return `metadata.${ofModel} belongs to the product, which a batch references (Regulation (EU) 2026/1778, Article 8(5)): remove it`
  }
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) {
    return `metadata must have at most ${MAX_METADATA_BYTES} bytes as JSON`
  }
  try {
    assertPlainKeys(metadata)
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  return { batchNumber, manufacturedAt: madeAt, metadata: metadata as Metadata }
}
