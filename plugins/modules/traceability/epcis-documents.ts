import type { JsonRecord } from '../../../src/plugin/index.ts'
import { EPCIS_CONTEXT } from './epcis/credential-events.ts'
import type { components } from './generated.ts'
import type { StoredTraceEvent } from './trace-rows.ts'

type Schemas = components['schemas']

export function epcisDocument(events: readonly StoredTraceEvent[]): Schemas['EpcisDocument'] {
  const { '@context': context, eventList } = listOf(events)
  return { '@context': context, type: 'EPCISDocument', ...head(), epcisBody: { eventList } }
}

export function queryDocument(events: readonly StoredTraceEvent[]): Schemas['EpcisQueryDocument'] {
  const { '@context': context, eventList } = listOf(events)
  return {
    '@context': context,
    type: 'EPCISQueryDocument',
    ...head(),
    epcisBody: { queryResults: { queryName: 'SimpleEventQuery', resultsBody: { eventList } } },
  }
}

const head = () => ({ schemaVersion: '2.0', creationDate: new Date().toISOString() }) as const

function listOf(rows: readonly StoredTraceEvent[]): {
  '@context': (string | JsonRecord)[]
  eventList: Schemas['BareEpcisEvent'][]
} {
  const contexts = new Map<string, string | JsonRecord>([[JSON.stringify(EPCIS_CONTEXT), EPCIS_CONTEXT]])
  const eventList = rows.map(({ event, recordedAt }) => {
    const { '@context': own, ...bare } = event
    for (const one of [own].flat()) if (one !== undefined) contexts.set(JSON.stringify(one), one as string | JsonRecord)
    return { ...bare, recordTime: recordedAt } as unknown as Schemas['BareEpcisEvent']
  })
  return { '@context': [...contexts.values()], eventList }
}
