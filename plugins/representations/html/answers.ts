import { beginningOf, type Json, type Metadata, type PassportView } from '../../../src/plugin/index.ts'
import type { Authenticity } from './authenticity.ts'
import { recycledChart, shareChart } from './charts.ts'
import { roleOf } from './companies.ts'
import { contactOf } from './contact.ts'
import { hostOf, safeUrl } from './safe-url.ts'
import type { Label, Texts } from './texts.ts'
import { showValue, type Value } from './value.ts'

export interface Answer {
  readonly id: string
  readonly icon: string
  readonly title: string
  readonly lead?: { readonly label?: Label; readonly value: Value }
  readonly lines: readonly Line[]
  readonly more?: string | undefined
}

interface Line {
  readonly label?: Label
  readonly value?: Value
  readonly link?: { readonly href: string; readonly host: string }
  /** Part and share, aligned to both ends of the line. */
  readonly isShare?: boolean
}

const MAX_PARTS = 3
const MAX_CHARACTERS = 160
const MAX_LINES = 2

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

export function answersOf(view: PassportView, authenticity: Authenticity, texts: Texts): Answer[] {
  const answers = [signers(authenticity, texts), content(view, texts), next(view, texts), maker(view, texts)]
  return answers.filter((answer) => answer !== undefined)
}

/** @param instead fallback section */
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

export function signers({ isSealed, title, names, short }: Authenticity, { t }: Texts): Answer {
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

/** Fibres take precedence over materials, which say less about textiles. */
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

function recycledOf(metadata: Metadata, texts: Texts): Line[] {
  const nothing = texts.formats.percent(0)
  const rows = (recycledChart(metadata, texts).chart?.rows ?? []).filter(({ figure }) => figure !== nothing)
  const [only, ...others] = rows.slice(0, MAX_PARTS)
  if (only === undefined) return []
  if (others.length === 0) return [{ label: only.name, value: own(only.figure), isShare: true }]
  const text = [only, ...others].map(({ name, figure }) => `${name.text} ${figure}`).join(', ')
  return [{ label: ours(texts.t('answer.recycled')), value: { kind: 'text', text } }]
}

/** Falls back to the disposal text of the law. */
export function next(view: PassportView, texts: Texts): Answer | undefined {
  const disposalLines = linesOf(DISPOSAL, view, texts)
  const { disposal } = texts.category
  const law = disposalLines.length === 0 && disposal !== undefined ? [{ value: own(disposal) }] : []
  const lines = [...linesOf(REPAIR, view, texts), ...disposalLines, ...law]
  if (lines.length === 0) return undefined
  return { id: 'next', icon: 'next', title: texts.t('answer.next'), lines, more: 'use' }
}

const linesOf = (keys: readonly string[], { metadata, maskedKeys }: PassportView, texts: Texts): Line[] =>
  keys
    .filter((key) => !maskedKeys.includes(key))
    .flatMap((key) => lineOf(metadata[key], key, texts) ?? [])
    .slice(0, MAX_LINES)

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

function phrase(values: readonly Value[]): string | undefined {
  const texts = values.map((value) => (value.kind === 'text' || value.kind === 'own' ? value.text : undefined))
  if (texts.length === 0 || texts.includes(undefined)) return undefined
  const text = texts.join(', ')
  return text.length > MAX_CHARACTERS ? `${beginningOf(text, MAX_CHARACTERS)}…` : text
}
