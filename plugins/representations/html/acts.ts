import { ACTS, type Metadata } from '../../../src/plugin/index.ts'
import type { Label, Texts } from './texts.ts'

export interface Act {
  readonly label: Label
  /** Official text; absent for acts unknown to the gateway. */
  readonly href: string | undefined
}

/** EUR-Lex has no texts in these languages; links lead to the English text. */
const WITHOUT_OFFICIAL_TEXT: ReadonlySet<string> = new Set(['is', 'no', 'tr', 'uk'])

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

/** Splits metadata into keys required by the acts and voluntary ones. Without acts, every key counts as required. */
export function byLaw(metadata: Metadata, acts: readonly string[], { category }: Texts) {
  const isRequired = (key: string) => acts.length === 0 || category.actsAskingFor(key, acts).length > 0
  const [required = [], voluntary = []] = [true, false].map((requirement) =>
    Object.entries(metadata).filter(([key]) => isRequired(key) === requirement),
  )
  return { required: Object.fromEntries(required) as Metadata, voluntary: Object.fromEntries(voluntary) as Metadata }
}

export function withMarks(texts: Texts, acts: readonly string[]): Texts {
  if (acts.length < 2) return texts
  return {
    ...texts,
    label: (key, group) => {
      const requiringActs = group === undefined ? texts.category.actsAskingFor(key, acts) : []
      const mark = requiringActs.map((act) => acts.indexOf(act) + 1).join(', ')
      return mark === '' ? texts.label(key, group) : { ...texts.label(key, group), mark }
    },
  }
}
