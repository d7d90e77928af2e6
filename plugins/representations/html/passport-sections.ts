import { isGroup, type Json, type Metadata, type PassportView, SECTIONS } from '../../../src/plugin/index.ts'
import { type Chart, recycledChart, shareChart } from './charts.ts'
import { mergedCompanies } from './companies.ts'
import { classFigure, type Figure, figureOf, footprintOf } from './footprint.ts'
import { linksOf } from './links.ts'
import { inReadingOrder } from './order.ts'
import { HEAD_KEYS } from './passport-names.ts'
import { safeUrl } from './safe-url.ts'
import type { Texts } from './texts.ts'
import { type Entry, entryOf, wordsOf } from './value.ts'

export interface Section {
  readonly id: string
  readonly title: string
  readonly note?: string
  /** Absent for presentation, documents and journey, which have separate parts. */
  readonly content?: SectionContent
  readonly folded?: readonly Entry[]
  readonly privileged?: SectionContent
}

export interface SectionContent {
  readonly figures: Figure[]
  readonly charts: Chart[]
  readonly facts: Entry[]
}

/** Max visible facts; one more would take as much space as the toggle. */
const MAX_FACTS = 8

const noContent = (): SectionContent => ({ figures: [], charts: [], facts: [] })

export function sectionsOf(
  view: PassportView,
  metadata: Metadata,
  texts: Texts,
  further: readonly Section[],
): Section[] {
  const parts = new Map<string, Part>()
  const part = (name: string) => {
    const found = parts.get(name) ?? { open: noContent(), privileged: noContent() }
    parts.set(name, found)
    return found
  }
  const inOrigin = Object.fromEntries(
    Object.entries(metadata).filter(
      ([key]) =>
        sectionOf(key, texts) === 'origin' && !view.maskedKeys.includes(key) && !view.privilegedKeys.includes(key),
    ),
  )
  const companies = mergedCompanies(view, inOrigin, texts)
  part('origin').open.facts.push(...companies.entries, ...linksOf(view, texts))
  const others = Object.fromEntries(Object.entries(metadata).filter(([key]) => !companies.used.has(key)))
  fill(view, others, texts, (key) => {
    const section = sectionOf(key, texts)
    return section === 'technical' ? undefined : part(section)
  })
  const filled = [...parts].filter(([, { open, privileged }]) => isFilled(open) || isFilled(privileged))
  const names = [...filled.map(([name]) => name), ...further.map(({ id }) => id)]
  return inReadingOrder(names, metadata.category).map((name) => {
    const filledPart = parts.get(name)
    const own = further.find(({ id }) => id === name)
    if (own !== undefined || filledPart === undefined) return own as Section
    return { id: idOf(name), title: texts.category.section(name), ...contentOf(filledPart, texts) }
  })
}

interface Part {
  readonly open: SectionContent
  readonly privileged: SectionContent
}

/** Assigns every key to its part; `partOf` returns undefined for keys shown elsewhere. */
function fill(view: PassportView, metadata: Metadata, texts: Texts, partOf: (key: string) => Part | undefined): void {
  const hidden = new Set([...HEAD_KEYS, ...view.maskedKeys])
  const recycled = recycledChart(metadata, texts)
  for (const key of texts.category.inOrder(Object.keys(metadata))) {
    const content = hidden.has(key)
      ? undefined
      : partOf(key)?.[view.privilegedKeys.includes(key) ? 'privileged' : 'open']
    if (content === undefined) continue
    if (!recycled.used.includes(key)) addTo(content, key, metadata, texts)
    else if (recycled.chart !== undefined && key === recycled.used[0]) content.charts.push(recycled.chart)
  }
}

/** Voluntary data, shown separately (Regulation (EU) 2024/1781, Annex III; Regulation (EU) 2025/2509, Article 19(10)). */
export function voluntarySection(view: PassportView, metadata: Metadata, texts: Texts): Section[] {
  const part: Part = { open: noContent(), privileged: noContent() }
  fill(view, metadata, texts, () => part)
  if (!isFilled(part.open) && !isFilled(part.privileged)) return []
  return [
    {
      id: 'voluntary',
      title: texts.t('legal.voluntary.title'),
      note: texts.t('legal.voluntary.text'),
      ...contentOf(part, texts),
    },
  ]
}

export const moduleSections = ({ sections }: PassportView, texts: Texts): Section[] =>
  sections.map(({ title, rows }, place) => {
    const facts = rows.map(({ label, value, href }): Entry => {
      const text = wordsOf(value, texts)?.text ?? ''
      const address = safeUrl(href)
      return {
        label: { text: wordsOf(label, texts)?.text ?? '', foreign: false },
        value: address === undefined ? { kind: 'text', text } : { kind: 'link', href: address, text },
      }
    })
    return {
      id: `module-${place + 1}`,
      title: wordsOf(title, texts)?.text ?? '',
      content: { figures: [], charts: [], facts },
    }
  })

const contentOf = ({ open, privileged }: Part, texts: Texts): Pick<Section, 'content' | 'folded' | 'privileged'> => ({
  ...folded(open, texts),
  ...(isFilled(privileged) ? { privileged } : {}),
})

const isFilled = (content: SectionContent | undefined): content is SectionContent =>
  content !== undefined && content.figures.length + content.charts.length + content.facts.length > 0

const folded = (content: SectionContent, { t }: Texts): Pick<Section, 'content' | 'folded'> => {
  const [denials = [], statements = []] = [true, false].map((isDenied) =>
    content.facts.filter((entry) => isDenial(entry, t) === isDenied),
  )
  const listed = statements.length > 0 && denials.length > 1 ? statements : [...statements, ...denials]
  const shown = listed.length > MAX_FACTS + 1 ? listed.slice(0, MAX_FACTS) : listed
  const hidden = [...statements, ...denials].slice(shown.length)
  return { content: { ...content, facts: shown }, ...(hidden.length === 0 ? {} : { folded: hidden }) }
}

const isDenial = ({ value }: Entry, t: Texts['t']): boolean => value.kind === 'own' && value.text === t('value.no')

// Addresses are extracted before; other values under these keys are not documents.
export function sectionOf(key: string, texts: Texts): string {
  const section = texts.category.field(key)?.section ?? 'further'
  return section === 'documents' ? 'further' : section
}

/** Prefixed, so that a category's section cannot take the anchor of a built-in one. */
const idOf = (section: string): string => (SECTIONS.includes(section) ? section : `own-${section}`)

function addTo({ figures, charts, facts }: SectionContent, key: string, metadata: Metadata, texts: Texts): void {
  const value = metadata[key] as Json
  const { display, unit } = texts.category.field(key) ?? {}
  const shares = shareChart(value, key, texts)
  const footprint = key === 'carbonFootprint' ? footprintOf(metadata, texts) : undefined
  if (shares !== undefined) {
    charts.push(shares)
  } else if (footprint !== undefined) {
    figures.push(...footprint.figures)
    charts.push(...footprint.charts)
    facts.push(...footprint.facts)
  } else if (display === 'figure' && typeof value === 'number') {
    figures.push(figureOf(texts.label(key), value, unit, texts))
  } else if (display === 'figure' && typeof value === 'string' && value.length <= 12) {
    figures.push(classFigure(key, value, texts))
  } else if (display === 'members' && isGroup(value)) {
    for (const [member, inner] of Object.entries(value)) facts.push(entryOf(inner, member, texts, key))
  } else {
    facts.push(entryOf(value, key, texts))
  }
}
