import { describe, expect, test } from 'vitest'
import {
  audienceOf,
  audienceRules,
  isAudienceList,
  isOpenTo,
  opensTo,
  type Reader,
  tierOf,
} from '../../../src/domain/audience.ts'
import { annotationFaults } from '../../../src/domain/field.ts'
import { maskedKeysFor } from '../../../src/domain/redaction.ts'
import { COMMON_SCHEMA } from '../../../src/plugin/common-schema.ts'
import { plugins } from '../../support/categories.ts'

const READERS: readonly Reader[] = ['public', 'legitimateInterest', 'authority', 'strictAuthority', 'owner']
const readersOf = (named: Parameters<typeof opensTo>[0]) => READERS.filter((reader) => opensTo(named, reader))

describe('audiences', () => {
  test.each([
    [['legitimateInterest'], ['legitimateInterest', 'authority', 'owner']],
    [['authority'], ['authority', 'strictAuthority', 'owner']],
    [
      ['legitimateInterest', 'authority'],
      ['legitimateInterest', 'authority', 'strictAuthority', 'owner'],
    ],
    [[], ['owner']],
  ] as const)('%j opens to %j', (named, readers) => {
    expect(readersOf(named)).toEqual(readers)
  })
})

test('a value without an audience is open to all, any other to its audiences', () => {
  expect(READERS.filter((reader) => isOpenTo([], reader))).toEqual(READERS)
  expect(READERS.filter((reader) => isOpenTo(['authority'], reader))).toEqual(readersOf(['authority']))
  expect(readersOf(['authority'])).not.toEqual(READERS)
})

test('a reader is one of an audience, and sees a tier of the specification', () => {
  expect(READERS.map(audienceOf)).toEqual(['public', 'legitimateInterest', 'authority', 'authority', 'owner'])
  expect(READERS.map(tierOf)).toEqual(['public', 'restricted', 'restricted', 'restricted', 'owner'])
})

describe('the rules of a category', () => {
  const common = {
    properties: { manual: { 'x-audience': ['authority'] }, note: {}, plan: { 'x-audience': ['authority'] } },
  }
  const own = { properties: { plan: { 'x-audience': ['legitimateInterest'] }, manual: {}, cells: true } }

  test('are those of the common schema, unless the category says otherwise, and facilityDetails is the owner’s', () => {
    expect(Object.fromEntries(audienceRules([common, own], ['cells', 'plan']))).toEqual({
      cells: ['legitimateInterest', 'authority'],
      plan: ['legitimateInterest'],
      manual: ['authority'],
      facilityDetails: [],
    })
  })

  test('apply without a schema, and no permission opens facilityDetails', () => {
    const rules = audienceRules([undefined], ['facilityDetails'])
    expect([...rules]).toEqual([['facilityDetails', []]])
  })

  test('hide from all but the owner what names an audience that there is not', () => {
    const rules = audienceRules([{ properties: { a: { 'x-audience': ['everybody'] }, b: { 'x-audience': [] } } }])
    expect(Object.fromEntries(rules)).toEqual({ a: [], b: [], facilityDetails: [] })
  })
})

test('the common schema names audiences as a category’s may', () => {
  expect([...annotationFaults(COMMON_SCHEMA, COMMON_SCHEMA, [])]).toEqual([])
})

// Regulation (EU) 2023/1542, Annex XIII: points 2 and 4 for legitimate interest, 2 and 3 for authorities.
test('batteries say of every hidden key whom it is for', () => {
  const schema = plugins.categories.get('batteries')?.schema
  const rules = audienceRules([COMMON_SCHEMA, schema])
  const metadata = Object.fromEntries([...rules.keys(), 'category'].map((key) => [key, 1]))
  const masked = (reader: Reader) => maskedKeysFor(metadata, reader, rules).sort()
  const [point2, point3, point4] = [
    ['circularityAndDisassembly'],
    ['complianceEvidence', 'testReportReferences'],
    ['detailedPerformance', 'lifecycleAndInUse'],
  ]
  const batteryKeys = new Set([...point2, ...point3, ...point4, 'facilityDetails'])
  const ofBatteries = (reader: Reader) => masked(reader).filter((key) => batteryKeys.has(key))
  expect(ofBatteries('public')).toEqual([...batteryKeys].sort())
  expect(ofBatteries('legitimateInterest')).toEqual(['complianceEvidence', 'facilityDetails', 'testReportReferences'])
  expect(ofBatteries('authority')).toEqual(['facilityDetails'])
  expect(ofBatteries('strictAuthority')).toEqual(['detailedPerformance', 'facilityDetails', 'lifecycleAndInUse'])
  expect(masked('owner')).toEqual([])
})

describe('values of x-audience', () => {
  test.each([[['legitimateInterest']], [['authority']], [['authority', 'legitimateInterest']]])('%j', (named) => {
    expect(isAudienceList(named)).toBe(true)
  })

  test.each([
    [[]],
    ['authority'],
    [{ length: 1 }],
    [['authority', 'authority']],
    [['authority', 'public']],
    [[1]],
    [undefined],
  ])('and %j cannot', (named) => {
    expect(isAudienceList(named)).toBe(false)
  })
})
