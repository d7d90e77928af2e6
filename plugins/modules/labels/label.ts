import { beginningOf } from '../../../src/plugin/index.ts'
import { type CarrierContent, plain } from '../../../src/plugin/module.ts'

export interface Label {
  readonly id: string
  readonly content: CarrierContent
  readonly name: string | null
  readonly operator: string
  readonly caption?: string | undefined
  /** Base of the file name: product ID or serial number. */
  readonly key: string
}

const MAX_LINE_CHARACTERS = 200

export const lineOf = (text: string): string =>
  beginningOf(plain(text.slice(0, 4 * MAX_LINE_CHARACTERS)), MAX_LINE_CHARACTERS)
