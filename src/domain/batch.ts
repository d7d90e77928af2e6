import { momentOf } from './dates.ts'
import { DOCUMENT_KEYS } from './documents.ts'
import type { Metadata } from './metadata.ts'
import { assertPlainKeys } from './metadata-rules.ts'
import { badRequest, Problem } from './problem.ts'
import { isRecord, type JsonRecord } from './record.ts'
import type { PassportView } from './view.ts'

/** A batch as a unit names it. */
export interface BatchReference {
  readonly batchId: string
  readonly batchNumber: string
  readonly digitalLinkUri: string
}

/** One batch of a product as one caller may see it. Timestamps are ISO 8601 in UTC. */
export interface BatchView
  extends Pick<PassportView, 'audience' | 'metadata' | 'maskedKeys' | 'grantableKeys' | 'privilegedKeys' | 'baseUrl'> {
  readonly id: string
  readonly batchNumber: string
  readonly digitalLinkUri: string
  readonly manufacturedAt: string | null
  readonly createdAt: string
  /** The product, as the same caller may see it. */
  readonly ofModel: PassportView
}

/** A batch that may be recorded, as far as it can be told without its product. */
export interface GivenBatch {
  readonly batchNumber: string
  readonly manufacturedAt: string | null
  /** What differs from the product's. */
  readonly metadata: Metadata
}

/** Batches of one request. */
const MAX_BATCHES = 200
/** Bytes that the metadata of one batch may have as JSON. */
const MAX_METADATA_BYTES = 65_536
/** GS1 General Specifications, AI 10: up to 20 characters of the set 82 (figure 7.11-1). */
const BATCH_NUMBER = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/**
 * What says which product, level or item it is, and documents, which the passport has: a batch names its model
 * (Regulation (EU) 2026/1778, Article 8(5)) and is no other product than that.
 */
const OF_THE_MODEL: ReadonlySet<string> = new Set([
  ...DOCUMENT_KEYS,
  'category',
  'gtin',
  'grai',
  'serialNumber',
  'granularity',
  'batchNumber',
])

/** The batch number of whatever has one; undefined where it is none. A link cannot hold `.` and `..` (RFC 3986, 5.2.4). */
export function batchNumberOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return BATCH_NUMBER.test(text) && text !== '.' && text !== '..' ? text : undefined
}

/** What is asked of a batch number. */
export const NO_BATCH_NUMBER = `batchNumber must be 1 to 20 letters from A to Z, digits and ! " % & ' ( ) * + , - . / : ; < = > ? _ (GS1 AI 10)`

/**
 * The batches that a body holds: where `batches` is a list, it alone counts.
 * @throws Problem 400 for none, or more than 200
 */
export function batchesOf(body: JsonRecord): readonly unknown[] {
  const { batches } = body
  if (!Array.isArray(batches)) return [body]
  if (batches.length === 0) throw badRequest('batches must not be empty')
  if (batches.length > MAX_BATCHES) throw badRequest(`batches must have at most ${MAX_BATCHES} items`)
  return batches
}

/** Judges one batch by itself; a text says what is wrong with it. */
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
    return `metadata.${ofModel} is of the product, which a batch names (Regulation (EU) 2026/1778, Article 8(5)): leave it out`
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
