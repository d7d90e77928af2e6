import {
  CONDITION_FIELDS,
  isBattery,
  isGroup,
  type Json,
  type KeptCondition,
  UNIT_STATUSES,
  type UnitRecord,
  type UnitReference,
  type UnitStatus,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { type Answer, leadingTo, maker, next, signers } from './answers.ts'
import { excerptOf } from './excerpt.ts'
import { type Figure, figureOf } from './footprint.ts'
import { fact, foreign, type ItemPage, itemPage, linkEntry, own } from './item-page.ts'
import type { Masked } from './masked.ts'
import { codeOf, withLanguage } from './own-links.ts'
import { type Banner, bannersOf } from './status.ts'
import { plainText } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Measure, type TimeChart, timeCharts, valueIn } from './time-chart.ts'
import { quantity } from './units.ts'
import { type Entry, showValue, type Value } from './value.ts'

interface UnitPage extends ItemPage {
  readonly status: { readonly name: string; readonly meaning: string; readonly facts: readonly Entry[] }
  /** Absent if the reader may not see telemetry; see {@link UnitPage.masked}. */
  readonly telemetry: Telemetry | undefined
}

interface Telemetry {
  readonly nothing: string | undefined
  readonly figures: readonly Figure[]
  readonly facts: readonly Entry[]
  readonly condition: readonly Entry[]
  readonly statusChanges: readonly StatusRow[]
  readonly charts: readonly TimeChart[]
  readonly recordsTitle: string
  readonly records: readonly RecordRow[]
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

const MAX_ROWS = 100

const wordsFor = ({ ofModel }: Pick<UnitView, 'ofModel'>): 'unit' | 'item' =>
  isBattery(ofModel.metadata) ? 'unit' : 'item'

export function unitPage(unit: UnitView, texts: Texts, mediaTypes: readonly string[], grant?: string): UnitPage {
  const { t } = texts
  const { ofModel } = unit
  const section = (id: string, title: string) => ({ id, title })
  const address = unitUrl(unit.baseUrl, unit.id)
  const masked = unit.telemetry === undefined ? maskedOf(unit, texts) : undefined
  const page = itemPage(
    unit,
    { called: unit.serialNumber, address, masked, unsealed: `${wordsFor(unit)}.unsealed`, grant },
    texts,
    mediaTypes,
  )
  const contents = [
    section('status', t('unit.statusDetail')),
    unit.telemetry === undefined ? section('masked', t('section.masked')) : section('state', t('unit.state')),
    section('product', t('unit.passport')),
    section('technical', t('section.technical')),
  ]
  const answers = [
    statusOf(unit, texts),
    signers(page.product.authenticity, texts),
    next(ofModel, texts),
    maker(ofModel, texts),
  ]
  return {
    ...page,
    banners: unitBanners(unit, texts),
    keyFacts: keyFactsOf(unit, texts),
    answers: leadingTo(
      contents,
      'product',
      answers.filter((answer) => answer !== undefined),
    ),
    contents,
    status: {
      name: t(`${wordsFor(unit)}.statuses.${unit.status}`),
      meaning: meaningOf(unit, texts),
      facts: [...legalStatusOf(unit, texts), ...lineageOf(unit, texts)],
    },
    telemetry: unit.telemetry === undefined ? undefined : telemetryOf(unit.telemetry, wordsFor(unit), texts),
    technical: technicalOf(unit, texts),
  }
}

const unitUrl = (baseUrl: string, id: string): string => `${baseUrl}/unit/${encodeURIComponent(id)}`

const MEANINGS: Partial<Record<UnitStatus, string>> = {
  RECALLED: 'status.recalled.text',
  DECOMMISSIONED: 'status.decommissioned.text',
  RECYCLED: 'problem.410.text',
}

const meaningOf = (unit: UnitView, { t }: Texts): string =>
  t(MEANINGS[unit.status] ?? `${wordsFor(unit)}.meanings.${unit.status}`)

function unitBanners(unit: UnitView, texts: Texts): Banner[] {
  const { t } = texts
  const { status, ofModel } = unit
  const ofProduct = bannersOf(ofModel, texts)
  if (status === 'RECALLED' && ofModel.status !== 'RECALLED') {
    return [
      { tone: 'danger', icon: 'alert', title: t('status.recalled.title'), text: t('status.recalled.text') },
      ...ofProduct,
    ]
  }
  if (status === 'DECOMMISSIONED' || status === 'WASTE') {
    const title = t(`${wordsFor(unit)}.statuses.${status}`)
    return [{ tone: 'notice', icon: 'archive', title, text: meaningOf(unit, texts) }, ...ofProduct]
  }
  return ofProduct
}

function statusOf(unit: UnitView, texts: Texts): Answer {
  const { t } = texts
  const { status, telemetry } = unit
  const health = telemetry?.currentState?.stateOfHealth ?? null
  return {
    id: 'status',
    icon: 'parts',
    title: t('technical.status'),
    lead: { value: own(t(`${wordsFor(unit)}.statuses.${status}`)) },
    lines: [
      { value: own(meaningOf(unit, texts)) },
      ...(health === null ? [] : [fact(t('unit.measures.stateOfHealth'), own(quantity(health, 'percent', texts)))]),
    ],
    more: 'status',
  }
}

function keyFactsOf({ serialNumber, ...unit }: UnitView, texts: Texts): Entry[] {
  const { t, formats } = texts
  return [
    fact(t('unit.serialNumber'), foreign(serialNumber)),
    ...batchOf(unit, texts),
    ...(['manufacturedAt', 'placedOnMarketAt'] as const).flatMap((key) => {
      const at = unit[key]
      return at === null ? [] : [fact(t(`unit.${key}`), own(formats.date(at) ?? at))]
    }),
  ]
}

/** Linked if the batch has a record (Regulation (EU) 2026/1778, Article 8(4)). */
function batchOf({ baseUrl, batchNumber, ofBatch }: Omit<UnitView, 'serialNumber'>, texts: Texts): Entry[] {
  if (batchNumber === null) return []
  const label = texts.t('batch.number')
  if (ofBatch === undefined) return [fact(label, foreign(batchNumber))]
  const href = withLanguage(`${baseUrl}/batch/${encodeURIComponent(ofBatch.batchId)}`, codeOf(texts))
  return [fact(label, { kind: 'link', href, text: batchNumber })]
}

const legalStatusOf = ({ telemetry, ofModel }: UnitView, texts: Texts): Entry[] =>
  telemetry === undefined || !isBattery(ofModel.metadata)
    ? []
    : [{ label: texts.label('batteryStatus'), value: own(statusWord(telemetry.kept.batteryStatus, texts)) }]

function lineageOf(unit: UnitView, texts: Texts): Entry[] {
  const { t } = texts
  const { baseUrl, repurposedFrom, successorUnits } = unit
  const link = ({ unitId, serialNumber }: UnitReference): Value => ({
    kind: 'link',
    href: withLanguage(unitUrl(baseUrl, unitId), codeOf(texts)),
    text: serialNumber,
  })
  return [
    ...(repurposedFrom === null ? [] : [fact(t(`${wordsFor(unit)}.repurposedFrom`), link(repurposedFrom))]),
    ...(successorUnits.length === 0
      ? []
      : [fact(t(`${wordsFor(unit)}.successorUnits`), { kind: 'list', items: successorUnits.map(link) })]),
  ]
}

/** Unit measurements (specification 2.6) in page order. */
const MEASURES: readonly Measure[] = [
  { key: 'stateOfHealth', unit: 'percent', minValue: 0, maxValue: 100 },
  { key: 'cycleCount', minValue: 0, isWhole: true },
  { key: 'remainingCapacityAh', unit: 'Ah', minValue: 0 },
  { key: 'temperatureC', unit: 'celsius' },
]

const measureLabel = ({ key }: Measure, { t }: Texts): Label => ({ text: t(`unit.measures.${key}`), foreign: false })

function telemetryOf(
  { currentState, dynamicData, kept }: NonNullable<UnitView['telemetry']>,
  words: ReturnType<typeof wordsFor>,
  texts: Texts,
): Telemetry {
  const { t, formats } = texts
  const figures = MEASURES.flatMap((measure) => {
    const value = currentState === null ? null : valueIn(currentState, measure.key)
    return value === null ? [] : [figureOf(measureLabel(measure, texts), value, measure.unit, texts)]
  })
  const shown = dynamicData.slice(0, MAX_ROWS)
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
    condition: words === 'unit' ? conditionOf(kept, currentState?.cycleCount ?? null, texts) : [],
    statusChanges: (words === 'unit' ? kept.statusChanges : []).map(({ batteryStatus, recordedAt, values }) => ({
      time: formats.dateTime(recordedAt) ?? recordedAt,
      status: statusWord(batteryStatus, texts),
      values: Object.entries(values).map(([key, value]) => ({
        label: texts.label(key),
        value: own(conditionText(key, value, texts)),
      })),
    })),
    charts: timeCharts(MEASURES, dynamicData, texts),
    recordsTitle: t(`${words}.records`),
    records: shown.map((record, index) => rowOf(record, payloads.metadata[index] as Json, words, texts)),
    more: left === 0 ? undefined : t('value.more', { count: left }),
  }
}

/**
 * Returns condition values in schema order. The most frequent day is stated once at the top.
 * @param cycles full cycles shown above, not repeated
 */
function conditionOf({ condition }: KeptCondition, cycles: number | null, texts: Texts): Entry[] {
  const dayOf = (recordedAt: string) => texts.formats.date(recordedAt) ?? recordedAt
  const known = [...CONDITION_FIELDS.keys()].flatMap((key) => {
    const value = condition[key]
    return value === undefined || (key === 'fullCycles' && value.value === cycles) ? [] : [{ key, ...value }]
  })
  const days = Map.groupBy(
    known.filter(({ key }) => key !== 'negativeEvents').map(({ recordedAt }) => dayOf(recordedAt)),
    (day) => day,
  )
  const [asOf] = [...days].toSorted(([, one], [, other]) => other.length - one.length)[0] ?? []
  const facts = known.map(({ key, value, recordedAt }): Entry => {
    const label = texts.label(key)
    if (key === 'negativeEvents') return { label, value: { kind: 'list', items: negativeEvents(value, texts) } }
    const text = conditionText(key, value, texts)
    const day = dayOf(recordedAt)
    return { label, value: own(day === asOf || day === text ? text : `${text} · ${day}`) }
  })
  return asOf === undefined ? facts : [fact(texts.t('unit.asOf'), own(asOf)), ...facts]
}

function conditionText(key: string, value: Json, texts: Texts): string {
  if (typeof value === 'number') return quantity(value, CONDITION_FIELDS.get(key)?.unit, texts)
  return typeof value === 'string' ? (texts.formats.date(value) ?? plainText(value)) : ''
}

const statusWord = (status: string, { category }: Texts): string => category.option('batteryStatus', status) ?? status

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

function rowOf(record: UnitRecord, payload: Json, words: ReturnType<typeof wordsFor>, texts: Texts): RecordRow {
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
    payload: isEmpty(payload) ? undefined : payloadOf(record, payload, words, texts),
  }
}

const isEmpty = (payload: Json): boolean => payload === null || Object.keys(payload).length === 0

/** Translates payloads of the gateway (specification 3.2); others stay as received. */
function payloadOf({ eventType }: UnitRecord, payload: Json, words: ReturnType<typeof wordsFor>, texts: Texts): Value {
  const { t } = texts
  if (eventType === 'STATUS_CHANGE' && isGroup(payload)) {
    const { status, successorUnitId: _id, successorSerial, ...others } = payload
    const known = UNIT_STATUSES.find((candidate) => candidate === status)
    if (known !== undefined && typeof successorSerial === 'string' && Object.keys(others).length === 0) {
      const entries = [
        fact(t('technical.status'), own(t(`${words}.statuses.${known}`))),
        fact(t(`${words}.successorUnits`), foreign(successorSerial)),
      ]
      return { kind: 'items', items: [{ entries, isBrief: true }] }
    }
  }
  return showValue(isGroup(payload) ? [payload] : payload, 'payload', texts)
}

function maskedOf(unit: UnitView, texts: Texts): Masked {
  const { t } = texts
  const { audience, baseUrl, id, ofModel } = unit
  const isOfBatteries = isBattery(ofModel.metadata)
  const closed = isOfBatteries ? 'audience.measured' : 'item.measured'
  return {
    text: t(audience === 'authority' ? closed : `${wordsFor(unit)}.masked`),
    note: texts.category.maskedNote,
    labels: isOfBatteries
      ? MEASURES.map((measure) => measureLabel(measure, texts))
      : [{ text: t('item.records'), foreign: false }],
    accessUrl:
      ofModel.status === 'DRAFT' || audience !== 'public'
        ? undefined
        : withLanguage(`${baseUrl}/request-access?unit=${encodeURIComponent(id)}`, codeOf(texts)),
  }
}

function technicalOf(unit: UnitView, texts: Texts): Entry[] {
  const { t, formats } = texts
  const time = (iso: string) => own(formats.dateTime(iso) ?? iso)
  return [
    fact(t('unit.serialNumber'), foreign(unit.serialNumber)),
    linkEntry(unit.digitalLinkUri, texts),
    fact(t('unit.unitId'), foreign(unit.id)),
    fact(t('technical.passportId'), foreign(unit.ofModel.id)),
    fact(t('technical.createdAt'), time(unit.createdAt)),
    fact(t('technical.updatedAt'), time(unit.updatedAt)),
  ]
}
