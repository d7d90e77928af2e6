/** The hex Merkle root that a reader rebuilds from a passport document, redacted or not. */
export function rebuildRoot(document: {
  readonly metadata: object
  readonly proof: { readonly salts: object; readonly redactedLeaves?: object; readonly subject?: object }
}): string

/** Judges the text (or the bytes) of a passport document by the seal rule; `exit` is what a command ends with. */
export function verifySeal(
  input: string | Uint8Array,
  options?: { readonly sealCa?: string; readonly lists?: readonly Uint8Array[]; readonly now?: Date },
): { readonly verdict: 'valid' | 'not valid' | 'undecided'; readonly reason: string; readonly exit: number }
