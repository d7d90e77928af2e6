/** Verdict; `undecided`: nothing failed, but owner or status are unknown. */
export type Verdict = 'valid' | 'not valid' | 'undecided'

export interface Check {
  readonly name:
    | 'form'
    | 'content'
    | 'subject'
    | 'signature'
    | 'issuer'
    | 'register'
    | 'key'
    | 'certificate'
    | 'revocation'
    | 'timestamp'
    | 'validity'
    | 'status'
    | 'schema'
  /** null: undetermined, for example without the status list. */
  readonly ok: boolean | null
  /** Explanation for people, with the place. */
  readonly detail: string
  /** Reason for machines: `unreadable`, `expired`, `notYetValid`, `revoked`, `suspended`, `statusUnknown`. */
  readonly code?: string
}

export interface Verification {
  /** Detected format, such as `sealed passport` or `vc+jwt`. */
  readonly form: string
  readonly verdict: Verdict
  readonly valid: boolean
  readonly checks: readonly Check[]
}

export interface Finding {
  readonly path: string
  readonly message: string
}
