import { dictionary } from '../../../src/plugin/index.ts'
import { badRequest, momentOf } from '../../../src/plugin/module.ts'
import { shortWord } from './epcis/cbv.ts'
import { itemKey } from './epcis/item-key.ts'
import type { TraceQuery } from './trace-rows.ts'

export type Query = Readonly<Record<string, string | undefined>>

const FIELDS = {
  MATCH_epc: ['epcList', 'childEPCs'],
  MATCH_parentID: ['parentID'],
  MATCH_inputEPC: ['inputEPCList'],
  MATCH_outputEPC: ['outputEPCList'],
  MATCH_anyEPC: ['epcList', 'childEPCs', 'inputEPCList', 'outputEPCList', 'parentID'],
  MATCH_epcClass: ['quantityList', 'childQuantityList'],
  MATCH_inputEPCClass: ['inputQuantityList'],
  MATCH_outputEPCClass: ['outputQuantityList'],
  MATCH_anyEPCClass: ['quantityList', 'childQuantityList', 'inputQuantityList', 'outputQuantityList'],
} as const satisfies Record<string, TraceQuery['items'][number]['fields']>
const COLUMNS = {
  eventType: 'type',
  EQ_action: 'action',
  EQ_bizStep: 'bizStep',
  EQ_disposition: 'disposition',
  EQ_readPoint: 'readPoint',
  EQ_bizLocation: 'bizLocation',
  EQ_transformationID: 'transformationId',
  EQ_eventID: 'eventId',
} as const
const WORDS: ReadonlySet<string> = new Set(['EQ_bizStep', 'EQ_disposition'])

const TYPES = ['ObjectEvent', 'AggregationEvent', 'TransactionEvent', 'TransformationEvent', 'AssociationEvent']
const CHOICES = dictionary<readonly string[]>({ EQ_action: ['ADD', 'OBSERVE', 'DELETE'], eventType: TYPES })

/** Splits at bars (EPCIS 2.0) or commas; keeps the whole text too, since `geo:` addresses contain commas. */
function valuesIn(text: string): string[] {
  const values = text.includes('|') ? text.split('|') : [text, ...text.split(',')]
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))]
}

/** @throws Problem 400 for an invalid time, action or type */
export function toTraceQuery(parameters: Query): TraceQuery {
  const values = (name: string) => {
    const text = parameters[name] ?? ''
    const choices = CHOICES[name]
    if (choices === undefined) return valuesIn(text)
    const given = text.split(/[|,]/).map((value) => value.trim())
    const wrong = given.find((value) => !choices.includes(value))
    if (wrong !== undefined) throw badRequest(`Invalid ${name} "${wrong}". Allowed: ${choices.join(', ')}.`)
    return given
  }
  const named = <T extends string>(names: readonly T[]) => names.filter((name) => parameters[name] !== undefined)
  const time = (name: string) => {
    const text = parameters[name]
    if (text === undefined) return null
    const moment = momentOf(text)
    if (moment === undefined) {
      const hint = /\d \d\d:?\d\d$/.test(text) ? ' Encode a plus sign in a URL as %2B.' : ''
      throw badRequest(`${name} must be an ISO 8601 timestamp with a time zone.${hint}`)
    }
    return moment
  }
  return {
    items: named(Object.keys(FIELDS) as (keyof typeof FIELDS)[]).map((name) => ({
      fields: FIELDS[name],
      keys: values(name).map((uri) => itemKey(uri).key),
    })),
    equal: named(Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]).map((name) => ({
      column: COLUMNS[name],
      values: WORDS.has(name) ? values(name).map(shortWord) : values(name),
    })),
    eventFrom: time('GE_eventTime'),
    eventBefore: time('LT_eventTime'),
    recordedFrom: time('GE_recordTime'),
    recordedBefore: time('LT_recordTime'),
    after: parameters.nextPageToken ?? '0',
  }
}
