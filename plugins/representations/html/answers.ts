import { beginningOf, type Json, type Metadata, type PassportView } from '../../../src/plugin/index.ts'
import type { Authenticity } from './authenticity.ts'
import { recycledChart, shareChart } from './charts.ts'
import { roleOf } from './companies.ts'
import { contactOf } from './contact.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'
import { showValue, type Value } from './value.ts'

/** What everybody asks first of a product, with as much of the answer as the head of the page holds. */
export interface Answer {
  readonly id: string
  readonly icon: string
  readonly title: string
  /** The answer in a few words, and what they are. */
  readonly lead?: { readonly label?: Label; readonly value: Value }
  readonly lines: readonly Line[]
  /** Where on the page there is more. */
  readonly more?: string | undefined
}

/** A label and its value, or one of them alone. */
interface Line {
  readonly label?: Label
  readonly value?: Value
  /** What the label leads to, elsewhere. */
  readonly link?: { readonly href: string; readonly host: string }
  /** A part and its share, which stand at both ends of the line. */
  readonly isShare?: boolean
}

/** Parts of a product that the head of the page names. */
const MAX_PARTS = 3
/** A sentence of more than this is cut: all of it stands below. */
const MAX_CHARACTERS = 160
/** Lines about repair and disposal, of each. */
const MAX_LINES = 2

/** Keys that say what to do with a product, best first; their labels are those of their category. */
const REPAIR = [
  'careInstructions',
  'repairScore',
  'repairabilityIndex',
  'repairManualUrl',
  'sparePartsAvailable',
  'instructionsForUse',
]
const DISPOSAL = [
  'endOfLifeInstructions',
  'separateCollection',
  'electronicWasteInstructions',
  'collectionInformation',
  'packagingRecyclability',
]

const own = (text: string): Value => ({ kind: 'own', text })
const ours = (text: string): Label => ({ text, foreign: false })

/** The four answers; one to which the passport has nothing is left out. */
export function answersOf(view: PassportView, authenticity: Authenticity, texts: Texts): Answer[] {
  const answers = [vouched(authenticity, texts), content(view, texts), next(view, texts), maker(view, texts)]
  return answers.filter((answer) => answer !== undefined)
}

/**
 * Answers that lead to sections that are there. What no law asks for stands apart, so that a section may be left with nothing.
 * @param instead where to lead else, if that is there
 */
export function leadingTo(
  contents: readonly { readonly id: string }[],
  instead: string,
  answers: readonly Answer[],
): Answer[] {
  const ids = new Set(contents.map(({ id }) => id))
  return answers.map((answer) => ({
    ...answer,
    more: [answer.more, instead].find((id) => id !== undefined && ids.has(id)),
  }))
}

/** Who vouches for the data. */
export function vouched({ isSealed, title, names, short }: Authenticity, { t }: Texts): Answer {
  const [first, ...rest] = names.map(({ label, value, brief = value }) => ({ label, value: brief }))
  const words = short === undefined ? [] : [{ value: own(short) }]
  return {
    id: 'vouched',
    icon: isSealed ? 'seal' : 'open',
    title: t('answer.vouched'),
    ...(first === undefined
      ? { lead: { value: own(title) }, lines: words }
      : { lead: first, lines: [{ value: own(title) }, ...rest, ...words] }),
    more: 'authenticity',
  }
}

/** Who answers for the product, and how to reach them. */
export function maker(view: PassportView, texts: Texts): Answer {
  const { operator, facility } = view
  const role = roleOf(operator.role, texts)
  return {
    id: 'maker',
    icon: 'maker',
    title: texts.t('answer.maker'),
    lead: { label: ours(role ?? texts.t('origin.operator')), value: { kind: 'text', text: operator.name } },
    lines: [
      ...(facility === null
        ? []
        : [{ label: ours(texts.t('origin.facility')), value: { kind: 'text', text: facility.name } as const }]),
      ...contactOf(view, texts).flatMap(({ label, text, href, isAway }): Line[] => {
        if (href === undefined) return []
        return isAway
          ? [{ label: ours(label), link: { href, host: hostOf(href) } }]
          : [{ label: ours(label), value: { kind: 'link', href, text } }]
      }),
    ],
    more: 'origin',
  }
}

function content({ metadata }: PassportView, texts: Texts): Answer | undefined {
  const lines = [...partsOf(metadata, texts), ...recycledOf(metadata, texts)]
  if (lines.length === 0) return undefined
  return { id: 'content', icon: 'parts', title: texts.t('answer.content'), lines, more: 'composition' }
}

/** The largest parts with their shares; fibres ahead of materials, which say less of a textile. */
function partsOf(metadata: Metadata, texts: Texts): Line[] {
  for (const key of ['fiberComposition', 'materialComposition']) {
    const chart = key in metadata ? shareChart(metadata[key] as Json, key, texts) : undefined
    if (chart !== undefined) {
      return chart.rows
        .slice(0, MAX_PARTS)
        .map(({ name, figure }) => ({ label: labelOf(name), value: own(figure), isShare: true }))
    }
  }
  return []
}

const labelOf = (value: Value): Label =>
  value.kind === 'text' ? { text: value.text, foreign: true } : ours('text' in value ? value.text : '')

/** What is recycled of it: one share, or those of several materials. */
function recycledOf(metadata: Metadata, texts: Texts): Line[] {
  const nothing = texts.formats.percent(0)
  const rows = (recycledChart(metadata, texts).chart?.rows ?? []).filter(({ figure }) => figure !== nothing)
  const [only, ...others] = rows.slice(0, MAX_PARTS)
  if (only === undefined) return []
  if (others.length === 0) return [{ label: only.name, value: own(only.figure), isShare: true }]
  const text = [only, ...others].map(({ name, figure }) => `${name.text} ${figure}`).join(', ')
  return [{ label: ours(texts.t('answer.recycled')), value: { kind: 'text', text } }]
}

/** What to do with it: how to care for it and repair it, and where it goes in the end; what the law says where nothing is said. */
export function next(view: PassportView, texts: Texts): Answer | undefined {
  const said = linesOf(DISPOSAL, view, texts)
  const { disposal } = texts.category
  const law = said.length === 0 && disposal !== undefined ? [{ value: own(disposal) }] : []
  const lines = [...linesOf(REPAIR, view, texts), ...said, ...law]
  if (lines.length === 0) return undefined
  return { id: 'next', icon: 'next', title: texts.t('answer.next'), lines, more: 'use' }
}

const linesOf = (keys: readonly string[], { metadata, maskedKeys }: PassportView, texts: Texts): Line[] =>
  keys
    .filter((key) => !maskedKeys.includes(key))
    .flatMap((key) => lineOf(metadata[key], key, texts) ?? [])
    .slice(0, MAX_LINES)

/** What stands under a key in one line; undefined where that is nothing, or takes more. */
function lineOf(json: Json | undefined, key: string, texts: Texts): Line | undefined {
  if (json === undefined || json === null || json === '') return undefined
  const label = texts.label(key)
  const href = safeUrl(json)
  if (href !== undefined) return { label, link: { href, host: hostOf(href) } }
  const value = showValue(json, key, texts)
  if (value.kind === 'own') return { label, value }
  const text = value.kind === 'list' ? phrase(value.items) : phrase([value])
  return text === undefined ? undefined : { value: { ...value, kind: 'text', text } }
}

/** The texts as one, cut where they are long; undefined where one of them is no text. */
function phrase(values: readonly Value[]): string | undefined {
  const texts = values.map((value) => (value.kind === 'text' || value.kind === 'own' ? value.text : undefined))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  const text = texts.join(', ')
  return text.length > MAX_CHARACTERS ? `${beginningOf(text, MAX_CHARACTERS)}…` : text
}
