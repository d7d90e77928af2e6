import type { LanguageLink } from './own-links.ts'
import { plainText } from './text.ts'

export interface OwnPage {
  readonly lang: string
  readonly title: string
  readonly text: string
  readonly switcher: readonly LanguageLink[]
}

/** Isolates a name in a sentence (First Strong Isolate, UAX #9), so that its direction does not affect the text. */
export const isolated = (name: string): string => `\u2068${plainText(name)}\u2069`
