import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonRecord } from '../../../../src/domain/record.ts'
import { ROOT } from '../../../../src/root.ts'
import { validateCapture } from '../../../../test/support/epcis.ts'
import { zoneOffsetOf } from './event-time.ts'

const NOW = new Date('2026-11-21T12:00:00Z')
const CONTEXT = 'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld'
const EXAMPLE = { example: 'https://ns.example.com/' }
const UNIT = 'https://id.gs1.org/01/10614141073464/21/2018'

const packed = {
  type: 'AggregationEvent',
  eventID: 'urn:uuid:374d95fc-9457-4a51-bd6a-0bba133845a8',
  eventTime: '2026-03-01T10:00:00.000+01:00',
  eventTimeZoneOffset: '+01:00',
  parentID: 'urn:epc:id:sscc:0614141.1234567890',
  childEPCs: ['urn:epc:id:sgtin:0614141.107346.2017', UNIT],
  action: 'ADD',
  bizStep: 'packing',
  disposition: 'https://ref.gs1.org/cbv/Disp-in_progress',
  readPoint: { id: 'urn:epc:id:sgln:0614141.07346.1234' },
  bizLocation: { id: 'geo:48.2,16.4' },
}
const made = {
  type: 'TransformationEvent',
  eventTime: '2026-03-01T09:00:00Z',
  eventTimeZoneOffset: '+00:00',
  inputQuantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.998877', quantity: 10, uom: 'KGM' }],
  outputEPCList: [UNIT],
  transformationID: 'urn:uuid:1',
}
const documentOf = (eventList: readonly unknown[], more: JsonRecord = {}) => ({
  '@context': [CONTEXT, EXAMPLE],
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: '2026-03-01T10:00:00Z',
  epcisBody: { eventList },
  ...more,
})

const codesOf = (body: unknown, maxEvents?: number) =>
  validateCapture(body, NOW, maxEvents).findings?.map(({ code, pointer }) => `${code} ${pointer}`)
const messageOf = (body: unknown) => validateCapture(body, NOW).findings?.[0]?.message
const changed = (change: JsonRecord, event: JsonRecord = packed) =>
  documentOf([Object.fromEntries(Object.entries({ ...event, ...change }).filter(([, value]) => value !== undefined))])
const AT = '/epcisBody/eventList/0'

describe('the stored form of an event', () => {
  test('of a document', () => {
    const { events } = validateCapture(documentOf([packed, made]), NOW)
    expect(events?.[0]).toEqual({
      type: 'AggregationEvent',
      eventId: packed.eventID,
      hash: expect.stringMatching(/^ni:\/\/\/sha-256;[0-9a-f]{64}\?ver=CBV2\.0$/),
      eventTime: new Date('2026-03-01T09:00:00Z'),
      action: 'ADD',
      bizStep: 'packing',
      disposition: 'in_progress',
      readPoint: packed.readPoint.id,
      bizLocation: 'geo:48.2,16.4',
      transformationId: undefined,
      correction: undefined,
      items: [
        { field: 'parentID', key: '/00/106141412345678908', level: 'instance', isInput: false, isOutput: true },
        { field: 'childEPCs', key: '/01/10614141073464/21/2017', level: 'instance', isInput: true, isOutput: false },
        { field: 'childEPCs', key: '/01/10614141073464/21/2018', level: 'instance', isInput: true, isOutput: false },
      ],
      event: { ...packed, '@context': [CONTEXT, EXAMPLE] },
    })
    const [, second] = events ?? []
    expect(second).toMatchObject({ eventId: second?.hash, action: undefined, transformationId: 'urn:uuid:1' })
    expect(second?.event.eventID).toBe(second?.hash)
  })

  test('of a bare event, and of the answer to a query, the same', () => {
    const bare = validateCapture({ '@context': [CONTEXT, EXAMPLE], ...packed }, NOW)
    const resultsBody = { eventList: [packed] }
    const answer = {
      ...documentOf([]),
      type: 'EPCISQueryDocument',
      epcisBody: { queryResults: { queryName: 'q', resultsBody } },
    }
    expect(bare).toEqual(validateCapture(documentOf([packed]), NOW))
    expect(validateCapture(answer, NOW)).toEqual(bare)
  })

  test('a stored document is accepted again with the same result', () => {
    const { events: [first] = [] } = validateCapture(
      documentOf([{ ...packed, '@context': [{ x: 'urn:x:' }], 'x:a': 1 }]),
      NOW,
    )
    expect(first?.event['@context']).toEqual([CONTEXT, EXAMPLE, { x: 'urn:x:' }])
    expect(validateCapture(first?.event, NOW)).toEqual({ events: [first] })
  })

  test('an event that withdraws another has its eventID and its hash', () => {
    const errorDeclaration = { declarationTime: '2026-03-02T00:00:00Z', correctiveEventIDs: ['urn:uuid:2'] }
    const { events } = validateCapture(documentOf([packed, { ...packed, errorDeclaration }]), NOW)
    expect(events?.map(({ hash }) => hash)).toEqual([events?.[0]?.hash, events?.[0]?.hash])
    expect(events?.[1]?.correction).toEqual({
      declaredAt: new Date('2026-03-02T00:00:00Z'),
      correctiveEventIds: ['urn:uuid:2'],
    })
  })

  test('comments are left out where EPCIS has no place for them, and stay in extensions', () => {
    const body = changed({ _comment: 'x', readPoint: { ...packed.readPoint, _note: 1 }, 'example:a': { _b: 1 } })
    const { events } = validateCapture({ ...body, _comment: 'x' }, NOW)
    expect(events?.[0]?.event).toEqual({ ...packed, 'example:a': { _b: 1 }, '@context': [CONTEXT, EXAMPLE] })
  })
})

describe('an EPCIS error is reported with its place and remedy', () => {
  test.each([
    [
      { bizStep: 'urn:epcglobal:cbv:bizstep:shipping' },
      'CBV_STEP /bizStep',
      'Use the short form of the step: shipping.',
    ],
    [
      { bizStep: 'https://ns.gs1.org/cbv/BizStep-shipping' },
      'CBV_STEP /bizStep',
      'Use the short form of the step: shipping.',
    ],
    [{ bizStep: 'fulfilling' }, 'CBV_STEP /bizStep', /short name/],
    [{ disposition: 'urn:epcglobal:cbv:disp:sold' }, 'CBV_DISPOSITION /disposition', /short name/],
    [{ eventTimeZoneOffset: '+14:30' }, 'ZONE /eventTimeZoneOffset', /-14:00 and \+14:00/],
    [{ eventTimeZoneOffset: undefined }, 'MISSING /eventTimeZoneOffset', /missing/],
    [{ eventTime: '2026-03-01T10:00:00' }, 'TIME /eventTime', /with its zone/],
    [{ eventTime: 5 }, 'TIME /eventTime', /with its zone/],
    [{ action: 'add' }, 'ACTION /action', 'Write ADD, OBSERVE or DELETE.'],
    [{ childEPCs: ['2018'] }, 'URI /childEPCs/0', /URI/],
    [{ childEPCs: undefined }, 'NO_ITEMS ', /children/],
    [{ foo: 1 }, 'UNKNOWN_KEY /foo', /prefix/],
    [{ 'a/b~c': 1 }, 'UNKNOWN_KEY /a~1b~0c', /prefix/],
    [
      { bizTransactionList: [{ bizTransaction: 'urn:x:y', foo: 1 }] },
      'UNKNOWN_KEY /bizTransactionList/0/foo',
      /Remove it/,
    ],
    [{ readPoint: 'urn:x:y' }, 'TYPE /readPoint', 'Send an object.'],
    [{ childQuantityList: [{ epcClass: 'urn:x:y', uom: 'kg' }] }, 'UNIT /childQuantityList/0/uom', /KGM/],
    [
      { sensorElementList: [{ sensorReport: [{ type: 'Mass', value: '1' }] }] },
      'NUMBER /sensorElementList/0/sensorReport/0/value',
      /quotation/,
    ],
    [{ type: 'ex:Own' }, 'EVENT_TYPE /type', /ObjectEvent/],
    [{ type: undefined }, 'EVENT_TYPE /type', /ObjectEvent/],
  ])('%o', (change, finding, message) => {
    const [code, pointer] = finding.split(' ')
    const body = changed(change)
    expect(codesOf(body)).toEqual([`${code} ${AT}${pointer}`])
    expect(messageOf(body)).toMatch(message)
  })

  test('an ilmd needs ADD', () => {
    const event = { ...packed, type: 'ObjectEvent', parentID: undefined, childEPCs: undefined, epcList: [UNIT] }
    expect(codesOf(changed({ action: 'OBSERVE', ilmd: {} }, event))).toEqual([`ILMD ${AT}/action`])
    expect(codesOf(changed({ ilmd: {} }, event))).toBeUndefined()
  })

  test('around the events', () => {
    expect(codesOf({ ...documentOf([packed]), schemaVersion: 2 })).toEqual(['VERSION /schemaVersion'])
    expect(codesOf({ ...documentOf([packed]), epcisBody: {} })).toEqual(['MISSING /epcisBody/eventList'])
    expect(codesOf({ ...documentOf([packed]), epcisBody: { eventList: {} } })).toEqual(['TYPE /epcisBody/eventList'])
    expect(codesOf({ ...documentOf([packed]), foo: 1 })).toEqual(['UNKNOWN_KEY /foo'])
    expect(codesOf(documentOf([1]))).toEqual([`TYPE ${AT}`])
    expect(codesOf(packed)).toEqual(['MISSING /@context'])
  })

  test.each([[undefined], [null], [5], ['text'], [[]], [{}], [{ type: 'Passport' }], [{ type: ['EPCISDocument'] }]])(
    'an unknown shape: %o',
    (body) => {
      expect(codesOf(body)).toHaveLength(1)
      expect(messageOf(body)).toContain('credentialSubject')
    },
  )
})

describe('the gateway also rejects what EPCIS permits', () => {
  test.each([
    [{ parentID: undefined }, 'PARENT_MISSING /parentID'],
    [{ action: 'DELETE', parentID: undefined, childEPCs: undefined }, 'NO_ITEMS '],
    [{ eventTime: '2026-11-22T12:00:01Z' }, 'TIME_OUT_OF_RANGE /eventTime'],
    [{ eventTime: '0000-01-01T00:00:00Z' }, 'TIME_OUT_OF_RANGE /eventTime'],
    [{ recordTime: '2027-01-01T00:00:00Z' }, 'TIME_OUT_OF_RANGE /recordTime'],
    [
      { errorDeclaration: { declarationTime: '2027-01-01T00:00:00Z' } },
      'TIME_OUT_OF_RANGE /errorDeclaration/declarationTime',
    ],
  ])('%o', (change, finding) => {
    const [code, pointer] = finding.split(' ')
    expect(codesOf(changed(change))).toEqual([`${code} ${AT}${pointer}`])
  })

  test('a day of grace for clocks', () => {
    expect(codesOf(changed({ eventTime: '2026-11-22T12:00:00Z' }))).toBeUndefined()
  })

  test('an event that names nothing, but for one of sensors', () => {
    const nothing = { ...packed, type: 'ObjectEvent', parentID: undefined, childEPCs: undefined, epcList: [] }
    expect(codesOf(changed({}, nothing))).toEqual([`NO_ITEMS ${AT}`])
    expect(codesOf(changed({ sensorElementList: [{ sensorReport: [{ type: 'Mass' }] }] }, nothing))).toBeUndefined()
  })

  test('a document without events, or with one twice', () => {
    expect(codesOf(documentOf([]))).toEqual(['EMPTY /epcisBody/eventList'])
    expect(codesOf(documentOf([packed, made, { ...packed, action: 'DELETE' }]))).toEqual([
      'DUPLICATE_EVENT /epcisBody/eventList/2/eventID',
    ])
    expect(codesOf(documentOf([made, { ...made }]))).toEqual(['DUPLICATE_EVENT /epcisBody/eventList/1'])
  })
})

describe('bounds', () => {
  test('events', () => {
    const events = Array.from({ length: 1_001 }, (_, index) => ({ ...made, eventID: `urn:x:${index}` }))
    expect(codesOf(documentOf(events))).toEqual(['TOO_MANY_EVENTS /epcisBody/eventList'])
    expect(codesOf(documentOf(events.slice(1)))).toBeUndefined()
    expect(codesOf(documentOf(events), 1_001)).toBeUndefined()
    expect(codesOf({ credentialSubject: events }, 1_000)).toEqual(['TOO_MANY_EVENTS /credentialSubject'])
  })

  test('items, values, characters, levels, contexts', () => {
    const ids = Array.from({ length: 1_001 }, (_, index) => `urn:x:${index}`)
    expect(codesOf(changed({ childEPCs: ids.slice(1) }))).toBeUndefined()
    expect(codesOf(changed({ childEPCs: ids }))).toEqual([`TOO_MANY_ELEMENTS ${AT}/childEPCs`])
    expect(codesOf(changed({ 'example:a': Object.fromEntries(ids.map((id) => [id, ids.slice(0, 20)])) }))).toEqual([
      `TOO_MANY_VALUES ${AT}`,
    ])
    expect(codesOf(changed({ 'example:a': 'x'.repeat(4_097) }))).toEqual([`TOO_LONG ${AT}/example:a`])
    expect(
      codesOf(changed({ '@context': [{ a: 'x'.repeat(4_000), b: 'x'.repeat(4_000), c: 'x'.repeat(400) }] })),
    ).toEqual([`TOO_LONG ${AT}/@context`])
    const long = `urn:x:${'y'.repeat(507)}`
    expect(codesOf(changed({ eventID: long.slice(0, -1) }))).toBeUndefined()
    expect(
      codesOf(changed({ eventID: long, childEPCs: ['urn:x:1', long], childQuantityList: [{ epcClass: long }] })),
    ).toEqual(['eventID', 'childEPCs/1', 'childQuantityList/0/epcClass'].map((field) => `TOO_LONG ${AT}/${field}`))
    let bomb: unknown = 1
    for (let level = 0; level < 100_000; level += 1) bomb = level % 2 === 0 ? [bomb] : { a: bomb }
    expect(codesOf(changed({ 'example:a': bomb }))?.[0]).toMatch(/^TOO_DEEP /)
    expect(codesOf({ ...documentOf([packed]), 'example:a': bomb })?.[0]).toMatch(/^TOO_DEEP /)
    expect(codesOf({ credentialSubject: { ...made, bomb } })?.[0]).toMatch(/^TOO_DEEP /)
    expect(codesOf({ credentialSubject: bomb })).toBeDefined()
  })

  test('findings come to an end', () => {
    const events = Array.from({ length: 1_000 }, () => ({ ...packed, action: 'x', bizStep: 'y' }))
    expect(codesOf(documentOf(events))).toHaveLength(100)
  })

  test('nothing makes it throw', () => {
    const value = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(packed), '__proto__'), tie('json')),
      ),
    })).json
    fc.assert(
      fc.property(value, value, fc.constantFrom(...Object.keys(packed)), (one, other, key) => {
        for (const event of [one, { ...packed, [key]: one }, { ...made, [key]: other }]) {
          expect(validateCapture(documentOf([event]), NOW)).toBeDefined()
          expect(validateCapture({ credentialSubject: event, issuanceDate: other }, NOW)).toBeDefined()
          expect(validateCapture({ credentialSubject: { ...made, eventType: one, [key]: other } }, NOW)).toBeDefined()
        }
        expect(validateCapture(one, NOW)).toBeDefined()
      }),
      { seed: 18, numRuns: 300 },
    )
  })
})

const NOTHING = { inputQuantityList: undefined, outputEPCList: undefined }

describe('a traceability credential of UNTP 0.6', () => {
  const item = (id: string, name: string) => ({ type: ['Item'], id, name })
  const subject = {
    type: ['TransformationEvent', 'Event'],
    id: 'https://events.example.com/1',
    processType: 'Weaving',
    eventTime: '2026-03-01T10:00:00Z',
    action: 'add',
    bizStep: 'https://ref.gs1.org/cbv/BizStep-commissioning',
    disposition: 'https://ref.gs1.org/cbv/Disp-active',
    bizLocation: 'https://id.gs1.org/414/9520123456788',
    inputQuantityList: [
      { productId: 'https://id.gs1.org/01/09520123456788', productName: 'Yarn', quantity: 20, uom: 'KGM' },
    ],
    outputEPCList: [item(UNIT, 'Fabric'), item(UNIT, 'Fabric')],
  }
  const credential = { type: ['DigitalTraceabilityEvent', 'VerifiableCredential'], credentialSubject: [subject] }

  test('becomes events of EPCIS', () => {
    const { events: [captured] = [] } = validateCapture(credential, NOW)
    expect(captured).toMatchObject({ type: 'TransformationEvent', eventId: subject.id, bizStep: 'commissioning' })
    expect(captured?.items.map(({ key, isInput }) => `${isInput} ${key}`)).toEqual([
      'true /01/09520123456788',
      'false /01/10614141073464/21/2018',
    ])
    expect(captured?.event).toEqual({
      '@context': [CONTEXT, { dpp: 'urn:dpp-gateway:epcis:' }],
      type: 'TransformationEvent',
      eventID: subject.id,
      eventTime: subject.eventTime,
      eventTimeZoneOffset: '+00:00',
      bizStep: 'commissioning',
      disposition: 'active',
      bizLocation: { id: subject.bizLocation },
      inputQuantityList: [{ epcClass: 'https://id.gs1.org/01/09520123456788', quantity: 20, uom: 'KGM' }],
      outputEPCList: [UNIT],
      'dpp:action': 'add',
      'dpp:processType': 'Weaving',
      'dpp:names': { [UNIT]: 'Fabric', 'https://id.gs1.org/01/09520123456788': 'Yarn' },
    })
  })

  test('one subject need not be a list, and an action that is not said observes', () => {
    const { action: _, ...rest } = { ...subject, type: ['ObjectEvent'], epcList: [item(UNIT, 'x')] }
    const { inputQuantityList: _i, outputEPCList: _o, ...seen } = rest
    expect(validateCapture({ credentialSubject: seen }, NOW).events?.[0]?.action).toBe('OBSERVE')
    expect(validateCapture({ credentialSubject: { ...seen, action: 'delete' } }, NOW).events?.[0]?.action).toBe(
      'DELETE',
    )
  })

  test.each<[JsonRecord, string]>([
    [{ outputEPCList: [item(UNIT, 'x'), item(UNIT, 'x'), item('2018', 'x')] }, 'URI /outputEPCList/2/id'],
    [{ outputEPCList: [UNIT, '2018'] }, 'URI /outputEPCList/1'],
    [{ inputQuantityList: [{ productId: 'x', quantity: 1 }] }, 'URI /inputQuantityList/0/productId'],
    [{ id: 'one' }, 'URI /id'],
    [{ bizLocation: 'here' }, 'URI /bizLocation'],
    [{ eventTime: 'now' }, 'TIME /eventTime'],
    [{ type: ['Event'] }, 'EVENT_TYPE /type'],
    [
      { type: 'AggregationEvent', parentEPC: item('x', 'x'), childEPCList: [item('y', 'y')], ...NOTHING },
      'URI /parentEPC/id, URI /childEPCList/0/id',
    ],
    [
      { type: 'TransactionEvent', bizTransaction: 'order 1', epcList: [item(UNIT, 'x')], ...NOTHING },
      'URI /bizTransaction',
    ],
    [
      {
        type: 'TransactionEvent',
        epcList: [item(UNIT, 'x')],
        sourceParty: 'us',
        bizTransaction: 'urn:x:1',
        ...NOTHING,
      },
      'URI /sourceParty',
    ],
    [
      { sensorElementList: [{ sensorMetadata: { device: item('x', 'x') }, sensorReport: [{ sensorType: 'x' }] }] },
      'URI /sensorElementList/0/sensorMetadata/device/id, CBV_MEASURE /sensorElementList/0/sensorReport/0/sensorType',
    ],
  ])('findings point at what was sent: %o', (change, findings) => {
    const sent = Object.fromEntries(
      Object.entries({ ...subject, ...change }).filter(([, value]) => value !== undefined),
    )
    const pointed = findings.split(', ').map((finding) => finding.replace(' ', ' /credentialSubject/0'))
    expect(codesOf({ ...credential, credentialSubject: [sent] })?.sort()).toEqual(pointed.sort())
  })

  const INSTANCE = join(ROOT, '../shared/standards/untp/0.6.1/untp-dte-instance.json')
  test.skipIf(!existsSync(INSTANCE))('the sample of UNTP is accepted once its second event has its own id', () => {
    const sample = JSON.parse(readFileSync(INSTANCE, 'utf8'))
    expect(codesOf(sample)).toEqual(['DUPLICATE_EVENT /credentialSubject/1/id'])
    sample.credentialSubject[1].id = 'https://events.example.com/2'
    expect(validateCapture(sample, NOW).events?.map(({ type }) => type)).toEqual(['TransformationEvent', 'ObjectEvent'])
  })
})

describe('a credential of the interoperability kit', () => {
  const subject = { id: UNIT, eventType: 'ObjectEvent', action: 'ADD' }
  const credential = { issuanceDate: '2026-02-01T00:00:00Z', credentialSubject: subject }
  const eventOf = (change: JsonRecord, around: JsonRecord = {}) =>
    validateCapture({ ...credential, ...around, credentialSubject: { ...subject, ...change } }, NOW).events?.[0]

  test('has defaults for what it does not say', () => {
    const originLocation = { latitude: 1.5, longitude: -60, eudrPlotId: 'P-1' }
    const event = eventOf({ originLocation, responsibleOperatorDid: 'did:web:example.com' })
    expect(event).toMatchObject({
      eventId: event?.hash,
      eventTime: new Date('2026-02-01T00:00:00Z'),
      bizStep: 'receiving',
      disposition: 'in_progress',
      readPoint: 'geo:1.5,-60',
      bizLocation: 'did:web:example.com',
      items: [{ field: 'epcList', key: '/01/10614141073464/21/2018' }],
    })
    expect(event?.event['dpp:originLocation']).toEqual(originLocation)
    expect(eventOf({}, { issuanceDate: undefined })?.eventTime).toEqual(NOW)
    expect(eventOf({ bizStep: 'urn:epcglobal:cbv:bizstep:shipping' })?.bizStep).toBe('shipping')
  })

  test('has its own names for lists', () => {
    const packing = { eventType: 'AggregationEvent', parentEpc: 'urn:x:p', childEpcs: ['urn:x:c'] }
    expect(eventOf(packing)?.items.map(({ field }) => field)).toEqual(['parentID', 'childEPCs'])
    const making = {
      eventType: 'TransformationEvent',
      action: null,
      inputEpcList: ['urn:x:i'],
      outputEpcList: ['urn:x:o'],
    }
    expect(eventOf(making)?.items.map(({ field }) => field)).toEqual(['inputEPCList', 'outputEPCList'])
  })

  test('may not say an action of a transformation, nor a type that there is not', () => {
    const making = {
      ...subject,
      eventType: 'TransformationEvent',
      inputEpcList: ['urn:x:i'],
      outputEpcList: ['urn:x:o'],
    }
    expect(codesOf({ credentialSubject: making })).toEqual(['ACTION_ON_TRANSFORMATION /credentialSubject/action'])
    expect(codesOf({ credentialSubject: { ...subject, eventType: 'Harvest' } })).toEqual([
      'EVENT_TYPE /credentialSubject/eventType',
    ])
  })
})

test.each([
  ['2026-03-01T10:00:00+05:30', '+05:30'],
  ['2026-03-01T10:00:00Z', '+00:00'],
  ['2026-03-01T10:00:00+05', '+00:00'],
  ['later', '+00:00'],
])('the zone of %s is %s', (time, zone) => {
  expect(zoneOffsetOf(time)).toBe(zone)
})

test.each([
  ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
  ['2016-12-31t23:59:60.5+00', '2017-01-01T00:00:00.500Z'],
  ['2026-03-01 10:00:00.9996+0130', '2026-03-01T08:30:01.000Z'],
  ['2026-02-28T23:30:00-01:00', '2026-03-01T00:30:00.000Z'],
])('the time %s is %s', (eventTime, instant) => {
  expect(validateCapture(changed({ eventTime }), NOW).events?.[0]?.eventTime.toISOString()).toBe(instant)
})
