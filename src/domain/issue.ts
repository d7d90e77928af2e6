/**
 * Metadata finding. `path` is like `materialComposition[0].percentage`; `code` selects the locale text `issue.<code>`; `params` fill it.
 */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>>
}
