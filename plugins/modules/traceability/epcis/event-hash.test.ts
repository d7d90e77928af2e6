import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { JsonRecord } from '../../../../src/domain/record.ts'
import { ROOT } from '../../../../src/root.ts'
import { canonicalText, eventHash } from './event-hash.ts'

// Expected values of the reference implementation (github.com/RalphTro/epcis-event-hash-generator, commits d8d8746 and
// 084b003, tests/examples/expected/CBV2.0), for its tests/examples/documents.
const EPCIS = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
const EXAMPLE = { example: 'https://ns.example.com/epcis/' }
const name = (digest: string) => `ni:///sha-256;${digest}?ver=CBV2.0`

const seen = {
  type: 'ObjectEvent',
  eventTime: '2020-03-04T11:00:30+01:00',
  eventTimeZoneOffset: '+01:00',
  epcList: ['urn:epc:id:sgtin:0614141.011111.987'],
  action: 'OBSERVE',
  bizStep: 'departing',
  disposition: 'in_transit',
  readPoint: { id: 'urn:epc:id:sgln:4012345.00011.0', 'example:myField1': 'AB-12' },
  bizTransactionList: [{ type: 'po', bizTransaction: 'urn:epc:id:gdti:4012345.11111.123' }],
  sourceList: [{ type: 'owning_party', source: 'urn:epc:id:pgln:4012345.00000' }],
  destinationList: [{ type: 'owning_party', destination: 'urn:epc:id:pgln:0614141.00000' }],
  'example:userExt': 'CD-34',
}

const shipped = { type: 'ObjectEvent', eventTimeZoneOffset: '+01:00', action: 'OBSERVE' }
const unpacked = {
  type: 'AggregationEvent',
  eventTime: '2019-10-21T14:02:56.000+02:00',
  eventTimeZoneOffset: '+02:00',
  parentID: 'urn:epc:id:sscc:4012344.0998811122',
  childEPCs: [
    'urn:epc:id:sscc:4012344.0998811123',
    'urn:epc:id:sscc:4012344.0998811124',
    'urn:epc:id:sscc:4012344.0998811125',
  ],
  action: 'DELETE',
  bizStep: 'unpacking',
  readPoint: { id: 'urn:epc:id:sgln:4012345.00077.0' },
  bizTransactionList: [{ type: 'inv', bizTransaction: 'urn:epcglobal:cbv:bt:4012345123456:4711' }],
}

const VECTORS: readonly (readonly [string, JsonRecord, string])[] = [
  [
    'ReferenceEventHashAlgorithm: nested extensions',
    {
      ...seen,
      eventTime: '2020-03-04T11:00:30.000+01:00',
      recordTime: '2020-03-04T11:00:30.999+01:00',
      epcList: ['333', '111', '222'].map((end) => `urn:epc:id:sscc:4012345.0000000${end}`),
      disposition: undefined,
      readPoint: { id: 'urn:epc:id:sgln:4012345.00011.987' },
      bizTransactionList: undefined,
      sourceList: undefined,
      destinationList: undefined,
      'example:userExt': undefined,
      'example:myField1': { 'example:mySubField1': '2', 'example:mySubField2': '5' },
      'example:myField2': '0',
      'example:myField3': { 'example:mySubField3': ['3', '1'] },
    },
    '6ae96341e0acc6d7a261364751f60e68278a81cdf51da0abb6b4e617014e39d7',
  ],
  [
    'ReferenceEventHashAlgorithm2: sensors',
    {
      type: 'ObjectEvent',
      eventTime: '2020-04-01T15:00:00+01:00',
      eventTimeZoneOffset: '+01:00',
      epcList: ['urn:epc:id:sgtin:4012345.011111.9876'],
      action: 'OBSERVE',
      bizStep: 'inspecting',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00005.0' },
      sensorElementList: [
        {
          sensorMetadata: {
            deviceID: 'urn:epc:id:giai:4000001.111',
            deviceMetadata: 'https://id.gs1.org/8004/4000001111',
          },
          sensorReport: [
            { type: 'Temperature', value: 26, sDev: 0.1, uom: 'CEL' },
            { type: 'AbsoluteHumidity', value: 12.1, uom: 'A93' },
            {
              type: 'Dimensionless',
              microorganism: 'https://www.ncbi.nlm.nih.gov/taxonomy/1126011',
              value: 0.05,
              uom: 'C35',
            },
            {
              type: 'Dimensionless',
              chemicalSubstance: 'https://identifiers.org/inchikey:CZMRCDWAGMRECN-UGDNZRGBSA-N',
              value: 0.18,
              uom: 'C35',
            },
          ],
        },
      ],
    },
    '271565c346ae2fb28c4583c4dca4ab4772d465eb4e0b6e548d77d8b49377d95c',
  ],
  [
    'ReferenceEventHashAlgorithm3: parties, and an extension of a place',
    seen,
    '3ae14c02c4bdc220cc31942cf804f6845eb8dec96ba6483391c92a9b165f9329',
  ],
  [
    'TimeStampRoundOff: 0.1415 s is 0.142 s',
    {
      ...shipped,
      eventTime: '2023-02-02T11:04:03.1415Z',
      epcList: ['https://id.gs1.de/00/040123451111111110'],
      bizStep: 'shipping',
      disposition: 'in_transit',
      readPoint: { id: 'https://id.gs1.de/414/4012345000115' },
    },
    'af7658e711574363633f20b3dadc7bc4c13c6f612cf96d95e03c421c0e58f3c6',
  ],
  [
    'TimeStampRoundOff: 0.1414 s is 0.141 s, and a place by coordinates',
    {
      ...shipped,
      eventTime: '2023-02-02T11:04:03.1414Z',
      epcList: ['https://id.gs1.de/00/040123451111111110'],
      bizStep: 'transporting',
      readPoint: { id: 'geo:50.947573340894124,6.922120147375441' },
    },
    '0550df44527332c1fe417c5837fe61b9e71eaa93307b88519dac549bf2d4dcf9',
  ],
  [
    'TimeStampRoundOff: an alarm, and a certificate that does not count',
    {
      ...shipped,
      eventTime: '2023-02-12T11:04:03.1415Z',
      certificationInfo: 'https://accreditation-council.example.org/certificate/ABC12345',
      epcList: ['https://id.gs1.de/01/04012345999990/21/XYZ-1234'],
      bizStep: 'receiving',
      disposition: 'in_progress',
      readPoint: { id: 'https://id.gs1.de/414/4012345000115' },
      sensorElementList: [
        {
          sensorMetadata: {
            time: '2023-02-12T11:04:03.1007Z',
            bizRules: 'https://id.example.com/253/4012345000054987',
          },
          sensorReport: [
            {
              type: 'Dimensionless',
              exception: 'ALARM_CONDITION',
              coordinateReferenceSystem: 'http://www.opengis.net/def/crs/EPSG/0/27700',
            },
          ],
        },
      ],
    },
    'bf052637920f56c28bd6bc4ce10bb296203fcddc543f1e293d5a77b07592dcec',
  ],
  [
    'epcisDocWithAllGS1Keys',
    {
      ...shipped,
      eventTime: '2023-03-27T11:30:00.0Z',
      epcList: [
        'urn:epc:id:sgtin:4012345.012345.12',
        'urn:epc:id:sscc:4012345.0000000333',
        'https://id.gs1.org/00/040123450000003338',
        'urn:epc:id:grai:4012345.66666.87',
        'urn:epc:id:giai:4012345.AAbb',
        'urn:epc:id:gsrn:4012345.9876540000',
        'urn:epc:id:gsrnp:4012345.0000098765',
        'urn:epc:id:gdti:4012345.55555.98',
        'urn:epc:id:cpi:4012345.ABC.123',
        'urn:epc:id:sgcn:4012345.99999.44',
        'urn:epc:id:ginc:4012345.333',
        'urn:epc:id:gsin:4012345.999987654',
        'urn:epc:id:itip:4012345.012345.01.02.999',
        'urn:epc:id:upui:4012345.012345.AB12',
      ],
      quantityList: [
        'urn:epc:class:lgtin:4054739.099914.20160711',
        'urn:epc:idpat:sgtin:4054739.099914.*',
        'urn:epc:idpat:grai:4012345.66666.*',
        'urn:epc:idpat:gdti:4012345.55555.*',
        'urn:epc:idpat:sgcn:4012345.99999.*',
        'urn:epc:idpat:cpi:4012345.ABC.*',
        'urn:epc:idpat:itip:4012345.012345.01.02.*',
      ].map((epcClass) => ({ epcClass })),
      bizStep: 'other',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00011.987' },
    },
    '40744f32beff53a4bf5bb5956d465cb52de5bbcc9f131409d8efb903b04d9351',
  ],
  [
    'epclist_normalisation',
    {
      ...shipped,
      eventTime: '2019-04-02T15:00:00.000+01:00',
      epcList: [
        'urn:epc:id:sgtin:4012345.011111.9876',
        'urn:epc:id:sgtin:4012345.011111.98%22',
        'urn:epc:id:sgtin:415056789012.0.987654',
        'urn:epc:id:sgtin:0614141.812345.6789%2F%26%25%22!%3F()',
        'urn:epc:id:sscc:4012345.3111111111',
        'urn:epc:id:sgln:4012345.00005.122',
        'urn:epc:id:sgln:4012345.00005.0',
        'urn:epc:id:grai:4012345.00022.334455',
        'urn:epc:id:giai:4012345.ABC345',
        'urn:epc:id:gsrn:4012345.0000006765',
        'urn:epc:id:gsrnp:4012345.0000000007',
        'urn:epc:id:gdti:4012345.00009.PO-4711',
        'urn:epc:id:gdti:987659999999..9',
        'urn:epc:id:cpi:0614141.11111111111111-A%23%2F.1234',
        'urn:epc:id:ginc:0614141.xyz47%2F11',
        'urn:epc:id:gsin:4012345.222333444',
        'urn:epc:id:itip:4012345.011111.01.02.987',
        "urn:epc:id:upui:1234567.098765.51qIgY)%3C%26Jp3*j7'SDB",
        'urn:epc:id:pgln:4000001.00000',
        'urn:epc:id:pgln:999999999999.',
        'urn:epc:class:lgtin:4012345.012345.Lot987',
        'https://id.gs1.org/gtin/09780345418913',
        'https://example.com/gtin/09780345418913/21/765tz?abc=211121',
      ],
      bizStep: 'inspecting',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00005.0' },
    },
    '028e1a1a0aef2be946fa8026eec361159033cab9d4da3f94bee1d58070b20198',
  ],
  [
    'epcisDocWithSensorComponent: prefixes of GS1 in values',
    {
      ...shipped,
      eventTime: '2022-04-07T10:00:00.000Z',
      epcList: ['https://id.example.com/8003/040123450007718765'],
      bizStep: 'sensor_reporting',
      readPoint: { id: 'https://id.example.com/414/4012345000054' },
      sensorElementList: [
        {
          sensorReport: [
            { value: 42.698334, component: 'cbv:Comp-latitude' },
            { value: 23.319941, component: 'cbv:Comp-longitude' },
          ].map((report) => ({
            ...report,
            type: 'gs1:Angle',
            uom: 'DD',
            coordinateReferenceSystem: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84',
          })),
        },
      ],
    },
    '14faa21345eb49fa31e5578aed52a2c291b7dc8ded0d53c88135955173ea91fc',
  ],
  [
    'epcisDocWithXMLstartTagAndErrorDeclaration: a withdrawal has the hash of what it withdraws',
    {
      type: 'TransformationEvent',
      eventTime: '2020-01-14T00:00:00.000+01:00',
      eventTimeZoneOffset: '+01:00',
      eventID: 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
      inputEPCList: ['urn:epc:id:sgtin:4012345.011111.987'],
      outputEPCList: ['urn:epc:id:sgtin:4012345.033333.AGHFG'],
      inputQuantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.022222.87545GHGH' }],
      outputQuantityList: [{ epcClass: 'urn:epc:idpat:sgtin:4012345.044444.*', quantity: 452, uom: 'KGM' }],
      bizStep: 'commissioning',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00000.0' },
      errorDeclaration: {
        declarationTime: '2020-01-15T00:00:00.000+01:00',
        reason: 'incorrect_data',
        'example:vendorExtension': 'Test1',
      },
    },
    'e16ce101f3d7383612e00b74419b2d88f12baa6a124b0e390252d396687d5cf7',
  ],
  [
    'epcisDocWithVariousEventTypes: what a lot is like',
    {
      type: 'ObjectEvent',
      eventTime: '2019-10-21T14:58:56.000+02:00',
      eventTimeZoneOffset: '+02:00',
      quantityList: [{ epcClass: 'urn:epc:class:lgtin:4054739.099914.20160711', quantity: 600, uom: 'KGM' }],
      action: 'ADD',
      bizStep: 'commissioning',
      readPoint: { id: 'urn:epc:id:sgln:4054739.00001.0' },
      ilmd: { 'cbvmda:bestBeforeDate': '2019-10-21' },
    },
    '5f396ea5cb32fe4d0980cb79f5a5eb9640559e9f5a6cefa5c98a7d6ad554b50b',
  ],
  [
    'epcisDocWithVariousEventTypes: an aggregation that ends',
    unpacked,
    'a62b9f9e429fcba628ea47d073542ca67e9fbe4688df2c649b8cd13b8519b91f',
  ],
  [
    'epcisDocWithVariousEventTypes: a transaction',
    {
      type: 'TransactionEvent',
      eventTime: '2019-10-21T14:58:56.591+02:00',
      eventTimeZoneOffset: '+02:00',
      quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.099988.2014-02-10', quantity: 2030, uom: 'KGM' }],
      action: 'ADD',
      bizStep: 'holding',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00025.0' },
      bizLocation: { id: 'urn:epc:id:sgln:4012345.00002.0' },
      bizTransactionList: [{ type: 'inv', bizTransaction: 'urn:epcglobal:cbv:bt:4012345123456:RE1099' }],
    },
    'b741a543ea0b2a4c4bdb3441c7dc196b41710e5b2c9870b211fac8d6d4c93427',
  ],
  [
    'epcisDocWithVariousEventTypes: a step that the CBV does not have',
    {
      type: 'TransformationEvent',
      eventTime: '2019-10-21T14:58:56.591+02:00',
      eventTimeZoneOffset: '+02:00',
      inputEPCList: ['urn:epc:id:sgtin:4012345.011122.25', 'urn:epc:id:sgtin:4000001.065432.99886655'],
      outputQuantityList: [{ epcClass: 'urn:epc:class:lgtin:4054739.099902.P20131121', quantity: 9520 }],
      transformationID: 'urn:epc:id:gdti:4012345.55555.1234',
      bizStep: 'http://epcis.example.com/user/vocab/bizstep/exampling',
      readPoint: { id: 'urn:epc:id:sgln:4012345.00001.0' },
    },
    '756558aa09b2d38c6bcb6e50eab2fcbebd9bde17362a7c4f4686a5d7f5fb013f',
  ],
]

describe('the event hash (CBV 2.0, section 8.9) is that of the reference implementation', () => {
  test.each(VECTORS)('%s', (_, event, digest) => {
    const given = Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined))
    const contexts = [EPCIS, EXAMPLE, { cbvmda: 'urn:epcglobal:cbv:mda:' }]
    expect(eventHash(given, contexts)).toBe(name(digest))
  })

  const FULL = join(ROOT, '../shared/standards/epcis/samples/WithFullCombinationOfFields')
  test.skipIf(!existsSync(FULL)).each([
    ['object', '9811bfb2672e9c3a0f6151be339d22b60db375c8b23d2740f6137cc6539f0639'],
    // The reference has another component of its sensor.
    ['aggregation', '41cf5d2be6b6926acc531597e43932eb4b9b23926ccb6ce08c882bda7a74d1a8', 'example:x'],
    ['transaction', '4a85d64a96409f0c57baed258666b26d83e6690d204a8aaed4c7e2624d8b0c81'],
    ['transformation', '529cc54b8cf9d8664208cc6c77473274d8c2dd473469920a7d09a814623f52cc'],
  ])('the %s event of GS1 with every field', (kind, digest, component?: string) => {
    const text = readFileSync(join(FULL, `${kind}_event_all_possible_fields.jsonld`), 'utf8')
    const document: JsonRecord = JSON.parse(text.replace('"cbv:Comp-latitude"', `"${component}"`))
    const { eventList } = document.epcisBody as { readonly eventList: readonly JsonRecord[] }
    expect(eventHash(eventList[0] ?? {}, [document['@context']].flat())).toBe(name(digest))
  })
})

test('the text that is hashed is written as the standard writes it', () => {
  expect(canonicalText(seen, [EPCIS, EXAMPLE])).toBe(
    'eventType=ObjectEventeventTime=2020-03-04T10:00:30.000ZeventTimeZoneOffset=+01:00' +
      'epcListepc=https://id.gs1.org/01/00614141111114/21/987action=OBSERVE' +
      'bizStep=https://ref.gs1.org/cbv/BizStep-departingdisposition=https://ref.gs1.org/cbv/Disp-in_transit' +
      'readPointid=https://id.gs1.org/414/4012345000115' +
      'bizTransactionListtype=https://ref.gs1.org/cbv/BTT-pobizTransaction=https://id.gs1.org/253/4012345111118123' +
      'sourceListtype=https://ref.gs1.org/cbv/SDT-owning_partysource=https://id.gs1.org/417/4012345000009' +
      'destinationListtype=https://ref.gs1.org/cbv/SDT-owning_partydestination=https://id.gs1.org/417/0614141000005' +
      'readPoint{https://ns.example.com/epcis/}myField1=AB-12{https://ns.example.com/epcis/}userExt=CD-34',
  )
})

const hash = (change: JsonRecord, contexts: readonly unknown[] = [EPCIS, EXAMPLE]) =>
  eventHash({ ...seen, ...change }, contexts)

test('is the same for every spelling of the same event', () => {
  const same: readonly JsonRecord[] = [
    { eventTime: '2020-03-04T10:00:30.000Z' },
    { eventTime: '2020-03-04t10:00:30+00' },
    { eventID: 'urn:uuid:1', recordTime: '2021-01-01T00:00:00Z' },
    { epcList: ['https://shop.example/path/01/00614141111114/21/987?linkType=gs1:pip'] },
    { epcList: ['https://id.gs1.org/01/00614141111114/10/LOT/21/987'] },
    { bizStep: 'https://ref.gs1.org/cbv/BizStep-departing' },
    { bizStep: 'urn:epcglobal:cbv:bizstep:departing' },
    { disposition: 'cbv:Disp-in_transit' },
    { 'rdfs:comment': 'nothing' },
    { 'example:userExt': ' CD-34 ' },
  ]
  for (const change of same) expect(hash(change)).toBe(hash({}))
  const reversed = Object.fromEntries(Object.entries(seen).reverse())
  expect(eventHash(reversed, [EPCIS, EXAMPLE])).toBe(hash({}))
  const other = Object.fromEntries(Object.entries(seen).map(([key, value]) => [key.replace('example:', 'x:'), value]))
  const readPoint = { id: seen.readPoint.id, 'x:myField1': 'AB-12' }
  expect(eventHash({ ...other, readPoint }, [{ x: EXAMPLE.example }])).toBe(hash({}))
})

test('is another one where anything that the event says is different', () => {
  const others: readonly JsonRecord[] = [
    { type: 'TransactionEvent' },
    { eventTime: '2020-03-04T11:00:31+01:00' },
    { eventTimeZoneOffset: '+02:00' },
    { epcList: ['urn:epc:id:sgtin:0614141.011111.988'] },
    { epcList: [...seen.epcList, 'urn:epc:id:sgtin:0614141.011111.988'] },
    { action: 'ADD' },
    { bizStep: 'arriving' },
    { disposition: 'https://example.com/in_transit' },
    { readPoint: { id: seen.readPoint.id } },
    { sourceList: [{ type: 'possessing_party', source: 'urn:epc:id:pgln:4012345.00000' }] },
    { 'example:userExt': 'CD-35' },
    { 'example:more': { 'example:deep': ['x'] } },
    { ilmd: { 'example:lot': '1' } },
  ]
  const all = [{}, ...others].map((change) => hash(change))
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  ['20', '20'],
  ['+20.50', '20.5'],
  ['0.00', '0'],
  ['-0.5', '-0.5'],
  ['0012', '12'],
  ['1e3', '1000'],
  ['0.00001', '1e-05'],
  ['1e400', '1e400'],
  ['12345678901234567890', '12345678901234567890'],
  ['1.2.3', '1.2.3'],
  ['0x10', '0x10'],
])('writes the number %s as %s', (given, written) => {
  expect(canonicalText({ ...seen, 'example:userExt': given }, [EXAMPLE])).toContain(`userExt=${written}`)
})
