import {
  inlineCode,
  isGroup,
  type Json,
  type Metadata,
  type PassportView,
  SECTIONS,
  type Superseded,
  tierOf,
} from '../../../src/plugin/index.ts'
import { type Act, actLinks, byLaw, withMarks } from './acts.ts'
import { type Answer, answersOf, leadingTo } from './answers.ts'
import { type Authenticity, authenticityOf, sealData } from './authenticity.ts'
import { type Chart, recycledChart, shareChart } from './charts.ts'
import { mergedCompanies } from './companies.ts'
import { type DocumentLink, lawLinksOf, takeDocuments } from './documents.ts'
import { excerptOf } from './excerpt.ts'
import { classFigure, type Figure, figureOf, footprintOf } from './footprint.ts'
import { type JourneyPart, journeyOf } from './journey.ts'
import { linksOf } from './links.ts'
import { inReadingOrder } from './order.ts'
import { codeOf, type LanguageLink, languageLinks, queryOf, withLanguage } from './own-links.ts'
import { alternatesOf, brandOf, grantedQuery, type PageHead, previewLocale, previewPicture } from './page-head.ts'
import { type PageTools, pageToolsOf } from './page-tools.ts'
import { type PagePicture, picturesOf, storedDocuments } from './pictures.ts'
import { type Presentation, presentationOf } from './presentation.ts'
import { safeUrl } from './safe-url.ts'
import { type Signs, signsOf, type Warnings, warningsOf, withoutKeys } from './signs/index.ts'
import { type Banner, bannersOf, bannersOfEarlier } from './status.ts'
import { humanise, plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, type Value, wordsOf } from './value.ts'

export interface Masked {
  readonly text: string
  readonly note: string | undefined
  readonly labels: readonly Label[]
  /** Access request page; undefined if no grant can reveal a key. */
  readonly accessUrl: string | undefined
}

interface Section {
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

export interface PassportPage extends PageHead {
  readonly code: string
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly Entry[]
  readonly answers: readonly Answer[]
  readonly warnings: Warnings | undefined
  readonly signs: Signs | undefined
  readonly pageTools: PageTools
  readonly presentation: Presentation
  readonly acts: readonly Act[]
  /** In the category's order; voluntary data last. */
  readonly sections: readonly Section[]
  readonly documents: readonly DocumentLink[]
  readonly journey: JourneyPart | undefined
  readonly pictures: { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] }
  readonly more: string | undefined
  readonly masked: Masked | undefined
  readonly authenticity: Authenticity
  readonly technical: readonly Entry[]
  readonly sealData: readonly { readonly label: Label; readonly text: string }[]
  readonly contents: readonly { readonly id: string; readonly title: string }[]
}

const HEAD_KEYS = [
  'category',
  'productName',
  'brand',
  'originCountry',
  'gtin',
  'grai',
  'modelIdentifier',
  'model',
  'legalBasis',
]

/** Max visible facts; one more would take as much space as the toggle. */
const MAX_FACTS = 8

/**
 * Shows each metadata key in one place.
 * @param superseded set for earlier versions
 * @param grant access token of the page
 */
export function passportPage(
  whole: PassportView,
  texts: Texts,
  mediaTypes: readonly string[],
  superseded: Superseded | null = null,
  grant?: string,
): PassportPage {
  const { t } = texts
  const acts = texts.category.acts(whole.metadata)
  const marked = withMarks(texts, acts)
  const { metadata, left } = excerptOf(whole.metadata, texts.languages)
  const view = { ...whole, metadata }
  const warnings = warningsOf(view, texts)
  const signs = signsOf(view, texts)
  const { required, voluntary } = byLaw(
    withoutKeys(view.metadata, [...(warnings?.used ?? []), ...(signs?.used ?? [])]),
    acts,
    texts,
  )
  const { documents: named, remaining } = takeDocuments(required, view, marked, grant)
  const documents = [...storedDocuments(view, texts, named), ...named, ...lawLinksOf(texts)]
  const presentation = presentationOf(view.enrichment, view.baseUrl, texts)
  const section = (id: string): Section => ({ id, title: t(`section.${id}`) })
  const address = superseded?.url ?? addressOf(view)

  const category = categoryOf(view.metadata, texts)
  const { name, nameLang, brand, byline } = namesOf(view, texts)
  const authenticity = authenticityOf(view, texts, superseded)
  const alternates = alternatesOf(view, texts, mediaTypes)
  const masked = maskedOf(view, texts, superseded)
  const title = plainText(name)
  const pictures = picturesOf(view, title, texts)
  const journey = journeyOf(view, texts)
  const sections = [
    ...sectionsOf(view, remaining, marked, [
      ...(isEmpty(presentation) && pictures.others.length === 0 ? [] : [section('about')]),
      ...(documents.length > 0 ? [section('documents')] : []),
      ...(journey === undefined ? [] : [section('journey')]),
    ]),
    ...voluntarySection(view, voluntary, texts),
    ...moduleSections(view, texts),
  ]
  const contents = [
    ...sections,
    ...(masked === undefined ? [] : [section('masked')]),
    section('authenticity'),
    section('technical'),
  ]

  return {
    lang: texts.lang,
    title: view.status === 'ACTIVE' ? title : `${t(`technical.statuses.${view.status}`)}: ${title}`,
    description: [
      ...[category.text, name, brand].filter((part) => part !== undefined).map(plainText),
      t('page.description'),
    ].join(' · '),
    isIndexable: view.audience === 'public' && view.status !== 'DRAFT' && superseded === null,
    address,
    alternates,
    switcher: switcherOf(view, texts, superseded, grant),
    granted: grantedQuery(grant, superseded),
    brand: brandOf(view),
    preview: { title, locale: previewLocale(texts), picture: previewPicture(view) },
    code: inlineCode(address, 'code'),
    banners: superseded === null ? bannersOf(view, texts) : bannersOfEarlier(view, superseded, texts),
    category,
    name,
    nameLang,
    byline,
    keyFacts: keyFactsOf(view, texts),
    answers: leadingTo(contents, 'voluntary', answersOf(view, authenticity, texts)),
    warnings,
    signs,
    acts: actLinks(acts, texts),
    pageTools: pageToolsOf(
      { audience: view.audience, alternates, accessUrl: masked?.accessUrl, superseded, grant },
      texts,
    ),
    presentation,
    sections,
    documents,
    journey,
    pictures,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    masked,
    authenticity,
    technical: technicalOf(view, remaining, marked),
    sealData: sealData(view, texts),
    contents,
  }
}

const isEmpty = ({ paragraphs, pictures, links }: Presentation): boolean =>
  paragraphs.length + pictures.length + links.length === 0

/** Empty if the token is not in the address, because links and forms cannot resend it. */
const switcherOf = (
  { audience }: PassportView,
  texts: Texts,
  superseded: Superseded | null,
  grant: string | undefined,
): LanguageLink[] =>
  tierOf(audience) === 'restricted' && grant === undefined ? [] : languageLinks(texts, queryOf(superseded))

export function maskedOf(view: PassportView, texts: Texts, superseded: Superseded | null): Masked | undefined {
  if (view.maskedKeys.length === 0) return undefined
  return {
    text: texts.t('masked.text'),
    note: texts.category.maskedNote,
    labels: view.maskedKeys.map((key) => texts.label(key)),
    // Grants open only the current version.
    accessUrl: superseded === null ? accessUrlOf(view, texts) : undefined,
  }
}

export function namesOf({ metadata, productId }: PassportView, texts: Texts) {
  const brand = wordsOf(metadata.brand, texts)?.text
  const model = (wordsOf(metadata.modelIdentifier, texts) ?? wordsOf(metadata.model, texts))?.text
  const { text: name, lang: nameLang } = wordsOf(metadata.productName, texts) ?? { text: model ?? productId }
  const byline = [brand, name === model ? undefined : model].filter((part) => part !== undefined)
  return { name, nameLang, brand, byline }
}

// The Digital Link of a SKU is not a GS1 resolver address; the gateway redirects it.
const addressOf = ({ identifier, digitalLinkUri, baseUrl, id }: PassportView): string =>
  (identifier.scheme === 'sku' ? undefined : safeUrl(digitalLinkUri)) ?? `${baseUrl}/passport/${encodeURIComponent(id)}`

const accessUrlOf = ({ status, grantableKeys, baseUrl, id }: PassportView, texts: Texts): string | undefined =>
  status !== 'DRAFT' && grantableKeys.length > 0
    ? withLanguage(`${baseUrl}/request-access?passport=${encodeURIComponent(id)}`, codeOf(texts))
    : undefined

export function categoryOf({ category }: Metadata, texts: Texts): Label {
  if (typeof category !== 'string' || category === '') return { text: texts.t('head.noCategory'), foreign: false }
  const { name } = texts.category
  return name === undefined ? { text: humanise(category), foreign: true } : { text: name, foreign: false }
}

function keyFactsOf({ metadata, identifier }: PassportView, texts: Texts): Entry[] {
  const { originCountry } = metadata
  const label: Label = { text: texts.t(`head.identifier.${identifier.scheme}`), foreign: false }
  return [
    ...(typeof originCountry === 'string' && originCountry !== ''
      ? [entryOf(originCountry, 'originCountry', texts)]
      : []),
    { label, value: { kind: 'text', text: identifier.value } },
  ]
}

const noContent = (): SectionContent => ({ figures: [], charts: [], facts: [] })

function sectionsOf(view: PassportView, metadata: Metadata, texts: Texts, further: readonly Section[]): Section[] {
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
function voluntarySection(view: PassportView, metadata: Metadata, texts: Texts): Section[] {
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

const moduleSections = ({ sections }: PassportView, texts: Texts): Section[] =>
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
function sectionOf(key: string, texts: Texts): string {
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

function technicalOf(view: PassportView, metadata: Metadata, texts: Texts): Entry[] {
  const { t, formats } = texts
  const own = (key: string, value: Value): Entry => ({ label: { text: t(`technical.${key}`), foreign: false }, value })
  const time = (iso: string): Value => ({ kind: 'own', text: formats.dateTime(iso) ?? iso })
  const link = safeUrl(view.digitalLinkUri)
  return [
    own('status', { kind: 'own', text: t(`technical.statuses.${view.status}`) }),
    own(`identifier.${view.identifier.scheme}`, { kind: 'text', text: view.identifier.value }),
    ...(view.productId === view.identifier.value ? [] : [own('productId', { kind: 'text', text: view.productId })]),
    ...texts.category
      .inOrder(Object.keys(metadata))
      .filter((key) => sectionOf(key, texts) === 'technical')
      .map((key) => entryOf(metadata[key] as Json, key, texts)),
    own(
      'digitalLink',
      link === undefined ? { kind: 'text', text: view.digitalLinkUri } : { kind: 'link', href: link, text: link },
    ),
    own('passportId', { kind: 'text', text: view.id }),
    ...versionsOf(view, texts),
    own('createdAt', time(view.createdAt)),
    own('updatedAt', time(view.updatedAt)),
    ...(view.availableUntil === undefined
      ? []
      : [own('availableUntil', { kind: 'own', text: formats.date(view.availableUntil) ?? view.availableUntil })]),
    ...(view.retentionUntil === null
      ? []
      : [own('retentionUntil', { kind: 'own', text: formats.date(view.retentionUntil) ?? view.retentionUntil })]),
  ]
}

function versionsOf({ versions, baseUrl, id }: PassportView, texts: Texts): Entry[] {
  const { t, formats } = texts
  const { shown = null, earlier = [] } = versions ?? {}
  const entry = (key: string, value: Value): Entry => ({
    label: { text: t(`technical.${key}`), foreign: false },
    value,
  })
  const address = `${baseUrl}/passport/${encodeURIComponent(id)}`
  return [
    ...(shown === null ? [] : [entry('version', { kind: 'own', text: formats.number(shown) })]),
    ...(earlier.length === 0
      ? []
      : [
          entry('earlierVersions', {
            kind: 'list',
            items: earlier.map(({ number, until }) => ({
              kind: 'link',
              href: withLanguage(`${address}?version=${number}`, codeOf(texts)),
              text: `${t('technical.version')} ${formats.number(number)} (${formats.date(until) ?? until})`,
            })),
          }),
        ]),
  ]
}
