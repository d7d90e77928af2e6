import { createHash } from 'node:crypto'
import { dictionary, isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { instantOf } from './event-time.ts'
import { itemKey } from './item-key.ts'

interface Part {
  readonly key: string
  /** Replaces the key. */
  readonly as?: string
  /** Precedes each element; the key then precedes the list. */
  readonly item?: string
  readonly parts?: readonly Part[]
  readonly words?: string
  readonly isTime?: boolean
}

const STEP = 'https://ref.gs1.org/cbv/BizStep-'
const DISPOSITION = 'https://ref.gs1.org/cbv/Disp-'
const VOCABULARY = 'https://ref.gs1.org/voc/'
const text = (...keys: string[]): Part[] => keys.map((key) => ({ key }))
const time = (key: string): Part => ({ key, isTime: true })
const epcs = (key: string): Part => ({ key, item: 'epc' })
const quantities = (key: string): Part => ({ key, item: 'quantityElement', parts: text('epcClass', 'quantity', 'uom') })
const typed = (key: string, name: string, words: string): Part => ({
  key,
  item: '',
  parts: [{ key: 'type', words }, { key: name }],
})

/** CBV 2.0, section 8.9. */
const ORDER: readonly Part[] = [
  time('eventTime'),
  ...text('eventTimeZoneOffset'),
  epcs('epcList'),
  ...text('parentID'),
  epcs('inputEPCList'),
  epcs('childEPCs'),
  quantities('quantityList'),
  quantities('childQuantityList'),
  quantities('inputQuantityList'),
  epcs('outputEPCList'),
  quantities('outputQuantityList'),
  ...text('action', 'transformationID'),
  { key: 'bizStep', words: STEP },
  { key: 'disposition', words: DISPOSITION },
  {
    key: 'persistentDisposition',
    parts: [
      { key: 'set', words: DISPOSITION },
      { key: 'unset', words: DISPOSITION },
    ],
  },
  { key: 'readPoint', parts: text('id') },
  { key: 'bizLocation', parts: text('id') },
  typed('bizTransactionList', 'bizTransaction', 'https://ref.gs1.org/cbv/BTT-'),
  typed('sourceList', 'source', 'https://ref.gs1.org/cbv/SDT-'),
  typed('destinationList', 'destination', 'https://ref.gs1.org/cbv/SDT-'),
  {
    key: 'sensorElementList',
    as: 'sensorElement',
    parts: [
      {
        key: 'sensorMetadata',
        parts: [
          ...['time', 'startTime', 'endTime'].map(time),
          ...text('deviceID', 'deviceMetadata', 'rawData', 'dataProcessingMethod', 'bizRules'),
        ],
      },
      {
        key: 'sensorReport',
        parts: [
          { key: 'type', words: VOCABULARY },
          { key: 'exception', words: VOCABULARY },
          ...text('deviceID', 'deviceMetadata', 'rawData', 'dataProcessingMethod'),
          time('time'),
          ...text('microorganism', 'chemicalSubstance', 'value'),
          { key: 'component', words: 'https://ref.gs1.org/cbv/Comp-' },
          ...text('stringValue', 'booleanValue', 'hexBinaryValue', 'uriValue'),
          ...text('minValue', 'maxValue', 'meanValue', 'sDev', 'percRank', 'percValue', 'uom'),
          ...text('coordinateReferenceSystem'),
        ],
      },
    ],
  },
]

const IGNORED = new Set(['@context', 'type', 'eventID', 'recordTime', 'certificationInfo', 'errorDeclaration'])
const COMMENTS = new Set(['#text', 'rdfs:comment', 'comment'])

/** CBV words as URNs (EPCIS 1.2). */
const URNS: readonly (readonly [string, string])[] = [
  ['urn:epcglobal:cbv:bizstep:', STEP],
  ['urn:epcglobal:cbv:disp:', DISPOSITION],
  ['urn:epcglobal:cbv:btt:', 'https://ref.gs1.org/cbv/BTT-'],
  ['urn:epcglobal:cbv:sdt:', 'https://ref.gs1.org/cbv/SDT-'],
]

const WELL_KNOWN = {
  cbv: 'https://ref.gs1.org/cbv/',
  epcis: 'https://ref.gs1.org/epcis/',
  cbvmda: 'urn:epcglobal:cbv:mda',
}

/**
 * Returns the EPCIS event hash (CBV 2.0, section 8.9; RFC 6920), independent of spelling and `eventID`. An `errorDeclaration` has the hash
 * of the voided event.
 * @param contexts of the document, then of the event
 */
export function eventHash(event: JsonRecord, contexts: readonly unknown[]): string {
  const digest = createHash('sha256').update(canonicalText(event, contexts)).digest('hex')
  return `ni:///sha-256;${digest}?ver=CBV2.0`
}

export function canonicalText(event: JsonRecord, contexts: readonly unknown[]): string {
  const names = prefixes(contexts)
  return `eventType=${event.type}${inOrder(event, ORDER, names)}${leftOver(event, ORDER, names, IGNORED)}`
}

type Prefixes = Readonly<Record<string, string>>

function prefixes(contexts: readonly unknown[]): Prefixes {
  const declared = contexts.flat().filter(isRecord)
  const pairs = declared.flatMap((context) =>
    Object.entries(context).map(([prefix, term]) => [prefix, isRecord(term) ? term['@id'] : term] as const),
  )
  const own = Object.fromEntries(pairs.filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string'))
  return dictionary({ ...WELL_KNOWN, ...own, gs1: VOCABULARY })
}

function inOrder(record: JsonRecord, parts: readonly Part[], names: Prefixes): string {
  let text = ''
  for (const part of parts) text += written(part, record[part.key], names)
  return text
}

function written(part: Part, value: unknown, names: Prefixes): string {
  if (value === undefined) return ''
  const name = part.as ?? part.key
  const before = part.item ?? name
  const texts: string[] = []
  for (const one of listed(value)) {
    const body = bodyOf(part, one, names)
    if (body !== '') texts.push(`${before}${body}`)
  }
  if (texts.length === 0) return ''
  return `${part.item === undefined ? '' : name}${texts.sort().join('')}`
}

function bodyOf(part: Part, value: unknown, names: Prefixes): string {
  if (part.parts !== undefined) return isRecord(value) ? inOrder(value, part.parts, names) : ''
  if (typeof value !== 'string') return `=${canonical(value, names)}`
  if (part.isTime === true) return `=${instantOf(value).toISOString()}`
  if (part.words !== undefined && /^\w+$/.test(value)) return `=${part.words}${value}`
  return `=${canonical(value, names)}`
}

function leftOver(record: JsonRecord, parts: readonly Part[], names: Prefixes, ignored = COMMENTS): string {
  const texts: string[] = []
  for (const [key, value] of Object.entries(record)) {
    if (ignored.has(key) || COMMENTS.has(key)) continue
    const part = parts.find((one) => one.key === key)
    if (part === undefined) texts.push(...generic(key, value, names))
    else if (part.parts !== undefined) {
      for (const one of listed(value)) {
        const rest = isRecord(one) ? leftOver(one, part.parts, names) : ''
        if (rest !== '') texts.push(`${part.as ?? key}${rest}`)
      }
    }
  }
  return texts.sort().join('')
}

function generic(key: string, value: unknown, names: Prefixes): string[] {
  const name = nameOf(key, names)
  return listed(value).map((one) => {
    if (isRecord(one)) return `${name}${leftOver(one, [], names)}`
    const content = canonical(one, names)
    return content === '' ? name : `${name}=${content}`
  })
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Returns `{namespace}local` for a prefixed key. */
function nameOf(key: string, names: Prefixes): string {
  const at = key.indexOf(':')
  const namespace = at === -1 ? undefined : names[key.slice(0, at)]
  return namespace === undefined ? key : `{${namespace}}${key.slice(at + 1)}`
}

function canonical(value: unknown, names: Prefixes): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim()
  const at = text.indexOf(':')
  const urn = at === -1 ? undefined : URNS.find(([short]) => text.startsWith(short))
  if (urn !== undefined) return urn[1] + text.slice(urn[0].length)
  if (/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) return numberText(text)
  if (at === -1) return text
  const { key } = itemKey(text)
  if (key !== text) return `https://id.gs1.org${key.replace(ENCODED_MARKS, decodeURIComponent)}`
  const namespace = names[text.slice(0, at)]
  const isOfGs1 = namespace?.startsWith('https://ref.gs1.org') || namespace?.startsWith('https://gs1.org')
  return isOfGs1 ? namespace + text.slice(at + 1) : text
}

/** Other implementations leave these unescaped in hashes. */
const ENCODED_MARKS = /%2[1789A]/g

/** Formats numbers like other implementations. Digits beyond double precision stay unchanged. */
function numberText(text: string): string {
  const number = Number(text)
  if (text.replace(/\D/g, '').length > 15 || !Number.isFinite(number)) return text
  if (Number.isInteger(number)) return BigInt(number).toString()
  if (Math.abs(number) >= 1e-4) return String(number)
  return number.toExponential().replace(/e-(\d)$/, 'e-0$1')
}
