import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { schemaFindings } from '../../plugins/modules/traceability/epcis/schema-findings.ts'
import { isRecord } from '../../src/domain/record.ts'
import { ROOT } from '../../src/root.ts'
import { validateCapture } from './epcis.ts'
import { randomOf } from './numbers.ts'

// Read from a folder next to the repository if present: the official schema and samples may not be copied.
export const STANDARDS = join(ROOT, '../shared/standards/epcis')
export const hasStandards = existsSync(STANDARDS)
export const NOW = new Date('2026-11-21T12:00:00Z')

export const samplesIn = (folder: string) =>
  globSync('**/*.jsonld', { cwd: join(STANDARDS, folder) })
    .sort()
    .map((path) => [path, JSON.parse(readFileSync(join(STANDARDS, folder, path), 'utf8'))] as [string, unknown])

/** Changes official samples at random and compares each verdict with that of the official schema. The seed is fixed. */
export function compareChangedSamples(rounds: number): void {
  const samples = samplesIn('samples')
  const official = officialSchema()
  const random = randomOf(18)
  const verdicts = { valid: 0, invalid: 0 }
  for (let round = 0; round < rounds; round += 1) {
    const [, sample] = pick(samples, random)
    const changed = changedFrom(structuredClone(sample), random)
    const isValid = official(changed)
    verdicts[isValid ? 'valid' : 'invalid'] += 1
    const findings = schemaFindings(changed, 'whole')
    if (isValid !== (findings.length === 0)) {
      expect({ round, isValid, findings, changed, official: official.errors }).toBeUndefined()
    }
    // Findings point at an existing or missing member and state the remedy.
    for (const { pointer, message } of findings) {
      expect(valueAt(changed, pointer.replace(/\/[^/]*$/, ''))).toBeDefined()
      expect(message).toMatch(/^[A-Z].*\.$/)
    }
    // The gateway's rules accept nothing that EPCIS rejects.
    const isCaptured = validateCapture(changed, NOW).events !== undefined
    if (isCaptured && !official(withoutComments(changed))) expect({ round, changed }).toBeUndefined()
  }
  // Both verdicts occur often enough to tell the two schemas apart.
  expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(rounds / 10)
}

function officialSchema(): ValidateFunction {
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  return ajv.compile(JSON.parse(readFileSync(join(STANDARDS, 'EPCIS-JSON-Schema.json'), 'utf8')))
}

const pick = <Value>(list: readonly Value[], random: () => number): Value =>
  list[Math.floor(random() * list.length)] as Value

type Container = Record<string, unknown>

const TIMES = [
  '2020-01-01T00:00:00Z',
  '2020-01-01 00:00:00+01:00',
  '2020-13-01T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2020-01-01',
]
const ZONES = ['+14:00', '-14:00', '+14:01', '+13:59', '02:00', '+2:00', 'Z', '+02:60', '+00:00']
const WORDS = [
  ...['shipping', 'in_transit', 'po', 'location', 'Temperature', 'ALARM_CONDITION', 'x', 'did_not_occur', 'SHIPPING'],
  ...['urn:epcglobal:cbv:bizstep:shipping', 'urn:epcglobal:cbv:disp:active', 'cbv:BizStep-shipping'],
  ...['https://ref.gs1.org/cbv/BizStep-shipping', 'https://ns.gs1.org/cbv/BizStep-shipping'],
  ...['https://gs1.org/voc/Temperature', 'https://www.gs1.org/voc/x', 'gs1:Temperature', 'https://example.com/step'],
]
const VALUES = [
  null,
  true,
  0,
  1.5,
  '',
  'text',
  'urn:x:y',
  'https://example.com/a b',
  [],
  {},
  ['urn:x:y', 'urn:x:y'],
  [1],
  { id: 'urn:x:y' },
]
const LISTS = [[], ['urn:x:y'], [{ epcClass: 'urn:x:y' }], [{ epcClass: 'urn:x:y', uom: 'kg' }], ['urn:x:y', 'x'], [{}]]
const TYPES = [
  ...['ObjectEvent', 'AggregationEvent', 'AssociationEvent', 'TransactionEvent', 'TransformationEvent'],
  ...['EPCISDocument', 'EPCISQueryDocument', 'ex:OwnEvent', 'Unknown'],
]
/** Values worth trying, by key. */
const KEYS: Readonly<Record<string, readonly unknown[]>> = {
  type: TYPES,
  action: ['ADD', 'OBSERVE', 'DELETE', 'add', null],
  eventTime: TIMES,
  recordTime: TIMES,
  creationDate: TIMES,
  eventTimeZoneOffset: ZONES,
  schemaVersion: ['2.0', '2', 'two', 2],
  bizStep: WORDS,
  disposition: WORDS,
  persistentDisposition: [{}, { set: ['active'] }, { unset: [] }, { set: ['active', 'active'] }, { both: ['active'] }],
  eventID: ['urn:uuid:1', 'text', ''],
  certificationInfo: ['urn:x:y', ['urn:x:y'], ['text'], []],
  errorDeclaration: [
    {},
    { declarationTime: TIMES[0] },
    { declarationTime: TIMES[0], reason: 'incorrect_data', foo: 1 },
  ],
  readPoint: [{ id: 'urn:x:y' }, { id: 'text' }, {}, 'urn:x:y', { id: 'urn:x:y', 'ex:more': 1 }],
  ilmd: [{}, { 'ex:lot': 1 }, { lot: 1 }],
  parentID: ['urn:x:y', 'text'],
  transformationID: ['urn:x:y'],
  ...Object.fromEntries(
    [
      'epcList',
      'childEPCs',
      'inputEPCList',
      'outputEPCList',
      'quantityList',
      'childQuantityList',
      'inputQuantityList',
      'outputQuantityList',
    ].map((key) => [key, LISTS]),
  ),
  bizTransactionList: [
    [],
    [{ bizTransaction: 'urn:x:y' }],
    [{ type: 'po' }],
    [{ type: 'foo', bizTransaction: 'urn:x:y' }],
  ],
  sourceList: [[], [{ type: 'location', source: 'urn:x:y' }], [{ source: 'urn:x:y' }]],
  sensorElementList: [[], [{ sensorReport: [] }], [{ sensorReport: [{ type: 'Temperature', value: '20' }] }], [{}]],
  '@context': ['text', 'https://example.com/', [], [{}, {}], [{ ex: 'urn:x:' }], {}, 5],
  epcisHeader: [
    {},
    { epcisMasterData: { vocabularyList: [{ type: 'urn:x:y', vocabularyElementList: [{}] }] } },
    { foo: 1 },
  ],
  foo: VALUES,
  'ex:foo': VALUES,
  _comment: VALUES,
  'https://example.com/key': VALUES,
}

/** The sample, or one of its events, with up to three changes. */
function changedFrom(sample: unknown, random: () => number): unknown {
  const bare = random() < 0.1 ? oneEventOf(sample) : undefined
  const root = bare ?? sample
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) changeOne(root, random)
  return root
}

function oneEventOf(sample: unknown): unknown {
  const body = isRecord(sample) && isRecord(sample.epcisBody) ? sample.epcisBody : {}
  const [event] = Array.isArray(body.eventList) ? body.eventList : []
  return isRecord(event) && isRecord(sample) ? { '@context': sample['@context'], ...event } : undefined
}

function changeOne(root: unknown, random: () => number): void {
  const container = pick(containersIn(root), random)
  const keys = Object.keys(container)
  const key = keys.length === 0 ? undefined : pick(keys, random)
  const chance = random()
  if (Array.isArray(container)) {
    if (chance < 0.3 && key !== undefined) container.push(structuredClone(container[Number(key)]))
    else if (chance < 0.5) container.length = 0
    else container[Number(key ?? 0)] = structuredClone(pick(VALUES, random))
    return
  }
  if (chance < 0.2 && key !== undefined) delete container[key]
  else if (chance < 0.35 && key !== undefined) container[key] = structuredClone(pick(KEYS[key] ?? VALUES, random))
  else if (chance < 0.45 && key !== undefined) container[key] = structuredClone(pick(VALUES, random))
  else {
    const added = pick(Object.keys(KEYS), random)
    container[added] = structuredClone(pick(KEYS[added] ?? VALUES, random))
  }
}

/** Every object and list; events more often than deeper members. */
function containersIn(value: unknown, found: Container[] = []): Container[] {
  if (typeof value !== 'object' || value === null) return found
  const before = found.length
  for (const inner of Object.values(value)) containersIn(inner, found)
  const times = isRecord(value) && value.eventTime !== undefined ? 1 + found.length - before : 1
  for (let count = 0; count < times; count += 1) found.push(value as Container)
  return found
}

function valueAt(root: unknown, pointer: string): unknown {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
  return keys.reduce<unknown>((value, key) => (value as Container | undefined)?.[key], root)
}

function withoutComments(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key.startsWith('_') ? undefined : inner)))
}
