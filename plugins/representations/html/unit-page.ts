import {
  CONDITION_FIELDS,
  inlineCode,
  isGroup,
  type Json,
  type KeptCondition,
  type PassportView,
  tierOf,
  UNIT_STATUSES,
  type UnitRecord,
  type UnitReference,
  type UnitStatus,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { type Answer, maker, next, vouched } from './answers.ts'
import { type Authenticity, authenticityOf } from './authenticity.ts'
import { companiesOf } from './companies.ts'
import { excerptOf } from './excerpt.ts'
import { type Figure, figureOf } from './footprint.ts'
import { codeOf, languageLinks, withLanguage } from './own-links.ts'
import { alternatesOf, brandOf, type PageHead, previewLocale, previewPicture } from './page-head.ts'
import { categoryOf, type Masked, namesOf } from './passport-page.ts'
import { type PagePicture, picturesOf } from './pictures.ts'
import { safeUrl } from './safe-url.ts'
import { type Banner, bannersOf } from './status.ts'
import { type TakeAway, takeAwayOf } from './take-away.ts'
import { plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Measure, type TimeChart, timeCharts, valueIn } from './time-chart.ts'
import { quantity } from './units.ts'
import { type Entry, showValue, type Value } from './value.ts'

/** Everything that `templates/unit.eta` writes, in its order. */
interface UnitPage extends PageHead {
  /** The address as a code, for whoever reads the page on paper: markup. */
  readonly code: string
  readonly pictures: { readonly hero: PagePicture | undefined; readonly others: readonly PagePicture[] }
  readonly banners: readonly Banner[]
  readonly category: Label
  readonly name: string
  readonly nameLang: string | undefined
  readonly byline: readonly string[]
  readonly keyFacts: readonly Entry[]
  readonly answers: readonly Answer[]
  readonly takeAway: TakeAway
  readonly contents: readonly { readonly id: string; readonly title: string }[]
  readonly status: { readonly name: string; readonly meaning: string; readonly facts: readonly Entry[] }
  /** Absent where the reader may not see what was measured; then {@link UnitPage.masked} says so. */
  readonly telemetry: Telemetry | undefined
  readonly masked: Masked | undefined
  readonly product: { readonly facts: readonly Entry[]; readonly authenticity: Authenticity }
  readonly technical: readonly Entry[]
}

interface Telemetry {
  /** That nothing was measured. */
  readonly nothing: string | undefined
  readonly figures: readonly Figure[]
  readonly facts: readonly Entry[]
  readonly condition: readonly Entry[]
  readonly statusChanges: readonly StatusRow[]
  readonly charts: readonly TimeChart[]
  readonly records: readonly RecordRow[]
  /** That there are more records than the page shows, or longer ones. */
  readonly more: string | undefined
}

interface StatusRow {
  readonly time: string
  readonly status: string
  readonly values: readonly Entry[]
}

interface RecordRow {
  readonly time: string
  readonly event: string
  readonly measures: readonly Entry[]
  readonly payload: Value | undefined
}

/** Records that stand on the page; the charts show all of them. */
const MOST_ROWS = 100

/** One unit as a page: what has become of it, what was measured, and what product it is one of. */
export function unitPage(unit: UnitView, texts: Texts, mediaTypes: readonly string[]): UnitPage {
  const { t } = texts
  const { audience, baseUrl, ofModel } = unit
  const { name, nameLang, byline } = namesOf(ofModel, texts)
  const category = categoryOf(ofModel.metadata, texts)
  const section = (id: string, title: string) => ({ id, title })
  const title = plainText(`${name}, ${unit.serialNumber}`)
  const address = unitUrl(baseUrl, unit.id)
  const alternates = alternatesOf(ofModel, texts, mediaTypes)
  const masked = unit.telemetry === undefined ? maskedOf(unit, texts) : undefined
  const authenticity = vouchedFor(ofModel, texts)
  return {
    lang: texts.lang,
    title,
    description: [category.text, name, unit.serialNumber, t('page.description')].map(plainText).join(' · '),
    // Nobody looks for a single battery who does not stand before it, and its number may lead to its owner.
    isIndexable: false,
    address,
    alternates,
    switcher: tierOf(audience) === 'restricted' ? [] : languageLinks(texts),
    brand: brandOf(ofModel),
    preview: { title, locale: previewLocale(texts), picture: previewPicture(ofModel) },
    pictures: { hero: picturesOf(ofModel, name, texts).hero, others: [] },
    code: inlineCode(address, 'code'),
    banners: unitBanners(unit, texts),
    category,
    name,
    nameLang,
    byline,
    keyFacts: keyFactsOf(unit, texts),
    answers: [statusOf(unit, texts), vouched(authenticity, texts), next(ofModel, texts), maker(ofModel, texts)].filter(
      (answer) => answer !== undefined,
    ),
    takeAway: takeAwayOf({ audience, alternates, accessUrl: masked?.accessUrl, superseded: null }, texts),
    contents: [
      section('status', t('technical.status')),
      unit.telemetry === undefined ? section('masked', t('section.masked')) : section('state', t('unit.state')),
      section('product', t('unit.passport')),
      section('technical', t('section.technical')),
    ],
    status: {
      name: t(`unit.statuses.${unit.status}`),
      meaning: meaningOf(unit.status, texts),
      facts: [...legalStatusOf(unit, texts), ...lineageOf(unit, texts)],
    },
    telemetry: unit.telemetry === undefined ? undefined : telemetryOf(unit.telemetry, texts),
    masked,
    product: { facts: productFacts(ofModel, name, texts), authenticity },
    technical: technicalOf(unit, texts),
  }
}

const unitUrl = (baseUrl: string, id: string): string => `${baseUrl}/unit/${encodeURIComponent(id)}`

const fact = (label: string, value: Value): Entry => ({ label: { text: label, foreign: false }, value })
const own = (text: string): Value => ({ kind: 'own', text })
const foreign = (text: string): Value => ({ kind: 'text', text })

/** Statuses whose meaning another part of the page has words for. */
const MEANINGS: Partial<Record<UnitStatus, string>> = {
  RECALLED: 'status.recalled.text',
  DECOMMISSIONED: 'status.decommissioned.text',
  RECYCLED: 'problem.410.text',
}

const meaningOf = (status: UnitStatus, { t }: Texts): string => t(MEANINGS[status] ?? `unit.meanings.${status}`)

/** What must be said of the unit first, then of its product; a recall of both is said once. */
function unitBanners({ status, ofModel }: UnitView, texts: Texts): Banner[] {
  const { t } = texts
  const ofProduct = bannersOf(ofModel, texts)
  if (status === 'RECALLED' && ofModel.status !== 'RECALLED') {
    return [
      { tone: 'danger', icon: 'alert', title: t('status.recalled.title'), text: t('status.recalled.text') },
      ...ofProduct,
    ]
  }
  if (status === 'DECOMMISSIONED' || status === 'WASTE') {
    const title = t(`unit.statuses.${status}`)
    return [{ tone: 'notice', icon: 'archive', title, text: meaningOf(status, texts) }, ...ofProduct]
  }
  return ofProduct
}

/** What has become of it, as an answer at the head of the page. */
function statusOf({ status, telemetry }: UnitView, texts: Texts): Answer {
  const { t } = texts
  const health = telemetry?.currentState?.stateOfHealth ?? null
  return {
    id: 'status',
    icon: 'parts',
    title: t('technical.status'),
    lead: { value: own(t(`unit.statuses.${status}`)) },
    lines: [
      { value: own(meaningOf(status, texts)) },
      ...(health === null ? [] : [fact(t('unit.measures.stateOfHealth'), own(quantity(health, 'percent', texts)))]),
    ],
    more: 'status',
  }
}

function keyFactsOf({ serialNumber, ...dates }: UnitView, { t, formats }: Texts): Entry[] {
  return [
    fact(t('unit.serialNumber'), foreign(serialNumber)),
    ...(['manufacturedAt', 'placedOnMarketAt'] as const).flatMap((key) => {
      const at = dates[key]
      return at === null ? [] : [fact(t(`unit.${key}`), own(formats.date(at) ?? at))]
    }),
  ]
}

/** The status in the words of the law, which is for whom the condition is. */
const legalStatusOf = ({ telemetry }: UnitView, texts: Texts): Entry[] =>
  telemetry === undefined
    ? []
    : [{ label: texts.label('batteryStatus'), value: own(statusWord(telemetry.kept.batteryStatus, texts)) }]

function lineageOf({ baseUrl, repurposedFrom, successorUnits }: UnitView, texts: Texts): Entry[] {
  const { t } = texts
  const link = ({ unitId, serialNumber }: UnitReference): Value => ({
    kind: 'link',
    href: withLanguage(unitUrl(baseUrl, unitId), codeOf(texts)),
    text: serialNumber,
  })
  return [
    ...(repurposedFrom === null ? [] : [fact(t('unit.repurposedFrom'), link(repurposedFrom))]),
    ...(successorUnits.length === 0
      ? []
      : [fact(t('unit.successorUnits'), { kind: 'list', items: successorUnits.map(link) })]),
  ]
}

/** What is measured of a unit (specification 2.6), in the order of the page. */
const MEASURES: readonly Measure[] = [
  { key: 'stateOfHealth', unit: 'percent', least: 0, most: 100 },
  { key: 'cycleCount', least: 0, isWhole: true },
  { key: 'remainingCapacityAh', unit: 'Ah', least: 0 },
  { key: 'temperatureC', unit: 'celsius' },
]

const measureLabel = ({ key }: Measure, { t }: Texts): Label => ({ text: t(`unit.measures.${key}`), foreign: false })

function telemetryOf({ currentState, dynamicData, kept }: NonNullable<UnitView['telemetry']>, texts: Texts): Telemetry {
  const { t, formats } = texts
  const figures = MEASURES.flatMap((measure) => {
    const value = currentState === null ? null : valueIn(currentState, measure.key)
    return value === null ? [] : [figureOf(measureLabel(measure, texts), value, measure.unit, texts)]
  })
  const shown = dynamicData.slice(0, MOST_ROWS)
  const payloads = excerptOf(
    Object.fromEntries(shown.map(({ payload }, index) => [String(index), payload])),
    texts.languages,
  )
  const left = dynamicData.length - shown.length + payloads.left
  return {
    nothing: figures.length === 0 && dynamicData.length === 0 ? t('unit.nothing') : undefined,
    figures,
    facts:
      currentState === null || figures.length === 0
        ? []
        : [fact(t('unit.measuredAt'), own(formats.dateTime(currentState.recordedAt) ?? currentState.recordedAt))],
    condition: conditionOf(kept, texts),
    statusChanges: kept.statusChanges.map(({ batteryStatus, recordedAt, values }) => ({
      time: formats.dateTime(recordedAt) ?? recordedAt,
      status: statusWord(batteryStatus, texts),
      values: Object.entries(values).map(([key, value]) => ({
        label: texts.label(key),
        value: own(conditionText(key, value, texts)),
      })),
    })),
    charts: timeCharts(MEASURES, dynamicData, texts),
    records: shown.map((record, index) => rowOf(record, payloads.metadata[index] as Json, texts)),
    more: left === 0 ? undefined : t('value.more', { count: left }),
  }
}

/** Each value of the condition, in the order of its schema, with the day on which it was so. */
function conditionOf({ condition }: KeptCondition, texts: Texts): Entry[] {
  return [...CONDITION_FIELDS.keys()].flatMap((key): Entry[] => {
    const known = condition[key]
    if (known === undefined) return []
    const label = texts.label(key)
    if (key === 'negativeEvents') return [{ label, value: { kind: 'list', items: negativeEvents(known.value, texts) } }]
    const day = texts.formats.date(known.recordedAt) ?? known.recordedAt
    return [{ label, value: own(`${conditionText(key, known.value, texts)} · ${day}`) }]
  })
}

function conditionText(key: string, value: Json, texts: Texts): string {
  if (typeof value === 'number') return quantity(value, CONDITION_FIELDS.get(key)?.unit, texts)
  return typeof value === 'string' ? (texts.formats.date(value) ?? plainText(value)) : ''
}

const statusWord = (status: string, { category }: Texts): string => category.option('batteryStatus', status) ?? status

/** Each with what happened, in words where there are some, and its day. */
const negativeEvents = (events: Json, { category, formats }: Texts): Value[] =>
  (Array.isArray(events) ? events : []).filter(isGroup).map(({ kind, description, recordedAt }) => {
    const parts = [
      typeof kind === 'string' ? (category.option('kind', kind) ?? kind) : undefined,
      description,
      typeof recordedAt === 'string' ? (formats.date(recordedAt) ?? recordedAt) : undefined,
    ]
    return foreign(
      parts
        .filter((part) => typeof part === 'string')
        .map(plainText)
        .join(' · '),
    )
  })

function rowOf(record: UnitRecord, payload: Json, texts: Texts): RecordRow {
  const { t, formats } = texts
  return {
    time: formats.dateTime(record.recordedAt) ?? record.recordedAt,
    event: t(`unit.events.${record.eventType}`),
    measures: MEASURES.flatMap((measure) => {
      const value = valueIn(record, measure.key)
      return value === null
        ? []
        : [{ label: measureLabel(measure, texts), value: own(quantity(value, measure.unit, texts)) }]
    }),
    payload: isEmpty(payload) ? undefined : payloadOf(record, payload, texts),
  }
}

const isEmpty = (payload: Json): boolean => payload === null || Object.keys(payload).length === 0

/** What the gateway writes of a unit that became another (specification 3.2) is put in words, and all else is as it came. */
function payloadOf({ eventType }: UnitRecord, payload: Json, texts: Texts): Value {
  const { t } = texts
  if (eventType === 'STATUS_CHANGE' && isGroup(payload)) {
    const { status, successorUnitId: _id, successorSerial, ...others } = payload
    const known = UNIT_STATUSES.find((candidate) => candidate === status)
    if (known !== undefined && typeof successorSerial === 'string' && Object.keys(others).length === 0) {
      const entries = [
        fact(t('technical.status'), own(t(`unit.statuses.${known}`))),
        fact(t('unit.successorUnits'), foreign(successorSerial)),
      ]
      return { kind: 'items', items: [{ entries, isBrief: true }] }
    }
  }
  return showValue(isGroup(payload) ? [payload] : payload, 'payload', texts)
}

function maskedOf({ audience, baseUrl, id, ofModel }: UnitView, texts: Texts): Masked {
  const { t } = texts
  return {
    text: t(audience === 'authority' ? 'audience.measured' : 'unit.masked'),
    note: texts.category.maskedNote,
    labels: MEASURES.map((measure) => measureLabel(measure, texts)),
    accessUrl:
      ofModel.status === 'DRAFT' || audience !== 'public'
        ? undefined
        : withLanguage(`${baseUrl}/request-access?unit=${encodeURIComponent(id)}`, codeOf(texts)),
  }
}

function productFacts(product: PassportView, name: string, texts: Texts): Entry[] {
  const href = withLanguage(`${product.baseUrl}/passport/${encodeURIComponent(product.id)}`, codeOf(texts))
  const { identifier } = product
  return [
    fact(texts.t('unit.passport'), { kind: 'link', href, text: name }),
    fact(texts.t(`technical.identifier.${identifier.scheme}`), foreign(identifier.value)),
    ...companiesOf(product, texts),
  ]
}

/** What the seal of the product's passport means, and that nothing of the unit is under it. */
function vouchedFor(product: PassportView, texts: Texts): Authenticity {
  const authenticity = authenticityOf(product, texts)
  return { ...authenticity, notes: [...authenticity.notes, texts.t('unit.unsealed')] }
}

function technicalOf(unit: UnitView, { t, formats }: Texts): Entry[] {
  const link = safeUrl(unit.digitalLinkUri)
  const time = (iso: string) => own(formats.dateTime(iso) ?? iso)
  return [
    fact(t('unit.serialNumber'), foreign(unit.serialNumber)),
    fact(
      t('technical.digitalLink'),
      link === undefined ? foreign(unit.digitalLinkUri) : { kind: 'link', href: link, text: link },
    ),
    fact(t('unit.unitId'), foreign(unit.id)),
    fact(t('technical.passportId'), foreign(unit.ofModel.id)),
    fact(t('technical.version'), own(formats.number(unit.version))),
    fact(t('technical.createdAt'), time(unit.createdAt)),
    fact(t('technical.updatedAt'), time(unit.updatedAt)),
  ]
}
