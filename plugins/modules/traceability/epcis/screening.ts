import { isCountryCode, isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import type { CapturedEvent } from './event.ts'
import { cornersOf, isInside, isPoint, meansPlot, type Plot, type Point, plotIn } from './geometry.ts'
import { pointerPart } from './schema-findings.ts'
import shipped from './screening-lists.json' with { type: 'json' }

/** Changes after `readOn` are not included. */
interface ScreeningSource {
  readonly id: string
  readonly title: string
  readonly law: string
  readonly source: string
  readonly date: string
  readonly readOn: string
  readonly note?: string
}

/** ISO 3166 codes, lower-case names and optional area of a region. */
interface RegionList extends ScreeningSource {
  readonly kind: 'region'
  readonly codes: readonly string[]
  readonly names: readonly string[]
  readonly area?: Plot
}

interface PlotList extends ScreeningSource {
  readonly kind: 'plots'
  readonly plots?: Readonly<Record<string, unknown>>
}

export type ScreeningList = RegionList | PlotList

export const SCREENING_LISTS = shipped as unknown as readonly ScreeningList[]

/** Match with a list; proves nothing by itself. */
interface ScreeningMatch {
  readonly id: string
  readonly eventId: string
  readonly field: string
  readonly value: string
  readonly list: string
  readonly source: string
  readonly date: string
  readonly reason: string
}

/** Data that could not be compared. */
interface NotScreened {
  readonly id: string
  readonly eventId: string
  readonly list: string
  /** JSON pointers; empty if the event has no place. */
  readonly fields: readonly string[]
  readonly reason: string
}

/** Never a statement of compliance. */
interface Screening {
  readonly screened: readonly ScreeningSource[]
  readonly matches: readonly ScreeningMatch[]
  readonly notScreened: readonly NotScreened[]
}

const MAX_MATCHES = 100
const MAX_POINTS = 200
const MAX_VALUE_CHARACTERS = 200

export function screen(
  events: readonly (Pick<CapturedEvent, 'eventId' | 'event'> & { readonly id: string })[],
  lists: readonly ScreeningList[] = SCREENING_LISTS,
): Screening {
  const matches: ScreeningMatch[] = []
  const notScreened: NotScreened[] = []
  for (const { id, eventId, event } of events) {
    const places = placesIn(event)
    for (const list of lists) {
      const { found, unknown } = list.kind === 'region' ? inRegion(places, list) : inPlots(places, list)
      const { id: name, source, date } = list
      matches.push(...found.slice(0, MAX_MATCHES).map((one) => ({ id, eventId, ...one, list: name, source, date })))
      if (unknown !== undefined) notScreened.push({ id, eventId, list: name, ...unknown })
    }
  }
  const screened = lists.map(({ id, title, law, source, date, readOn, note }) => {
    return { id, title, law, source, date, readOn, note }
  })
  return { screened, matches, notScreened }
}

type Place =
  | { readonly kind: 'point'; readonly field: string; readonly value: string; readonly point: Point }
  | { readonly kind: 'country' | 'text' | 'plotId'; readonly field: string; readonly value: string }
  | { readonly kind: 'plot'; readonly field: string; readonly value: string; readonly read: ReturnType<typeof plotIn> }

type Found = Pick<ScreeningMatch, 'field' | 'value' | 'reason'>
interface Outcome {
  readonly found: readonly Found[]
  readonly unknown?: Pick<NotScreened, 'fields' | 'reason'>
}

const PLACE_FIELDS = new Set(['readPoint', 'bizLocation', 'sourceList', 'destinationList', 'ilmd'])
const COUNTRY_KEY = /country|region|subdivision/i
const PLOT_KEY = /plotId$/i

function placesIn(event: JsonRecord): Place[] {
  const places: Place[] = []
  const look = (value: unknown, field: string, key: string): void => {
    if (typeof value === 'string') places.push(placeOf(value, field, key))
    if (Array.isArray(value)) for (const [index, one] of value.entries()) look(one, `${field}/${index}`, key)
    if (!isRecord(value)) return
    const point = { latitude: value.latitude as number, longitude: value.longitude as number }
    if (typeof point.latitude === 'number' && typeof point.longitude === 'number') {
      places.push({ kind: 'point', field, value: `${point.latitude},${point.longitude}`, point })
    }
    if (meansPlot(value)) {
      places.push({ kind: 'plot', field, value: String(value.type), read: plotIn(value) })
      return
    }
    for (const [inner, one] of Object.entries(value)) {
      if (inner !== 'type') look(one, `${field}/${pointerPart(inner)}`, inner)
    }
  }
  for (const [key, value] of Object.entries(event)) {
    if (PLACE_FIELDS.has(key) || key.includes(':')) look(value, `/${pointerPart(key)}`, key)
  }
  return places
}

function placeOf(text: string, field: string, key: string): Place {
  const value = text.slice(0, MAX_VALUE_CHARACTERS)
  // RFC 5870.
  const [, latitude, longitude] = /^geo:(-?[0-9.]{1,20}),(-?[0-9.]{1,20})(?:[,;]|$)/i.exec(value) ?? []
  if (latitude !== undefined) {
    return { kind: 'point', field, value, point: { latitude: Number(latitude), longitude: Number(longitude) } }
  }
  if (PLOT_KEY.test(key)) return { kind: 'plotId', field, value }
  return { kind: COUNTRY_KEY.test(key) ? 'country' : 'text', field, value }
}

function inRegion(places: readonly Place[], list: RegionList): Outcome {
  const found = places.flatMap((place) => {
    const reason = reasonInRegion(place, list)
    return reason === undefined ? [] : [{ field: place.field, value: place.value, reason }]
  })
  const matched = new Set(found.map(({ field }) => field))
  const open = places.filter((place) => !matched.has(place.field) && !isComparable(place, list))
  const fields = open.map(({ field }) => field).filter((field) => /^\/(?:readPoint|bizLocation)\b/.test(field))
  if (fields.length > 0) return { found, unknown: { fields, reason: NO_WHERE } }
  return open.length < places.length ? { found } : { found, unknown: { fields, reason: NO_PLACE } }
}

const NO_PLACE = 'The event has no location for its places.'
const NO_WHERE = 'The description of these places cannot be compared with the list.'

function isComparable(place: Place, { codes, area }: RegionList): boolean {
  if (place.kind === 'point') return area !== undefined && isPoint(place.point)
  if (place.kind === 'plot') return area !== undefined && 'plot' in place.read
  if (place.kind !== 'country') return false
  const [country = '', part] = place.value.toUpperCase().split('-', 2)
  // A country alone does not identify its region.
  return isCountryCode(country) && (part !== undefined || !codes.some((code) => code.startsWith(`${country}-`)))
}

function reasonInRegion(place: Place, { title, codes, names, area }: RegionList): string | undefined {
  if (place.kind === 'point') {
    return area !== undefined && isPoint(place.point) && isInside(place.point, area)
      ? `The coordinates lie in the area of ${title}.`
      : undefined
  }
  if (place.kind === 'plot') {
    const { read } = place
    const touches =
      area !== undefined && 'plot' in read && cornersOf(read.plot).some((corner) => isInside(corner, area))
    return touches ? `The plot lies in the area of ${title}, at least in part.` : undefined
  }
  if (place.kind === 'plotId') return undefined
  const text = place.value.toUpperCase()
  const code = codes.find((one) =>
    one.includes('-') ? isWordIn(one, text) : place.kind === 'country' && text.split('-', 1)[0] === one,
  )
  if (code !== undefined) return `The code ${code} stands for ${title}.`
  const name = names.find((one) => text.includes(one.toUpperCase()))
  return name === undefined ? undefined : `The text contains ${title} ("${name}").`
}

function isWordIn(code: string, text: string): boolean {
  const parts = text.split(code)
  return parts.some((part, at) => at > 0 && !/[A-Z0-9]$/.test(parts[at - 1] ?? '') && !/^[A-Z0-9]/.test(part))
}

function inPlots(places: readonly Place[], { plots }: PlotList): Outcome {
  const found: Found[] = []
  const valid: Plot[] = []
  const add = (place: Place, read: ReturnType<typeof plotIn>) => {
    if ('plot' in read) valid.push(read.plot)
    else
      found.push({ field: place.field, value: place.value, reason: `The plot has an invalid geometry: ${read.fault}` })
  }
  for (const place of places) {
    if (place.kind === 'plot') add(place, place.read)
    if (place.kind === 'plotId' && plots !== undefined && Object.hasOwn(plots, place.value)) {
      add(place, plotIn(plots[place.value]))
    }
    if (place.kind === 'point' && !isPoint(place.point)) {
      found.push({ field: place.field, value: place.value, reason: 'The coordinates are out of range.' })
    }
  }
  const areas = valid.filter(({ type }) => type !== 'Point')
  const points =
    areas.length === 0 ? [] : places.filter((place) => place.kind === 'point').filter(({ point }) => isPoint(point))
  for (const { field, value, point } of points.slice(0, MAX_POINTS)) {
    if (areas.some((area) => isInside(point, area))) continue
    found.push({ field, value, reason: 'The coordinates are outside the given plots.' })
  }
  const unseen = points.slice(MAX_POINTS).map(({ field }) => field)
  if (unseen.length > 0) return { found, unknown: { fields: unseen, reason: TOO_MANY_POINTS } }
  if (found.length > 0 || valid.length > 0) return { found }
  const fields = places.filter(({ kind }) => kind === 'plotId').map(({ field }) => field)
  const reason = fields.length > 0 ? NO_COORDINATES : NO_PLOT
  return { found, unknown: { fields, reason } }
}

const NO_COORDINATES = 'The coordinates of the given plot are unknown.'
const TOO_MANY_POINTS = `Only the first ${MAX_POINTS} points of an event are compared with its plots.`
const NO_PLOT = 'The event has no plot of land.'
