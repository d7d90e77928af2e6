/** The hex Merkle root that a reader rebuilds from a passport document, redacted or not. */
export function rebuildRoot(document: {
  readonly metadata: object
  readonly proof: { readonly salts: object; readonly redactedLeaves?: object; readonly subject?: object }
}): string
