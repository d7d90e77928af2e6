import { describe, expect, test } from 'vitest'
import {
  compareChangedSamples,
  hasStandards,
  NOW,
  STANDARDS,
  samplesIn,
} from '../../../../test/support/changed-samples.ts'
import { validateCapture } from '../../../../test/support/epcis.ts'
import { schemaFindings } from './schema-findings.ts'

describe.skipIf(!hasStandards)(`with ${STANDARDS}`, () => {
  const samples = hasStandards ? samplesIn('samples') : []

  test('all official samples are accepted', () => {
    expect(samples).toHaveLength(47)
    const refused = samples.flatMap(([path, sample]) => {
      const findings = [...schemaFindings(sample, 'whole'), ...(validateCapture(sample, NOW).findings ?? [])]
      return findings.map((finding) => ({ path, ...finding }))
    })
    expect(refused).toEqual([])
  })

  test('the verdict is the official one on changed samples (trials/event-schema tries more)', () =>
    compareChangedSamples(1000))

  const published = hasStandards ? samplesIn('samples-dpp-ready') : []

  test.each(published)('%s of OpenEPCIS is taken, or refused with these findings', (path, sample) => {
    const { events, findings = [] } = validateCapture(sample, NOW)
    const place = (pointer: string) => pointer.replaceAll(/\/\d+/g, '/*').replace('/epcisBody/eventList/*', '')
    const codes = [...new Set(findings.map(({ pointer, code }) => `${code} ${place(pointer)}`))].sort()
    expect(codes).toEqual([...(REFUSED[path.replace(/\.jsonld$/, '')] ?? [])].sort())
    expect(events === undefined).toBe(codes.length > 0)
  })

  test('published samples that no leniency makes valid are rejected', () => {
    expect(published).toHaveLength(46)
    expect(Object.keys(REFUSED)).toHaveLength(29)
  })
})

const TRANSACTION = 'CBV_TRANSACTION /bizTransactionList/*/type'
const SOURCE = 'CBV_PARTY /sourceList/*/type'
const DESTINATION = 'CBV_PARTY /destinationList/*/type'
const VALUE = 'NUMBER /sensorElementList/*/sensorReport/*/value'
const STEPS = ['CBV_DISPOSITION /disposition', 'CBV_STEP /bizStep']

const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'eu/battery/amperia-staxwall-lifecycle': [DESTINATION, SOURCE, TRANSACTION, VALUE, 'UNKNOWN_KEY /action'],
  'eu/battery/carbon-footprint': [TRANSACTION, VALUE],
  'eu/battery/commissioning': [DESTINATION, SOURCE, TRANSACTION],
  'eu/battery/negative-event': ['CBV_REASON /errorDeclaration/reason', TRANSACTION],
  'eu/battery/ownership-transfer': [DESTINATION, SOURCE, TRANSACTION],
  'eu/battery/regulatory-notification': [SOURCE, TRANSACTION],
  'eu/battery/shipping': [DESTINATION, SOURCE, TRANSACTION],
  'eu/battery/state-of-certified-energy': [VALUE],
  'eu/battery/state-of-health': [VALUE],
  'eu/battery/temperature-extreme': [VALUE],
  'eu/detergent/commissioning': [DESTINATION, SOURCE],
  'eu/electronics/commissioning': [...STEPS, VALUE],
  'eu/electronics/component-replacement': [...STEPS, TRANSACTION],
  'eu/electronics/ownership-transfer': [
    'CBV_DISPOSITION /disposition',
    DESTINATION,
    SOURCE,
    'CBV_STEP /bizStep',
    TRANSACTION,
  ],
  'eu/electronics/software-update': [...STEPS, TRANSACTION],
  'eu/electronics/weee-disposal': [...STEPS],
  'eu/eudr/due-diligence-statement': [SOURCE, TRANSACTION],
  'eu/eudr/exemption-declaration': [SOURCE, TRANSACTION],
  'eu/eudr/harvesting': [SOURCE, TRANSACTION, VALUE],
  'eu/eudr/origin-declaration': [DESTINATION, SOURCE, TRANSACTION],
  'eu/eudr/processing': [SOURCE, TRANSACTION],
  'eu/eudr/supply-chain-transfer': [DESTINATION, SOURCE, TRANSACTION],
  'eu/iron-steel/transformation-rolling': ['UNKNOWN_KEY /action'],
  'eu/ppwr/deposit-return': [VALUE],
  'eu/ppwr/ownership-transfer': [DESTINATION, SOURCE, TRANSACTION],
  'eu/ppwr/recovery': [SOURCE],
  'eu/textile/commissioning': [DESTINATION, SOURCE, TRANSACTION],
  'eu/textile/fjordline-aurora-lifecycle': [DESTINATION, SOURCE, TRANSACTION],
  'upstream/gs1-rail/wheel-temperature-sensor': [
    'UNKNOWN_KEY /sensorElementList/*/sensorMetadata/visibility',
    'UNKNOWN_KEY /sensorElementList/*/sensorReport/*/leftValue',
    'UNKNOWN_KEY /sensorElementList/*/sensorReport/*/rightValue',
  ],
}
