/** Text run, optionally code or a link. */
export interface Piece {
  readonly text: string
  readonly isCode?: boolean
  readonly href?: string
}
export type Words = readonly Piece[]

export interface Entry {
  readonly id?: string
  readonly name: Words
  readonly facts: Words
  readonly blocks: readonly Block[]
}

export interface OperationRow {
  readonly id?: string
  readonly method: string
  readonly path: string
  readonly name: string
  readonly href: string
  readonly summary: string
}

export type Block =
  | { readonly kind: 'heading'; readonly id: string; readonly text: string }
  | { readonly kind: 'text'; readonly words: Words }
  | { readonly kind: 'list'; readonly items: readonly Words[] }
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'operations'; readonly operations: readonly OperationRow[] }
  /** Input that filters the lists after it; once per page. */
  | { readonly kind: 'filter'; readonly label: string }

/** Page content without layout. */
export interface ReferenceView {
  readonly title: string
  /** Summary in one sentence. */
  readonly lead: string
  /** Ancestor pages, topmost first. */
  readonly trail: readonly { readonly href: string; readonly text: string }[]
  /** Method and path of an operation. */
  readonly call?: { readonly method: string; readonly path: string }
  readonly chips: readonly string[]
  readonly blocks: readonly Block[]
  readonly navigation: readonly {
    readonly title: string
    readonly links: readonly { readonly href: string; readonly text: string; readonly isCurrent: boolean }[]
  }[]
}
