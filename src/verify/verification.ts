/** One question that was asked of a document. */
export interface Check {
  readonly name: 'form' | 'content' | 'signature' | 'issuer' | 'key' | 'certificate' | 'timestamp' | 'status' | 'schema'
  /** null: could not be told with what was given, such as the status without its list. */
  readonly ok: boolean | null
  /** What was found, for people; it names the place. */
  readonly detail: string
}

/** What a document is, and whether it holds. */
export interface Verification {
  /** The form that was recognised, such as `sealed passport` or `vc+jwt`. */
  readonly form: string
  /** True when no check failed and those that the form cannot do without were made. */
  readonly valid: boolean
  readonly checks: readonly Check[]
}
