import {
  inlineCode,
  isGroup,
  type Json,
  type Metadata,
  type PassportView,
  SECTIONS,
  type Superseded,
} from '../../../src/plugin/index.ts'
import { type Authenticity, authenticityOf, sealData } from './authenticity.ts'
import { type Chart, recycledChart, shareChart } from './charts.ts'
import { type DocumentLink, takeDocuments } from './documents.ts'
import { excerptOf } from './excerpt.ts'
import { classFigure, type Figure, figureOf, footprintOf } from './footprint.ts'
import { type Presentation, presentationOf } from './presentation.ts'
import { safeUrl } from './safe-url.ts'
import { type Signs, signsOf, untold, type Warnings, warningsOf } from './signs/index.ts'
import { type Banner, bannersOf, bannersOfEarlier } from './status.ts'
import { humanise, plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, showValue, type Value, wordsOf } from './value.ts'

/** What exists and is not shown to this reader. */
export interface Masked {
  readonly text: string
  /** What the law says of masked values. */
  readonly note: string | undefined
  readonly labels: readonly Label[]
  /** Where to ask for what a grant opens; undefined if there is nothing. */
  readonly accessUrl: string | undefined
}

/** A part of the sheet with its own heading. */
export interface Section {
  readonly id: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly charts: readonly Chart[]
  readonly facts: readonly Entry[]
}

/** Everything that `templates/passport.eta` writes, in its order. */
export interface PassportPage {
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly isIndexable: boolean
  /** The address that is meant to be shared; never the one asked for, which may carry an access token. */
  readonly address: string
  /** The same as a code, for whoever reads the page on paper: markup. */
  readonly code: string
  readonly alternates: readonly { readonly mediaType: string; readonly name: string }[]
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  /** Of the name, where it is not the page's. */
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly (Entry & { readonly href?: string; readonly icon?: string })[]
  readonly warnings: Warnings | undefined
  readonly signs: Signs | undefined
  readonly presentation: Presentation
  /** Ahead of the documents, and after them. */
  readonly sections: { readonly before: readonly Section[]; readonly after: readonly Section[] }
  readonly documents: readonly DocumentLink[]
  /** That there are more values than the page shows. */
  readonly more: string | undefined
  readonly masked: Masked | undefined
  readonly authenticity: Authenticity
  readonly technical: readonly Entry[]
  readonly sealData: readonly { readonly label: Label; readonly text: string }[]
  readonly contents: readonly { readonly id: string; readonly title: string }[]
}

/** Keys that stand at the head of the page. */
const HEAD_KEYS = ['category', 'productName', 'brand', 'originCountry', 'gtin', 'grai', 'modelIdentifier', 'model']

/** Sections that come after the documents; a category's own come ahead of them, behind ours. */
const AFTER_DOCUMENTS: ReadonlySet<string> = new Set(['origin', 'further'])

/**
 * The passport as a page: every metadata key in one place, each value in a form for people.
 * @param superseded what has become of it, where it is an earlier version
 */
export function passportPage(
  whole: PassportView,
  texts: Texts,
  mediaTypes: readonly string[],
  superseded: Superseded | null = null,
): PassportPage {
  const { t } = texts
  const { metadata, left } = excerptOf(whole.metadata, texts.languages)
  const view = { ...whole, metadata }
  const warnings = warningsOf(view, texts)
  const signs = signsOf(view, texts)
  const { documents, remaining } = takeDocuments(
    untold(view.metadata, [...(warnings?.used ?? []), ...(signs?.used ?? [])]),
    texts,
  )
  const sections = sectionsOf(view, remaining, texts)
  const presentation = presentationOf(view.enrichment, view.baseUrl, texts)
  const hasAbout =
    presentation.paragraphs.length > 0 || presentation.pictures.length > 0 || presentation.links.length > 0
  const section = (id: string) => ({ id, title: t(`section.${id}`) })
  const address = superseded?.url ?? addressOf(view)

  const category = categoryOf(view.metadata, texts)
  const { name, nameLang, brand, byline } = namesOf(view, texts)

  return {
    lang: texts.lang,
    title: plainText(view.status === 'ACTIVE' ? name : `${t(`technical.statuses.${view.status}`)}: ${name}`),
    description: [
      ...[category.text, name, brand].filter((part) => part !== undefined).map(plainText),
      t('page.description'),
    ].join(' · '),
    isIndexable: view.tier === 'public' && view.status !== 'DRAFT' && superseded === null,
    address,
    code: inlineCode(address),
    alternates: alternatesOf(view, texts, mediaTypes),
    banners: superseded === null ? bannersOf(view, texts) : bannersOfEarlier(view, superseded, texts),
    category,
    name,
    nameLang,
    byline,
    keyFacts: keyFactsOf(view, texts),
    warnings,
    signs,
    presentation,
    sections,
    documents,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    masked:
      view.maskedKeys.length === 0
        ? undefined
        : {
            text: t('masked.text'),
            note: texts.category.maskedNote,
            labels: view.maskedKeys.map((key) => texts.label(key)),
            // A grant opens the passport as it is now.
            accessUrl: superseded === null ? accessUrlOf(view) : undefined,
          },
    authenticity: authenticityOf(view, texts, superseded),
    technical: technicalOf(view, texts, superseded?.number),
    sealData: sealData(view, texts),
    contents: [
      ...(hasAbout ? [section('about')] : []),
      ...sections.before,
      ...(documents.length > 0 ? [section('documents')] : []),
      ...sections.after,
      ...(view.maskedKeys.length > 0 ? [section('masked')] : []),
      section('authenticity'),
      section('technical'),
    ],
  }
}

/** What the product is called, and what stands below its name. */
export function namesOf({ metadata, productId }: PassportView, texts: Texts) {
  const brand = wordsOf(metadata.brand, texts)?.text
  const model = (wordsOf(metadata.modelIdentifier, texts) ?? wordsOf(metadata.model, texts))?.text
  const { text: name, lang: nameLang } = wordsOf(metadata.productName, texts) ?? { text: model ?? productId }
  const byline = [brand, name === model ? undefined : model].filter((part) => part !== undefined)
  return { name, nameLang, brand, byline }
}

// The Digital Link of a SKU is not an address of a GS1 resolver, and the gateway answers it with a redirect.
const addressOf = ({ identifier, digitalLinkUri, baseUrl, id }: PassportView): string =>
  (identifier.scheme === 'sku' ? undefined : safeUrl(digitalLinkUri)) ?? `${baseUrl}/passport/${encodeURIComponent(id)}`

// What is for the owner alone cannot be asked for (specification 2.1).
const accessUrlOf = ({ tier, status, maskedKeys, baseUrl, id }: PassportView): string | undefined =>
  tier === 'public' && status !== 'DRAFT' && maskedKeys.some((key) => key !== 'facilityDetails')
    ? `${baseUrl}/request-access?passport=${encodeURIComponent(id)}`
    : undefined

/** Media types of credentials, which need a facility with a country of production (specification 4.1). */
const CREDENTIALS = /^application\/(vc|dc)\b/

/** The other forms in which this address answers. */
export function alternatesOf(
  { facility }: PassportView,
  { t }: Texts,
  mediaTypes: readonly string[],
): PassportPage['alternates'] {
  return mediaTypes
    .filter((mediaType) => mediaType !== 'text/html' && (facility !== null || !CREDENTIALS.test(mediaType)))
    .map((mediaType) => ({ mediaType, name: t(`machine.${mediaType}`, { defaultValue: mediaType }) }))
}

/** The product's category for people. */
export function categoryOf({ category }: Metadata, texts: Texts): Label {
  if (typeof category !== 'string' || category === '') return { text: texts.t('head.noCategory'), foreign: false }
  const { name } = texts.category
  return name === undefined ? { text: humanise(category), foreign: true } : { text: name, foreign: false }
}

function keyFactsOf(view: PassportView, texts: Texts): PassportPage['keyFacts'] {
  const { t } = texts
  const label = (key: string): Label => ({ text: t(`head.${key}`), foreign: false })
  const { originCountry } = view.metadata
  const sealed = view.seal === null ? undefined : texts.formats.date(view.seal.proof.created)
  const seal =
    sealed === undefined
      ? t(view.seal === null ? 'head.unsealed' : 'head.sealed')
      : t('head.sealedOn', { date: sealed })
  return [
    ...(typeof originCountry === 'string' && originCountry !== ''
      ? [entryOf(originCountry, 'originCountry', texts)]
      : []),
    { label: label('operator'), value: { kind: 'text', text: view.operator.name } },
    { label: label(`identifier.${view.identifier.scheme}`), value: { kind: 'text', text: view.identifier.value } },
    {
      label: label('authenticity'),
      value: { kind: 'own', text: seal },
      href: '#authenticity',
      icon: view.seal === null ? 'open' : 'seal',
    },
  ]
}

interface SectionContent {
  readonly figures: Figure[]
  readonly charts: Chart[]
  readonly facts: Entry[]
}

function sectionsOf(view: PassportView, metadata: Metadata, texts: Texts): PassportPage['sections'] {
  const parts = new Map(
    SECTIONS.map((name): [string, SectionContent] => [name, { figures: [], charts: [], facts: [] }]),
  )
  const part = (name: string): SectionContent => {
    const found = parts.get(name) ?? { figures: [], charts: [], facts: [] }
    parts.set(name, found)
    return found
  }
  const hidden = new Set([...HEAD_KEYS, ...view.maskedKeys])
  const recycled = recycledChart(metadata, texts)
  for (const key of texts.category.inOrder(Object.keys(metadata))) {
    const section = sectionOf(key, texts)
    if (hidden.has(key) || section === 'technical') continue
    // The one chart of recycled content stands where its first key would.
    if (!recycled.used.includes(key)) addTo(part(section), key, metadata, texts)
    else if (recycled.chart !== undefined && key === recycled.used[0]) part(section).charts.push(recycled.chart)
  }
  part('origin').facts.unshift(...companiesOf(view, texts))

  const sections = [...parts].filter(
    ([, { figures, charts, facts }]) => figures.length + charts.length + facts.length > 0,
  )
  const sheet = (isAfter: boolean) =>
    sections
      .filter(([name]) => AFTER_DOCUMENTS.has(name) === isAfter)
      .map(([name, content]) => ({ id: idOf(name), title: texts.category.section(name), ...content }))
  return { before: sheet(false), after: sheet(true) }
}

// Documents are addresses, which are taken out before; whatever else stands under such a key is not a document.
function sectionOf(key: string, texts: Texts): string {
  const section = texts.category.field(key)?.section ?? 'further'
  return section === 'documents' ? 'further' : section
}

/** A category's own section must not take the place that a link within the page leads to. */
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

/** The economic operator, and the facility as far as the tier shows it (specification 2.3, 2.4). */
export function companiesOf({ operator, facility }: PassportView, texts: Texts): Entry[] {
  const entry = (key: string, value: Value): Entry => ({
    label: { text: texts.t(`origin.${key}`), foreign: false },
    value,
  })
  const text = (words: string): Value => ({ kind: 'text', text: words })
  const role = roleOf(operator.role, texts)
  const entries = [
    entry('operator', {
      kind: 'items',
      items: [
        {
          title: text(operator.name),
          entries: [
            entry('role', role === undefined ? text(operator.role) : { kind: 'own', text: role }),
            entry('regId', text(operator.regId)),
          ],
          isBrief: false,
        },
      ],
    }),
  ]
  if (facility === null) return entries
  const { name, activity, country, gln, streetAddress, postalCode, city } = facility
  const lines = [streetAddress, [postalCode, city].filter(Boolean).join(' ')].filter((line) => line)
  const details = [
    ...(activity ? [entry('activity', text(activity))] : []),
    ...(country ? [entry('country', showValue(country, 'country', texts))] : []),
    ...(lines.length > 0 ? [entry('address', text(lines.join('\n')))] : []),
    entry('gln', text(gln)),
  ]
  entries.push(entry('facility', { kind: 'items', items: [{ title: text(name), entries: details, isBrief: false }] }))
  return entries
}

function roleOf(role: string, { t }: Texts): string | undefined {
  const text = /^\w+$/.test(role) ? t(`origin.roles.${role.toLowerCase()}`, { defaultValue: '' }) : ''
  return text === '' ? undefined : text
}

function technicalOf(view: PassportView, texts: Texts, version: number = view.version): Entry[] {
  const { t, formats } = texts
  const own = (key: string, value: Value): Entry => ({ label: { text: t(`technical.${key}`), foreign: false }, value })
  const time = (iso: string): Value => ({ kind: 'own', text: formats.dateTime(iso) ?? iso })
  const link = safeUrl(view.digitalLinkUri)
  return [
    own('status', { kind: 'own', text: t(`technical.statuses.${view.status}`) }),
    own(`identifier.${view.identifier.scheme}`, { kind: 'text', text: view.identifier.value }),
    ...(view.productId === view.identifier.value ? [] : [own('productId', { kind: 'text', text: view.productId })]),
    ...texts.category
      .inOrder(Object.keys(view.metadata))
      .filter((key) => sectionOf(key, texts) === 'technical')
      .map((key) => entryOf(view.metadata[key] as Json, key, texts)),
    own(
      'digitalLink',
      link === undefined ? { kind: 'text', text: view.digitalLinkUri } : { kind: 'link', href: link, text: link },
    ),
    own('passportId', { kind: 'text', text: view.id }),
    own('version', { kind: 'own', text: formats.number(version) }),
    own('createdAt', time(view.createdAt)),
    own('updatedAt', time(view.updatedAt)),
    ...(view.retentionUntil === null
      ? []
      : [own('retentionUntil', { kind: 'own', text: formats.date(view.retentionUntil) ?? view.retentionUntil })]),
  ]
}
