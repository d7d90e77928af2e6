import type { Json, Metadata, PassportView } from '../../../src/plugin/index.ts'
import { type Authenticity, authenticityOf, sealData } from './authenticity.ts'
import { type Chart, recycledChart, shareChart } from './charts.ts'
import { type DocumentLink, takeDocuments } from './documents.ts'
import { excerptOf } from './excerpt.ts'
import { FIELDS, inPageOrder, type SectionName } from './fields.ts'
import { type Figure, figureOf, footprintOf } from './footprint.ts'
import { type Presentation, presentationOf } from './presentation.ts'
import { safeUrl } from './safe-url.ts'
import { type Banner, bannersOf } from './status.ts'
import { humanise, plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, isObject, showValue, type Value, wordsOf } from './value.ts'

/** A part of the sheet with its own heading. */
interface Section {
  readonly name: string
  readonly title: string
  readonly figures: readonly Figure[]
  readonly charts: readonly Chart[]
  readonly facts: readonly Entry[]
}

/** Everything that `templates/passport.eta` writes, in its order. */
interface PassportPage {
  readonly lang: string
  readonly title: string
  readonly description: string
  readonly isIndexable: boolean
  /** The address that is meant to be shared; never the one asked for, which may carry an access token. */
  readonly address: string
  readonly alternates: readonly { readonly mediaType: string; readonly name: string }[]
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly byline: readonly string[]
  readonly keyFacts: readonly (Entry & { readonly href?: string; readonly icon?: string })[]
  readonly presentation: Presentation
  readonly sections: readonly Section[]
  readonly documents: readonly DocumentLink[]
  /** That there are more values than the page shows. */
  readonly more: string | undefined
  readonly masked: readonly Label[]
  /** Where to ask for the masked values that a grant opens; undefined where there are none. */
  readonly accessUrl: string | undefined
  readonly isBattery: boolean
  readonly authenticity: Authenticity
  readonly technical: readonly Entry[]
  readonly sealData: readonly { readonly label: Label; readonly text: string }[]
  readonly contents: readonly { readonly id: string; readonly title: string }[]
}

/** Keys that stand at the head of the page. */
const HEAD_KEYS = ['category', 'productName', 'brand', 'originCountry', 'gtin', 'grai', 'modelIdentifier', 'model']

/** Keys that identify the product and interest hardly anybody. */
const TECHNICAL_KEYS = [
  'commodityCode',
  'batteryPassportIdentifier',
  'serialNumber',
  'batchNumber',
  'heatNumber',
  'castNumber',
  'cpnpReference',
  'ufi',
  'casNumber',
  'ecNumber',
  'cbamReportId',
]

const BEFORE_DOCUMENTS: readonly SectionName[] = ['composition', 'footprint', 'performance', 'use', 'safety']
const AFTER_DOCUMENTS: readonly SectionName[] = ['origin', 'further']

/** The passport as a page: every metadata key in one place, each value in a form for people. */
export function passportPage(whole: PassportView, texts: Texts, mediaTypes: readonly string[]): PassportPage {
  const { t } = texts
  const { metadata, left } = excerptOf(whole.metadata)
  const view = { ...whole, metadata }
  const { documents, remaining } = takeDocuments(view.metadata, texts)
  const sections = sectionsOf(view, remaining, texts)
  const masked = view.maskedKeys.map((key) => texts.label(key))
  const presentation = presentationOf(view.enrichment, view.baseUrl, texts)
  const hasAbout =
    presentation.paragraphs.length > 0 || presentation.pictures.length > 0 || presentation.links.length > 0
  const section = (name: string) => ({ id: name, title: t(`section.${name}`) })
  const inSheet = (names: readonly string[]) =>
    sections.filter(({ name }) => names.includes(name)).map(({ name }) => section(name))

  const category = categoryOf(view.metadata, texts)
  const brand = wordsOf(view.metadata.brand, texts.lang)
  const model = wordsOf(view.metadata.modelIdentifier, texts.lang) ?? wordsOf(view.metadata.model, texts.lang)
  const productName = wordsOf(view.metadata.productName, texts.lang)
  const name = productName ?? model ?? view.productId
  const byline = [brand, name === model ? undefined : model].filter((part) => part !== undefined)

  return {
    lang: texts.lang,
    title: plainText(view.status === 'ACTIVE' ? name : `${t(`technical.statuses.${view.status}`)}: ${name}`),
    description: [
      ...[category.text, name, brand].filter((part) => part !== undefined).map(plainText),
      t('page.description'),
    ].join(' · '),
    isIndexable: view.tier === 'public' && view.status !== 'DRAFT',
    address: addressOf(view),
    alternates: alternatesOf(view, texts, mediaTypes),
    banners: bannersOf(view, texts),
    category,
    name,
    byline,
    keyFacts: keyFactsOf(view, texts),
    presentation,
    sections,
    documents,
    more: left === 0 ? undefined : t('value.more', { count: left }),
    masked,
    accessUrl: accessUrlOf(view),
    isBattery: view.metadata.category === 'batteries',
    authenticity: authenticityOf(view, texts),
    technical: technicalOf(view, texts),
    sealData: sealData(view, texts),
    contents: [
      ...(hasAbout ? [section('about')] : []),
      ...inSheet(BEFORE_DOCUMENTS),
      ...(documents.length > 0 ? [section('documents')] : []),
      ...inSheet(AFTER_DOCUMENTS),
      ...(masked.length > 0 ? [section('masked')] : []),
      section('authenticity'),
      section('technical'),
    ],
  }
}

// The Digital Link of a SKU is no address of a GS1 resolver, and the gateway answers it with a redirect.
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
function alternatesOf(
  { facility }: PassportView,
  { t }: Texts,
  mediaTypes: readonly string[],
): PassportPage['alternates'] {
  return mediaTypes
    .filter((mediaType) => mediaType !== 'text/html' && (facility !== null || !CREDENTIALS.test(mediaType)))
    .map((mediaType) => ({ mediaType, name: t(`machine.${mediaType}`, { defaultValue: mediaType }) }))
}

function categoryOf({ category }: Metadata, texts: Texts): Label {
  if (typeof category !== 'string' || category === '') return { text: texts.t('head.noCategory'), foreign: false }
  const known = texts.option('category', category)
  return known === undefined ? { text: humanise(category), foreign: true } : { text: known, foreign: false }
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
      ? [{ label: label('origin'), value: showValue(originCountry, 'originCountry', texts) }]
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

function sectionsOf(view: PassportView, metadata: Metadata, texts: Texts): Section[] {
  const hidden = new Set([...HEAD_KEYS, ...TECHNICAL_KEYS, ...view.maskedKeys])
  const parts = new Map<SectionName, { figures: Figure[]; charts: Chart[]; facts: Entry[] }>()
  const part = (name: SectionName) => {
    const found = parts.get(name) ?? { figures: [], charts: [], facts: [] }
    parts.set(name, found)
    return found
  }

  const recycled = recycledChart(metadata, texts)
  const firstRecycled = inPageOrder(recycled.used)[0]
  const footprint = footprintOf(metadata, texts)
  for (const key of inPageOrder(Object.keys(metadata))) {
    if (hidden.has(key)) continue
    const value = metadata[key] as Json
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined
    const { figures, charts, facts } = part(field?.section ?? 'further')
    const shares = shareChart(value, key, texts)
    if (shares !== undefined) {
      charts.push(shares)
    } else if (recycled.used.includes(key)) {
      // The one chart of recycled content stands where its first key would.
      if (recycled.chart !== undefined && key === firstRecycled) charts.push(recycled.chart)
    } else if (key === 'carbonFootprint' && footprint !== undefined) {
      figures.push(...footprint.figures)
      charts.push(...footprint.charts)
      facts.push(...footprint.facts)
    } else if (field?.figure && typeof value === 'number') {
      figures.push(figureOf(texts.label(key), value, field.unit, texts))
    } else if (field?.figure && typeof value === 'string' && value.length <= 12) {
      figures.push({ label: texts.label(key), text: value })
    } else if (field?.flat && isObject(value)) {
      for (const [member, inner] of Object.entries(value)) facts.push(entryOf(inner, member, texts, key))
    } else {
      facts.push(entryOf(value, key, texts))
    }
  }

  part('origin').facts.unshift(...companiesOf(view, texts))
  return [...BEFORE_DOCUMENTS, ...AFTER_DOCUMENTS].flatMap((name) => {
    const found = parts.get(name)
    return found === undefined || found.figures.length + found.charts.length + found.facts.length === 0
      ? []
      : [{ name, title: texts.t(`section.${name}`), ...found }]
  })
}

/** The economic operator, and the facility as far as the tier shows it (specification 2.3, 2.4). */
function companiesOf({ operator, facility }: PassportView, texts: Texts): Entry[] {
  const entry = (key: string, value: Value): Entry => ({
    label: { text: texts.t(`origin.${key}`), foreign: false },
    value,
  })
  const text = (words: string): Value => ({ kind: 'text', text: words })
  const role = texts.option('role', operator.role)
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

function technicalOf(view: PassportView, texts: Texts): Entry[] {
  const { t, formats } = texts
  const own = (key: string, value: Value): Entry => ({ label: { text: t(`technical.${key}`), foreign: false }, value })
  const time = (iso: string): Value => ({ kind: 'own', text: formats.dateTime(iso) ?? iso })
  const link = safeUrl(view.digitalLinkUri)
  return [
    own('status', { kind: 'own', text: t(`technical.statuses.${view.status}`) }),
    own(`identifier.${view.identifier.scheme}`, { kind: 'text', text: view.identifier.value }),
    ...(view.productId === view.identifier.value ? [] : [own('productId', { kind: 'text', text: view.productId })]),
    ...TECHNICAL_KEYS.flatMap((key) =>
      view.metadata[key] === undefined ? [] : [entryOf(view.metadata[key], key, texts)],
    ),
    own(
      'digitalLink',
      link === undefined ? { kind: 'text', text: view.digitalLinkUri } : { kind: 'link', href: link, text: link },
    ),
    own('passportId', { kind: 'text', text: view.id }),
    own('version', { kind: 'own', text: formats.number(view.version) }),
    own('createdAt', time(view.createdAt)),
    own('updatedAt', time(view.updatedAt)),
    ...(view.retentionUntil === null
      ? []
      : [own('retentionUntil', { kind: 'own', text: formats.date(view.retentionUntil) ?? view.retentionUntil })]),
  ]
}
