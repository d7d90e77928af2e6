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

/** GS1 General Specifications, AI 10: character set 82 (figure 7.11-1). */
const BATCH_NUMBER = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]{1,20}$/

/** Returns undefined if invalid. URIs cannot contain the segments `.` and `..` (RFC 3986, 5.2.4). */
export function batchNumberOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return BATCH_NUMBER.test(text) && text !== '.' && text !== '..' ? text : undefined
}

export const NO_BATCH_NUMBER = `batchNumber must be 1 to 20 letters from A to Z, digits and ! " % & ' ( ) * + , - . / : ; < = > ? _ (GS1 AI 10)`
