import type { LanguageLink } from './own-links.ts'
import { plainText } from './text.ts'

/** What every one of the gateway's own pages has. */
export interface OwnPage {
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly switcher: readonly LanguageLink[]
}

/** A name within a sentence: in another direction it must not turn the sentence around (First strong isolate, UAX #9). */
export const isolated = (name: string): string => `\u2068${plainText(name)}\u2069`
