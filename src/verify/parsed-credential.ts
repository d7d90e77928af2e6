import type { JsonRecord } from '../domain/record.ts'
import type { Check } from './verification.ts'

/**
 * A credential as far as its form, issuer, key, signature and time tell. To get here, keys are read and nothing else; only
 * for one that is {@link isSecured} anything further is.
 */
export interface ParsedCredential {
  /** The form that was recognised. */
  readonly form: string
  /** What is signed, without what secures it; absent where it cannot be read. */
  readonly credential?: JsonRecord
  readonly checks: readonly Check[]
}

const SECURING: readonly Check['name'][] = ['form', 'issuer', 'key', 'signature']

/** Whether an issuer stands behind it. */
export const isSecured = ({ checks }: Pick<ParsedCredential, 'checks'>): boolean =>
  SECURING.every((name) => checks.some((check) => check.name === name && check.ok === true)) &&
  !checks.some(({ name, ok }) => SECURING.includes(name) && ok !== true)
