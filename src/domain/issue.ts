/**
 * A finding about metadata. `path` is the metadata key path (`materialComposition[0].percentage`); `code` names the
 * text `issue.<code>` in the locale files of the category's plugin, or in the gateway's own; `params` fill the text.
 */
export interface Issue {
  readonly path: string
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>>
}
