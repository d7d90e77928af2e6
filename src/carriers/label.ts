import { beginningOf } from '../domain/text.ts'
import type { CarrierContent } from './content.ts'
import { plain } from './svg.ts'

/** What is printed as one label. */
export interface Label {
  /** The passport or unit. */
  readonly id: string
  readonly content: CarrierContent
  /** Name of the product; null where it has none. */
  readonly name: string | null
  /** Name of the economic operator that answers for it. */
  readonly operator: string
  /** Invites to scan the code; absent where that was not asked for. */
  readonly caption?: string | undefined
  /** What its file is named after: the product id, or the serial number. */
  readonly key: string
}

/** Characters of a file name without its extension. */
const MAX_NAME_CHARACTERS = 80
/** Characters of a line that are looked at before it is fitted into its label. */
const MAX_LINE_CHARACTERS = 200

/** The name of a code's file without extension, of characters that every system takes. */
export const fileNameOf = (key: string): string =>
  `qr-${key.slice(0, MAX_NAME_CHARACTERS).replace(/[^A-Za-z0-9._-]/g, '_')}`

/** A text that somebody has written, as one line of a label. */
export const lineOf = (text: string): string =>
  beginningOf(plain(text.slice(0, 4 * MAX_LINE_CHARACTERS)), MAX_LINE_CHARACTERS)
