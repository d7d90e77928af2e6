import { isRecord, type JsonRecord } from '../record.ts'
import type { CapturedEvent } from './event.ts'
import { isInside, isPoint, meansPlot, type Plot, type Point, plotIn } from './geometry.ts'
import { pointerPart } from './schema-findings.ts'
import shipped from './screening-lists.json' with { type: 'json' }

/** What a list is, where it comes from and of when it is. */
export interface ScreeningSource {
  readonly id: string
  readonly title: string
  readonly law: string
  readonly source: string
  readonly date: string
  readonly note?: string
}

/** Places that a law names: by ISO 3166 codes, names in lower case, and perhaps an area. */
interface RegionList extends ScreeningSource {
  readonly kind: 'region'
  readonly codes: readonly string[]
  readonly names: readonly string[]
  readonly area?: Plot
}

/** Plots of land, by their ids; events may bring their own. */
interface PlotList extends ScreeningSource {
  readonly kind: 'plots'
  readonly plots?: Readonly<Record<string, unknown>>
}

export type ScreeningList = RegionList | PlotList

/** The lists of this repository (`screening-lists.json`). */
export const SCREENING_LISTS = shipped as unknown as readonly ScreeningList[]

/** What of an event agrees with an entry of a list, or contradicts what a list asks for. It proves nothing by itself. */
export interface ScreeningMatch {
  readonly eventId: string
  /** JSON pointer into the event. */
  readonly field: string
  readonly value: string
  readonly list: string
  readonly source: string
  readonly date: string
  readonly reason: string
}

/** An event that could not be compared with a list: nothing follows from its having no match. */
export interface NotScreened {
  readonly eventId: string
  readonly list: string
  readonly reason: string
}

/** What a screening came to. It never says that anything is compliant. */
export interface Screening {
  readonly lists: readonly ScreeningSource[]
  readonly matches: readonly ScreeningMatch[]
  readonly notScreened: readonly NotScreened[]
}

/** How many of its places are looked at in one event. */
const MOST_PLACES = 200
const MOST_VALUE_CHARACTERS = 200

/** Compares events with named lists, and says of every match what it rests on. */
export function screen(
  events: readonly Pick<CapturedEvent, 'eventId' | 'event'>[],
  lists: readonly ScreeningList[] = SCREENING_LISTS,
): Screening {
  const matches: ScreeningMatch[] = []
  const notScreened: NotScreened[] = []
  for (const { eventId, event } of events) {
    const places = placesIn(event)
    for (const list of lists) {
      const { found, unknown } = list.kind === 'region' ? inRegion(places, list) : inPlots(places, list)
      const { id, source, date } = list
      matches.push(...found.map((one) => ({ eventId, ...one, list: id, source, date })))
      if (unknown !== undefined) notScreened.push({ eventId, list: id, reason: unknown })
    }
  }
  const sources = lists.map(({ id, title, law, source, date, note }) => ({ id, title, law, source, date, note }))
  return { lists: sources, matches, notScreened }
}

/** What an event says of where it happened or where something comes from. */
type Place =
  | { readonly kind: 'point'; readonly field: string; readonly value: string; readonly point: Point }
  | { readonly kind: 'country' | 'text' | 'plotId'; readonly field: string; readonly value: string }
  | { readonly kind: 'plot'; readonly field: string; readonly value: string; readonly geometry: unknown }

type Found = Pick<ScreeningMatch, 'field' | 'value' | 'reason'>
interface Outcome {
  readonly found: readonly Found[]
  /** Why the event could not be compared. */
  readonly unknown?: string
}

/** Fields of EPCIS that name places; extensions may too. */
const PLACE_FIELDS = new Set(['readPoint', 'bizLocation', 'sourceList', 'destinationList', 'ilmd'])
const COUNTRY_KEY = /country/i
const PLOT_KEY = /plotId$/i

function placesIn(event: JsonRecord): Place[] {
  const places: Place[] = []
  const look = (value: unknown, field: string, key: string): void => {
    if (places.length >= MOST_PLACES) return
    if (typeof value === 'string') places.push(placeOf(value, field, key))
    if (Array.isArray(value)) for (const [index, one] of value.entries()) look(one, `${field}/${index}`, key)
    if (!isRecord(value)) return
    const point = { latitude: value.latitude as number, longitude: value.longitude as number }
    if (typeof point.latitude === 'number' && typeof point.longitude === 'number') {
      places.push({ kind: 'point', field, value: `${point.latitude},${point.longitude}`, point })
    }
    if (meansPlot(value)) {
      places.push({ kind: 'plot', field, value: String(value.type), geometry: value })
      return
    }
    for (const [inner, one] of Object.entries(value)) look(one, `${field}/${pointerPart(inner)}`, inner)
  }
  for (const [key, value] of Object.entries(event)) {
    if (PLACE_FIELDS.has(key) || key.includes(':')) look(value, `/${pointerPart(key)}`, key)
  }
  return places
}

function placeOf(text: string, field: string, key: string): Place {
  const value = text.slice(0, MOST_VALUE_CHARACTERS)
  // RFC 5870: latitude, longitude and perhaps altitude, then parameters.
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
  if (found.length > 0) return { found }
  const isComparable = places.some((place) =>
    place.kind === 'point'
      ? list.area !== undefined && isPoint(place.point)
      : place.kind === 'country' || (place.kind === 'text' && /\b[A-Z]{2}-[A-Z0-9]{1,3}\b/.test(place.value)),
  )
  return isComparable ? { found } : { found, unknown: places.length === 0 ? NO_PLACE : NO_WHERE }
}

const NO_PLACE = 'The event names no place.'
const NO_WHERE = 'The event names places by identifiers only, which do not say where they are.'

function reasonInRegion(place: Place, { title, codes, names, area }: RegionList): string | undefined {
  if (place.kind === 'point') {
    return area !== undefined && isPoint(place.point) && isInside(place.point, area)
      ? `The coordinates lie in the area of ${title}.`
      : undefined
  }
  if (place.kind === 'plot' || place.kind === 'plotId') return undefined
  const text = place.value.toUpperCase()
  const words = new Set(text.split(/[^A-Z0-9-]/))
  const code = codes.find((one) => (one.includes('-') || place.kind === 'country' ? isCodeIn(one, text, words) : false))
  if (code !== undefined) return `The code ${code} stands for ${title}.`
  const name = names.find((one) => text.includes(one.toUpperCase()))
  return name === undefined ? undefined : `The text names ${title} ("${name}").`
}

/** A country as the whole value or the beginning of a code of its part; a part of a country as a word of the text. */
const isCodeIn = (code: string, text: string, words: ReadonlySet<string>) =>
  code.includes('-') ? words.has(code) : text === code || text.startsWith(`${code}-`)

function inPlots(places: readonly Place[], { plots }: PlotList): Outcome {
  const found: Found[] = []
  const valid: Plot[] = []
  const add = (place: Place, geometry: unknown) => {
    const read = plotIn(geometry)
    if ('plot' in read) valid.push(read.plot)
    else found.push({ field: place.field, value: place.value, reason: `The plot is not described: ${read.fault}` })
  }
  for (const place of places) {
    if (place.kind === 'plot') add(place, place.geometry)
    if (place.kind === 'plotId' && plots !== undefined && Object.hasOwn(plots, place.value)) {
      add(place, plots[place.value])
    }
    if (place.kind === 'point' && !isPoint(place.point)) {
      found.push({ field: place.field, value: place.value, reason: 'The coordinates are beyond the globe.' })
    }
  }
  const areas = valid.filter(({ type }) => type !== 'Point')
  for (const place of areas.length === 0 ? [] : places) {
    if (place.kind !== 'point' || !isPoint(place.point) || areas.some((area) => isInside(place.point, area))) continue
    found.push({
      field: place.field,
      value: place.value,
      reason: 'The coordinates lie outside of the plots that are named.',
    })
  }
  if (found.length > 0 || valid.length > 0) return { found }
  const isNamed = places.some(({ kind }) => kind === 'plotId')
  return {
    found,
    unknown: isNamed ? 'The plot is named, and its coordinates are not known.' : 'The event names no plot of land.',
  }
}
