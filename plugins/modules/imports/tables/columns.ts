import { isDeepStrictEqual } from 'node:util'
import { beginningOf, isRecord, type Json, type JsonRecord, type Metadata } from '../../../../src/plugin/index.ts'
import {
  assertCleanText,
  ENTRY,
  MAX_KEY_CHARACTERS,
  once,
  parseGuardedJson,
  propertiesOf,
} from '../../../../src/plugin/module.ts'
import { CellFault, type Kind, valueIn } from './cell-values.ts'
import { type Cell, columnLetters, MAX_CELL_CHARACTERS, type Remark, type Row, TableError } from './table.ts'

export interface KnownColumn {
  readonly key: string
  readonly path: readonly Step[]
  readonly kind: Kind
  readonly property: JsonRecord
}

/** Member name, or list index (from 1 in headings). */
type Step = string | number

type Kinds = ReadonlyMap<string, Kind>

const LISTED_ENTRIES = 3
const MAX_ENTRIES = 1000
const MAX_STEPS = 16
/** JSON of metadata without columns; long text continues in the next column. */
const REST = ['metadata', 'metadata@2', 'metadata@3', 'metadata@4'] as const
/** Column with the error of a rejected row. */
export const ERROR = 'error'
const OUTER = ['productId', 'operatorId', 'facilityId'] as const
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])
export const MAX_ROWS_ABOVE = 10
const IDENTIFIERS: ReadonlySet<string> = new Set(['productId', 'gtin'])
const MAX_FAULTS = 20

/** Returns the metadata columns of the schemas in order; aliases and nested lists have none. */
export function columnsOf(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): KnownColumn[] {
  const columns = new Map<string, KnownColumn>()
  const texts = new Set<string>()
  for (const schema of schemas) {
    for (const [, property, trail] of propertiesOf(schema, common)) {
      const kind = kindOf(property)
      // One column for text, even if translations are allowed.
      if (trail.some((_, index) => index > 0 && texts.has(trail.slice(0, index).join('.')))) continue
      if (kind === 'text') texts.add(trail.join('.'))
      const places = trail.filter((step) => step === ENTRY).length
      if (kind === undefined || property['x-alias-of'] !== undefined || places > 1) continue
      for (let place = 0; place < (places === 0 ? 1 : LISTED_ENTRIES); place += 1) {
        const path = trail.map((step) => (step === ENTRY ? place : step))
        const key = headingFor(path)
        if (!columns.has(key) && !isReserved(key)) columns.set(key, { key, path, kind, property })
      }
    }
  }
  return [...columns.values()]
}

/** Returns a test for keys that the schemas describe: also of later entries of lists, and of translations. */
export function keyTest(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): (key: string) => boolean {
  const known = new Set<string>()
  for (const [, property, trail] of schemas.flatMap((schema) => [...propertiesOf(schema, common)])) {
    if (kindOf(property) === undefined) continue
    const key = headingFor(trail.map((step) => (step === ENTRY ? 0 : step)))
    known.add(key)
    if (isRecord(property.items) && property.items.type !== 'object') known.add(`${key}.1`)
    if (property.propertyNames !== undefined) known.add(`${key}.en`)
  }
  return (key) => {
    const first = key.replaceAll(/\.([1-9]\d*)(?=\.|$)/g, (step, place) => (Number(place) > MAX_ENTRIES ? step : '.1'))
    const translated = first.replace(/\.[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, '.en')
    return isReserved(key) || known.has(first) || known.has(translated)
  }
}

export function kindsOf(schemas: readonly (JsonRecord | undefined)[], common: JsonRecord): Kinds {
  const kinds = new Map<string, Kind>()
  for (const schema of schemas) {
    for (const [, property, trail] of propertiesOf(schema, common)) {
      const kind = kindOf(property)
      const path = trail.join('.')
      if (kind !== undefined && !kinds.has(path)) kinds.set(path, kind)
    }
  }
  return kinds
}

export function kindsByCategory(
  categories: ReadonlyMap<string, { readonly schema: JsonRecord | undefined }>,
  common: JsonRecord,
): (category: string | undefined) => Kinds {
  const ofCommon = once(() => kindsOf([common], common))
  const ofCategories = new Map(
    [...categories].map(([name, { schema }]) => [name, once(() => kindsOf([schema, common], common))]),
  )
  return (category) => (ofCategories.get(category ?? '') ?? ofCommon)()
}

function kindOf({ type, enum: values, const: value, items }: JsonRecord): Kind | undefined {
  const [first] = Array.isArray(values) ? values : [value]
  const types = type === undefined ? [typeof first] : [type].flat()
  const scalar = scalarOf(types)
  if (scalar !== undefined || !types.includes('array') || !isRecord(items)) return scalar
  // References are text unless the entry has own columns.
  const of = items.type === undefined && items.$ref !== undefined ? 'text' : scalarOf([items.type].flat())
  if (of === undefined || of === 'boolean') return undefined
  return of === 'number' ? 'numbers' : 'texts'
}

function scalarOf(types: readonly unknown[]): 'text' | 'number' | 'boolean' | undefined {
  if (types.includes('string')) return 'text'
  if (types.includes('number') || types.includes('integer')) return 'number'
  return types.includes('boolean') ? 'boolean' : undefined
}

const headingFor = (path: readonly Step[]): string =>
  path.map((step) => (typeof step === 'number' ? step + 1 : step)).join('.')

const isReserved = (key: string) =>
  (OUTER as readonly string[]).includes(key) || (REST as readonly string[]).includes(key) || isUnread(key)

interface Heading {
  readonly key: string
  readonly column: number
  readonly path: readonly Step[]
}

export interface Headings {
  readonly row: number
  readonly columns: readonly (Heading | undefined)[]
}

/**
 * Returns the headings if the row contains `productId`.
 * @throws TableError for duplicate or invalid headings
 */
export function headingsOf({ number, cells, notes = new Map(), fault }: Row): Headings | undefined {
  const texts = cells.map((cell) => (typeof cell === 'string' ? cell.trim() : cell))
  if (!texts.includes('productId')) return undefined
  if (fault !== undefined) throw new TableError(`The headings in row ${number} cannot be read. ${fault}`)
  for (const [column, note] of notes) {
    if (note.fault !== undefined) throw new TableError(`The heading in ${columnLetters(column)}${number} ${note.fault}`)
  }
  const seen = new Map<string, number>()
  const columns = texts.map((text, column): Heading | undefined => {
    if (text === undefined || text === '') return undefined
    const key = String(text)
    const place = `${columnLetters(column)}${number}`
    assertClean(key, place)
    const first = seen.get(key)
    if (first !== undefined) {
      throw new TableError(`Duplicate heading "${key}" in ${columnLetters(first)}${number} and ${place}.`)
    }
    seen.set(key, column)
    if (isUnread(key)) return { key, column, path: [] }
    return { key, column, path: isReserved(key) ? [] : pathOf(key, place) }
  })
  return { row: number, columns }
}

/** @throws TableError for characters that metadata or database reject */
function assertClean(key: string, place: string): void {
  try {
    assertCleanText(key, `The heading in ${place}`)
  } catch (error) {
    throw new TableError((error as Error).message, { cause: error })
  }
}

const isUnread = (key: string) => key.startsWith('#') || key === ERROR

function pathOf(key: string, place: string): Step[] {
  const steps = key.split('.')
  const wrong = (why: string) => new TableError(`The heading in ${place} ${why}.`)
  if (steps.length > MAX_STEPS) throw wrong(`has more than ${MAX_STEPS} steps`)
  return steps.map((step, index) => {
    if (step === '') throw wrong('has two dots in a row, or begins or ends with one')
    if (step.length > MAX_KEY_CHARACTERS) throw wrong(`has more than ${MAX_KEY_CHARACTERS} characters`)
    if (FORBIDDEN.has(step)) throw wrong(`contains "${step}", which is not allowed as a metadata name`)
    if (index === 0 || !/^[1-9][0-9]{0,5}$/.test(step)) return step
    if (Number(step) > MAX_ENTRIES) throw wrong(`has an index above ${MAX_ENTRIES}`)
    return Number(step) - 1
  })
}

interface Reading {
  readonly document: {
    readonly productId?: unknown
    readonly operatorId?: unknown
    readonly facilityId?: unknown
    readonly metadata: Metadata
  }
  readonly faults: readonly string[]
  readonly unread: ReadonlySet<string>
  readonly fault?: string | undefined
  readonly cells: readonly Cell[]
  readonly remarks: readonly Remark[]
}

/**
 * Reads a data row.
 * @param kindsFor kinds by category
 * @param category default category
 */
export function readingOf(
  { columns }: Headings,
  row: Row,
  kindsFor: (category: string | undefined) => Kinds,
  category: string | undefined,
): Reading {
  const remarks: Remark[] = [...(row.remarks ?? [])]
  const faults: string[] = []
  const unread = new Set<string>()
  const place = (column: number) => `${columnLetters(column)}${row.number}`
  const named = row.cells[columns.findIndex((heading) => heading?.key === 'category')]
  const kinds = kindsFor(typeof named === 'string' ? named.trim() : category)
  const outer: { productId?: unknown; operatorId?: unknown; facilityId?: unknown } = {}
  const metadata: Record<string, Json> = {}
  const cells = [...row.cells]
  let rest = ''
  for (const [column, cell] of row.cells.entries()) {
    const note = row.notes?.get(column)
    const heading = columns[column]
    if (cell === undefined && note === undefined) continue
    if (heading === undefined) {
      if (note?.fault !== undefined) faults.push(`${place(column)} ${note.fault}`)
      else if (String(cell).trim() !== '') faults.push(`${place(column)} has a value but no heading.`)
      continue
    }
    const { key, path } = heading
    if (isUnread(key)) continue
    try {
      if (note?.fault !== undefined) throw new CellFault(note.fault)
      if (typeof cell === 'string') assertCleanText(cell, place(column))
      if ((REST as readonly string[]).includes(key)) {
        rest += String(cell)
        continue
      }
      const kind = isReserved(key) ? 'text' : kindAt(kinds, path)
      const value = valueIn({ cell, note, kind, isIdentifier: IDENTIFIERS.has(key) })
      if (value === undefined) continue
      if (typeof value.json === 'string' && (note !== undefined || value.isPadded === true)) cells[column] = value.json
      if (value.isPadded === true) remarks.push({ code: 'GTIN_PADDED', place: place(column) })
      if (isReserved(key)) Object.assign(outer, { [key]: value.json })
      else if (!put(metadata, path, value.json)) faults.push(`${place(column)} (${key}) contradicts another column.`)
    } catch (error) {
      const isFault = error instanceof CellFault
      faults.push(isFault ? `${place(column)} (${key}) ${error.message}` : (error as Error).message)
      unread.add(isReserved(key) ? key : pathText(path))
      // A placeholder, so that the member is not reported as missing.
      const text = isFault ? String(cell ?? '') : '?'
      if (isReserved(key)) Object.assign(outer, { [key]: text })
      else put(metadata, path, text)
    }
  }
  removeGaps(metadata)
  const broken = addRest(metadata, rest, row.number)
  if (metadata.category === undefined && category !== undefined) metadata.category = category
  return {
    document: { ...outer, metadata },
    faults: faults.slice(0, MAX_FAULTS),
    ...{ unread, fault: row.fault ?? broken, cells, remarks },
  }
}

/** Merges members without columns. @returns an error, or undefined */
function addRest(metadata: Record<string, Json>, rest: string, row: number): string | undefined {
  if (rest === '') return undefined
  const more = parsedRest(rest)
  if (more === undefined) return `The column metadata of row ${row} is not a JSON object.`
  const twice = Object.keys(more).find((key) => Object.hasOwn(metadata, key))
  if (twice !== undefined) return `${twice} is in a separate column and in the column metadata. Remove one.`
  Object.assign(metadata, more)
  return undefined
}

function kindAt(kinds: Kinds, path: readonly Step[]): Kind | undefined {
  const steps = path.map((step) => (typeof step === 'number' ? ENTRY : step))
  const known = kinds.get(steps.join('.'))
  return known ?? (kinds.get(steps.slice(0, -1).join('.')) === 'text' ? 'text' : undefined)
}

/** Returns false if the place is occupied. */
function put(target: Record<string, Json>, path: readonly Step[], value: Json): boolean {
  let at: Record<Step, unknown> = target
  for (const [index, step] of path.entries()) {
    if (Array.isArray(at) !== (typeof step === 'number')) return false
    if (index === path.length - 1) {
      if (Object.hasOwn(at, step)) return false
      at[step] = value
      return true
    }
    if (!Object.hasOwn(at, step)) at[step] = typeof path[index + 1] === 'number' ? [] : {}
    const next = at[step]
    if (typeof next !== 'object' || next === null) return false
    at = next as Record<Step, unknown>
  }
  return false
}

function removeGaps(target: unknown): void {
  if (Array.isArray(target)) target.splice(0, target.length, ...target.filter((entry) => entry !== undefined))
  if (typeof target === 'object' && target !== null) for (const value of Object.values(target)) removeGaps(value)
}

function parsedRest(text: string): Record<string, Json> | undefined {
  try {
    const value = parseGuardedJson(Buffer.from(text))
    return isRecord(value) ? (value as Record<string, Json>) : undefined
  } catch {
    return undefined
  }
}

export interface Exported {
  readonly id: string
  readonly productId: string
  readonly status: string
  readonly operator: string
  readonly metadata: Metadata
}

const ABOUT = ['#id', '#status', '#operator'] as const
const TOO_LONG = '#incomplete'

export function exporter(columns: readonly KnownColumn[], kindsFor: (category: string | undefined) => Kinds) {
  const keys = ['productId', ...columns.map(({ key }) => key), ...REST, ...ABOUT, TOO_LONG]
  const headings = headingsOf({ number: 1, cells: keys })
  if (headings === undefined) throw new Error('The heading productId is missing.')
  const known = new Set(columns.map(({ path }) => path[0]))
  return { keys, cellsOf }

  function cellsOf({ id, productId, status, operator, metadata }: Exported): Cell[] {
    const category = typeof metadata.category === 'string' ? metadata.category : undefined
    const kinds = kindsFor(category?.trim())
    const cells = columns.map(({ path }) => cellOf(valueAt(metadata, path), kindAt(kinds, path)))
    // Values that do not survive reading are written as JSON.
    const { document, unread } = readingOf(headings as Headings, asText(['x', ...cells]), () => kinds, undefined)
    const read = document.metadata
    const refused = new Set([...unread].map((path) => path.replace(/[.[].*$/, '')))
    const isLost = (key: string) => !known.has(key) || refused.has(key) || !isDeepStrictEqual(read[key], metadata[key])
    const lost = new Set(Object.keys(metadata).filter(isLost))
    const written = cells.map((cell, index) => (lost.has(String(columns[index]?.path[0])) ? undefined : cell))
    const rest = lost.size === 0 ? '' : JSON.stringify(Object.fromEntries([...lost].map((key) => [key, metadata[key]])))
    const pieces: (string | undefined)[] = []
    let left = rest
    for (let place = 0; place < REST.length; place += 1) {
      const piece = beginningOf(left, MAX_CELL_CHARACTERS)
      pieces.push(piece === '' ? undefined : piece)
      left = left.slice(piece.length)
    }
    if (left !== '') pieces.fill(undefined)
    return [productId, ...written, ...pieces, id, status, operator, left === '' ? undefined : true]
  }
}

const asText = (cells: readonly Cell[]): Row => ({
  number: 1,
  cells: cells.map((cell) => (cell === undefined ? undefined : String(cell))),
})

function valueAt(metadata: Metadata, path: readonly Step[]): unknown {
  let at: unknown = metadata
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<Step, unknown>)[step]
  }
  return at
}

function cellOf(value: unknown, kind: Kind | undefined): Cell {
  if (kind === 'texts' || kind === 'numbers') {
    if (!Array.isArray(value)) return undefined
    const text = value.map(String).join('; ')
    return text === '' || text.length > MAX_CELL_CHARACTERS ? undefined : text
  }
  const isKind = typeof value === (kind === 'text' ? 'string' : kind)
  if (!isKind || (typeof value === 'string' && (value === '' || value.length > MAX_CELL_CHARACTERS))) return undefined
  return value as Cell
}

export function cellAt(headings: Headings, { number, cells }: Row, path: string): string | undefined {
  const column = columnAt(headings, path)
  return column === undefined || cells[column] === undefined ? undefined : `${columnLetters(column)}${number}`
}

export function headingAt(headings: Headings, path: string): string | undefined {
  const column = columnAt(headings, path)
  return column === undefined ? undefined : `${columnLetters(column)}${headings.row}`
}

const columnAt = ({ columns }: Headings, path: string): number | undefined =>
  columns.find(
    (heading) => heading !== undefined && (isReserved(heading.key) ? heading.key : pathText(heading.path)) === path,
  )?.column

const pathText = (path: readonly Step[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('')
