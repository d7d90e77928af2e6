import { momentOf } from './dates.ts'
import { DOCUMENT_KEYS } from './documents.ts'
import type { Metadata } from './metadata.ts'
import { assertPlainKeys } from './metadata-rules.ts'
import { badRequest, Problem } from './problem.ts'
import { isRecord, type JsonRecord } from './record.ts'
import type { PassportView } from './view.ts'

export interface BatchReference {
  readonly batchId: string
  readonly batchNumber: string
  readonly digitalLinkUri: string
}

/** Timestamps are ISO 8601 in UTC. */
export interface BatchView
  extends Pick<PassportView, 'audience' | 'metadata' | 'maskedKeys' | 'grantableKeys' | 'privilegedKeys' | 'baseUrl'> {
  readonly id: string
  readonly batchNumber: string
  readonly digitalLinkUri: string
  readonly manufacturedAt: string | null
  readonly createdAt: string
  readonly ofModel: PassportView
}

/** Validated, except against its product. */
export interface GivenBatch {
  readonly batchNumber: string
  readonly manufacturedAt: string | null
  /** Only differences from the product. */
  readonly metadata: Metadata
}

const MAX_BATCHES = 200
const MAX_METADATA_BYTES = 65_536
/** GS1 General Specifications, AI 10: character set 82 (figure 7.11-1). */
const BATCH_NUMBER = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

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

/** Returns undefined if invalid. URIs cannot contain the segments `.` and `..` (RFC 3986, 5.2.4). */
export function batchNumberOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return BATCH_NUMBER.test(text) && text !== '.' && text !== '..' ? text : undefined
}

export const NO_BATCH_NUMBER = `batchNumber must be 1 to 20 letters from A to Z, digits and ! " % & ' ( ) * + , - . / : ; < = > ? _ (GS1 AI 10)`

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
