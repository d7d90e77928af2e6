/** A piece of a sentence: a text, a word of the contract, or a way to where it is explained. */
export interface Piece {
  readonly text: string
  readonly isCode?: boolean
  readonly href?: string
}
export type Words = readonly Piece[]

/** What something is called, the facts about it, and what is said of it. */
export interface Entry {
  /** Where links lead to. */
  readonly id?: string
  readonly name: Words
  readonly facts: Words
  readonly blocks: readonly Block[]
}

/** One operation in a list. */
export interface OperationRow {
  readonly id?: string
  readonly method: string
  readonly path: string
  readonly name: string
  readonly href: string
  readonly summary: string
}

/** What a page of the reference is made of. */
export type Block =
  | { readonly kind: 'heading'; readonly id: string; readonly text: string }
  | { readonly kind: 'text'; readonly words: Words }
  | { readonly kind: 'list'; readonly items: readonly Words[] }
  | { readonly kind: 'entries'; readonly entries: readonly Entry[] }
  | { readonly kind: 'code'; readonly label: string; readonly text: string }
  | { readonly kind: 'fold'; readonly summary: string; readonly blocks: readonly Block[] }
  | { readonly kind: 'operations'; readonly operations: readonly OperationRow[] }
  /** A field that narrows the lists behind it; once on a page. */
  | { readonly kind: 'filter'; readonly label: string }

/** A page of the API reference: all that is to be seen, and nothing of how. */
export interface ReferenceView {
  readonly title: string
  /** What the page is about, in one sentence. */
  readonly lead: string
  /** Pages above this one, the first first. */
  readonly trail: readonly { readonly href: string; readonly text: string }[]
  /** Of an operation: how it is called. */
  readonly call?: { readonly method: string; readonly path: string }
  readonly chips: readonly string[]
  readonly blocks: readonly Block[]
  readonly navigation: readonly {
    readonly title: string
    readonly links: readonly { readonly href: string; readonly text: string; readonly isCurrent: boolean }[]
  }[]
}
