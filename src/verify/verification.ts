/**
 * What a verifier says in the end; the same three words in the gateway, the command line, the page and Python.
 * `valid`: content, subject and owner are confirmed. `not valid`: something is wrong. `undecided`: what was checked fits,
 * but the owner, or the status, could not be told with what was given.
 */
export type Verdict = 'valid' | 'not valid' | 'undecided'

/** One question that was asked of a document. */
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
  /** null: could not be told with what was given, such as the status without its list. */
  readonly ok: boolean | null
  /** What was found, for people; it names the place. */
  readonly detail: string
  /**
   * For machines, where one answer has several reasons: `unreadable`, `expired`, `notYetValid`, `revoked`, `suspended`,
   * `statusUnknown`.
   */
  readonly code?: string
}

/** What a document is, and whether it holds. */
export interface Verification {
  /** The form that was recognised, such as `sealed passport` or `vc+jwt`. */
  readonly form: string
  readonly verdict: Verdict
  /** Whether the verdict is `valid`, for programs that ask nothing more. */
  readonly valid: boolean
  readonly checks: readonly Check[]
}

/** A finding in a credential: where, and what is wrong. */
export interface Finding {
  readonly path: string
  readonly message: string
}
