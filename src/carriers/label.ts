import { beginningOf } from '../domain/text.ts'
import type { CarrierContent } from './content.ts'
import { plain } from './svg.ts'

export interface Label {
  readonly id: string
  readonly content: CarrierContent
  readonly name: string | null
  readonly operator: string
  readonly caption?: string | undefined
  /** Base of the file name: product ID or serial number. */
  readonly key: string
}

const MAX_NAME_CHARACTERS = 80
const MAX_LINE_CHARACTERS = 200

/** Returns a portable file name without extension. */
export const fileNameOf = (key: string): string =>
  `qr-${key.slice(0, MAX_NAME_CHARACTERS).replace(/[^A-Za-z0-9._-]/g, '_')}`

/** Normalizes text to one line. */
export const lineOf = (text: string): string =>
  beginningOf(plain(text.slice(0, 4 * MAX_LINE_CHARACTERS)), MAX_LINE_CHARACTERS)
