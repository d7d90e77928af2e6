import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isRecord, type JsonRecord } from '../../../../src/domain/record.ts'
import { ROOT } from '../../../../src/root.ts'
import { longWord, shortWord } from './cbv.ts'
import { fromUntp, toUntp } from './untp.ts'

const item = (id: string, name: string) => ({ type: ['Item'], id, name })
const common = {
  id: 'https://events.example.com/1',
  processType: 'Weaving',
  eventTime: '2026-03-01T10:00:00Z',
  action: 'add',
  disposition: 'https://ref.gs1.org/cbv/Disp-active',
  bizStep: 'https://ref.gs1.org/cbv/BizStep-commissioning',
  bizLocation: 'https://id.gs1.org/414/9520123456788',
}
const items = [item('urn:x:1', 'One'), item('urn:x:2', 'Two')]
const quantities = [{ productId: 'urn:x:3', productName: 'Three', quantity: 20, uom: 'KGM' }]

const UNTP: readonly JsonRecord[] = [
  {
    ...common,
    type: ['ObjectEvent', 'Event'],
    epcList: items,
    quantityList: quantities,
    sensorElementList: [
      {
        sensorMetadata: { device: item('urn:x:4', 'Scales'), dataProcessingMethod: 'urn:x:5' },
        sensorReport: [{ time: '2026-03-01T10:00:00Z', sensorType: 'urn:x:6', value: 25, uom: 'KGM' }],
        sensorIntegrityProof: 'urn:x:7',
      },
    ],
  },
  { ...common, type: ['TransformationEvent', 'Event'], inputEPCList: items, outputQuantityList: quantities },
  { ...common, type: ['AggregationEvent', 'Event'], parentEPC: item('urn:x:8', 'Box'), childEPCList: items },
  { ...common, type: ['AssociationEvent', 'Event'], parentEPC: item('urn:x:8', 'Car'), childQuantityList: quantities },
  {
    ...common,
    type: ['TransactionEvent', 'Event'],
    epcList: items,
    sourceParty: 'urn:x:9',
    destinationParty: 'urn:x:10',
    bizTransaction: 'urn:x:11',
  },
]

describe('UNTP and EPCIS', () => {
  test.each(UNTP.map((event) => [String([event.type].flat()[0]), event] as const))(
    '%s of UNTP becomes EPCIS and itself again',
    (_, event) => {
      const { event: epcis } = fromUntp(event)
      expect(Object.keys(epcis).some((key) => ['id', 'parentEPC', 'childEPCList', 'sourceParty'].includes(key))).toBe(
        false,
      )
      expect(toUntp(epcis)).toEqual(event)
    },
  )

  const SAMPLES = join(ROOT, '../shared/standards/epcis/samples')
  test.skipIf(!existsSync(SAMPLES))('every official sample of EPCIS becomes UNTP and itself again', () => {
    const events = globSync('**/*.jsonld', { cwd: SAMPLES }).flatMap((path) => eventsIn(join(SAMPLES, path)))
    expect(events.length).toBeGreaterThan(47)
    for (const event of events) {
      const untp = toUntp(event)
      expect(Object.keys(untp).some((key) => ['eventID', 'parentID', 'childEPCs'].includes(key))).toBe(false)
      expect(fromUntp(untp).event).toEqual(event)
    }
  })
})

function eventsIn(path: string): JsonRecord[] {
  const { epcisBody } = JSON.parse(readFileSync(path, 'utf8'))
  const { eventList } = epcisBody.queryResults?.resultsBody ?? epcisBody
  return (eventList as unknown[]).filter(isRecord)
}

test.each([
  ['shipping', 'https://ref.gs1.org/cbv/BizStep-shipping'],
  ['in_transit', 'https://ref.gs1.org/cbv/Disp-in_transit'],
])('the word %s is short for %s', (short, long) => {
  expect(longWord(short)).toBe(long)
  expect(shortWord(long)).toBe(short)
  expect(shortWord(short)).toBe(short)
})

test.each([
  'https://ref.gs1.org/cbv/BizStep-unheard_of',
  'urn:epcglobal:cbv:sdt:location',
  'https://example.com/shipping',
])('the word %s stays as it is', (word) => {
  expect(shortWord(word)).toBe(word)
  expect(longWord(word)).toBe(word)
})
