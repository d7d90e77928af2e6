import { ACTS, type Metadata } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'

/** An act as the page names it. */
export interface Act {
  readonly label: Label
  /** Its official text; absent for an act that is known by the words of the passport alone. */
  readonly href: string | undefined
}

/** Languages in which EUR-Lex has no texts; they are led to the English one. */
const WITHOUT_OFFICIAL_TEXT: ReadonlySet<string> = new Set(['is', 'no', 'tr', 'uk'])

/** The acts of a passport as links to their official texts, in the language of the page. */
export const actLinks = (acts: readonly string[], { t, lang }: Texts): Act[] =>
  acts.map((act) => {
    const celex = ACTS[act]
    if (celex === undefined) return { label: { text: act, foreign: true }, href: undefined }
    const language = lang.slice(0, 2)
    const official = WITHOUT_OFFICIAL_TEXT.has(language) ? 'en' : language
    return {
      label: { text: t(`legal.act.${act}`), foreign: false },
      href: `https://eur-lex.europa.eu/legal-content/${official.toUpperCase()}/TXT/?uri=CELEX:${celex}`,
    }
  })

/**
 * The metadata that the acts of the passport ask for, and what the company states of its own accord. Where no act is named
 * nothing can be told apart.
 */
export function byLaw(metadata: Metadata, acts: readonly string[], { category }: Texts) {
  const isAsked = (key: string) => acts.length === 0 || category.actsAskingFor(key, acts).length > 0
  const [asked = [], voluntary = []] = [true, false].map((wanted) =>
    Object.entries(metadata).filter(([key]) => isAsked(key) === wanted),
  )
  return { asked: Object.fromEntries(asked) as Metadata, voluntary: Object.fromEntries(voluntary) as Metadata }
}

/** The same texts, in which the name of a key is marked with the numbers of the acts that ask for it, where there are several. */
export function withMarks(texts: Texts, acts: readonly string[]): Texts {
  if (acts.length < 2) return texts
  return {
    ...texts,
    label: (key, group) => {
      const asking = group === undefined ? texts.category.actsAskingFor(key, acts) : []
      const mark = asking.map((act) => acts.indexOf(act) + 1).join(', ')
      return mark === '' ? texts.label(key, group) : { ...texts.label(key, group), mark }
    },
  }
}
