import type { JsonRecord } from '../domain/record.ts'
import type { Check } from './verification.ts'

/** Only keys were fetched so far; other documents require {@link isSecured}. */
export interface ParsedCredential {
  readonly form: string
  /** Without the proof; undefined if unreadable. */
  readonly credential?: JsonRecord
  readonly checks: readonly Check[]
}

const SECURING: readonly Check['name'][] = ['form', 'issuer', 'key', 'signature']

export const isSecured = ({ checks }: Pick<ParsedCredential, 'checks'>): boolean =>
  SECURING.every((name) => checks.some((check) => check.name === name && check.ok === true)) &&
  !checks.some(({ name, ok }) => SECURING.includes(name) && ok !== true)
