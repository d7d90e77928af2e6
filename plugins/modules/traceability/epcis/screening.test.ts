import { describe, expect, test } from 'vitest'
import type { JsonRecord } from '../../../../src/domain/record.ts'
import { isInside, type Plot, plotIn } from './geometry.ts'
import { SCREENING_LISTS, type ScreeningList, screen } from './screening.ts'

const only = (id: string) => SCREENING_LISTS.filter((list) => list.id === id)
const screened = (event: JsonRecord, lists: readonly ScreeningList[]) =>
  screen([{ id: 'id-1', eventId: 'urn:uuid:1', event: { type: 'ObjectEvent', ...event } }], lists)
const xinjiang = (event: JsonRecord) => screened(event, only('uflpa-xinjiang'))
const plots = (event: JsonRecord, known = {}) =>
  screened(
    event,
    only('eudr-plots').map((list) => ({ ...list, plots: known }) as ScreeningList),
  )
const at = (latitude: number, longitude: number) => ({ readPoint: { id: `geo:${latitude},${longitude}` } })

describe('regions', () => {
  test('a match says what agrees with which list, of when and from where', () => {
    const { matches, notScreened, screened: lists } = xinjiang(at(43.8256, 87.6168))
    expect(matches).toEqual([
      {
        id: 'id-1',
        eventId: 'urn:uuid:1',
        field: '/readPoint/id',
        value: 'geo:43.8256,87.6168',
        list: 'uflpa-xinjiang',
        source: expect.stringMatching(/^https:\/\//),
        date: '2021-12-23',
        reason: 'The coordinates lie in the area of Xinjiang Uyghur Autonomous Region.',
      },
    ])
    expect(notScreened).toEqual([])
    expect(lists).toEqual([expect.objectContaining({ id: 'uflpa-xinjiang', law: expect.stringContaining('117-78') })])
  })

  test.each([
    ['Kashgar', 39.47, 75.99, true],
    ['Hotan', 37.11, 79.92, true],
    ['Hami', 42.83, 93.51, true],
    ['Altay', 47.84, 88.14, true],
    ['Almaty', 43.24, 76.89, false],
    ['Dunhuang', 40.14, 94.66, false],
    ['Golmud', 36.4, 94.9, false],
    ['Lanzhou', 36.06, 103.8, false],
    ['Osh', 40.51, 72.8, false],
  ])('%s', (_, latitude, longitude, isThere) => {
    const { matches, notScreened } = xinjiang(at(latitude, longitude))
    expect([matches.length, notScreened.length]).toEqual([isThere ? 1 : 0, 0])
  })

  test.each([
    [{ bizLocation: { id: 'https://example.com/plants/CN-65-Aksu' } }, '/bizLocation/id'],
    [{ bizLocation: { id: 'https://example.com/XinJiang/mill' } }, '/bizLocation/id'],
    [{ ilmd: { 'cbvmda:regionOfOrigin': 'cn-xj' } }, '/ilmd/cbvmda:regionOfOrigin'],
    [{ 'ex:origin': { town: ['Aksu', '新疆'] } }, '/ex:origin/town/1'],
    [{ 'dpp:originLocation': { latitude: 41.2, longitude: 80.3 } }, '/dpp:originLocation'],
    [{ sourceList: [{ type: 'location', source: 'urn:x:xinjiang' }] }, '/sourceList/0/source'],
  ])('is found in %o', (event, field) => {
    expect(xinjiang(event).matches.map((match) => match.field)).toEqual([field])
  })

  test('a part of a longer code does not match', () => {
    expect(xinjiang({ bizLocation: { id: 'https://example.com/ACN-650' } }).matches).toEqual([])
  })

  test.each([
    [{}, []],
    [{ readPoint: { id: 'https://id.gs1.org/414/0037000007296' } }, ['/readPoint/id']],
    [{ readPoint: { id: 'geo:91,0' } }, ['/readPoint/id']],
    // The part of China is unknown.
    [{ ilmd: { 'cbvmda:countryOfOrigin': 'CN' } }, []],
    [{ ilmd: { 'cbvmda:countryOfOrigin': 'somewhere' } }, []],
    [{ ...at(48.2, 16.4), bizLocation: { id: 'urn:epc:id:sgln:0037000.00729.0' } }, ['/bizLocation/id']],
  ])('is not screened where nothing says where it was: %o', (event, fields) => {
    const { matches, notScreened } = xinjiang(event)
    expect(matches).toEqual([])
    expect(notScreened).toEqual([
      { id: 'id-1', eventId: 'urn:uuid:1', list: 'uflpa-xinjiang', fields, reason: expect.stringMatching(/\w\.$/) },
    ])
  })

  test('another country, or another part of the same, is screened', () => {
    for (const country of ['TR', 'CN-GD']) {
      expect(xinjiang({ ilmd: { 'cbvmda:countryOfOrigin': country } })).toMatchObject({ matches: [], notScreened: [] })
    }
  })

  test('countries match as a country only, and coordinates cannot be compared with them', () => {
    const countries = only('eudr-high-risk-countries')
    expect(screened({ ilmd: { 'cbvmda:countryOfOrigin': 'MM' } }, countries).matches).toHaveLength(1)
    expect(screened({ 'ex:subdivision': 'RU-MOW' }, countries).matches).toHaveLength(1)
    expect(screened({ 'ex:note': 'MM' }, countries).matches).toEqual([])
    expect(screened(at(60, 100), countries).notScreened).toMatchObject([{ fields: ['/readPoint/id'] }])
  })
})

test('a plot lies in the area of a list where one of its corners does', () => {
  const plot = (west: number) => ({ 'ex:plot': { type: 'Polygon', coordinates: [ring(west, 43.8, 0.5)] } })
  expect(xinjiang(plot(87.5)).matches).toMatchObject([
    { field: '/ex:plot', reason: expect.stringContaining('plot lies') },
  ])
  expect(xinjiang(plot(10))).toMatchObject({ matches: [], notScreened: [] })
  expect(xinjiang({ 'ex:plot': { type: 'Point', coordinates: [87.6, 43.8] } }).matches).toHaveLength(1)
})

const SQUARE: Plot = { type: 'Polygon', coordinates: [ring(0, 0, 10), ring(4, 4, 2)] }

function ring(west: number, south: number, size: number): [number, number][] {
  const [east, north] = [west + size, south + size]
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
}

describe('plots', () => {
  test("a point outside of the event's plots is reported", () => {
    const inside = plots({ ...at(2, 2), 'ex:plot': SQUARE })
    expect(inside).toMatchObject({ matches: [], notScreened: [] })
    const outside = plots({ ...at(2, 12), 'ex:plot': SQUARE })
    expect(outside.matches).toMatchObject([{ field: '/readPoint/id', reason: expect.stringContaining('outside') }])
  })

  test('a plot is known by its id where the list has it, and not screened where it does not', () => {
    const event = { ...at(2, 12), 'dpp:originLocation': { latitude: 2, longitude: 2, eudrPlotId: 'P-1' } }
    expect(plots(event, { 'P-1': SQUARE }).matches.map(({ field }) => field)).toEqual(['/readPoint/id'])
    expect(plots(event)).toMatchObject({
      matches: [],
      notScreened: [{ fields: ['/dpp:originLocation/eudrPlotId'], reason: expect.stringContaining('unknown') }],
    })
    const inherited = { 'ex:eudrPlotId': 'constructor' }
    expect(plots(inherited).notScreened).toHaveLength(1)
  })

  test('an event without a plot is not screened', () => {
    expect(plots(at(2, 2)).notScreened).toMatchObject([{ fields: [] }])
  })

  test.each([
    [{ type: 'Polygon', coordinates: [] }],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 1],
          ],
        ],
      },
    ],
    [
      {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, '1'],
            [0, 0],
          ],
        ],
      },
    ],
    [{ type: 'Point', coordinates: [45, 98] }],
    [{ type: 'Point', coordinates: 'here' }],
    [{ type: 'MultiPolygon', coordinates: [[[0, 0]]] }],
  ])('an invalid plot is reported: %o', (geometry) => {
    expect(plots({ 'ex:plot': geometry }).matches).toMatchObject([{ field: '/ex:plot', value: geometry.type }])
    expect(plotIn(geometry)).toHaveProperty('fault')
  })

  test('coordinates beyond the globe are reported', () => {
    expect(plots({ ...at(95, 10), 'ex:plot': SQUARE }).matches).toMatchObject([{ value: 'geo:95,10' }])
  })

  test('points are checked up to a limit, and the rest is not screened', () => {
    const many = Array.from({ length: 201 }, () => 'geo:2,2')
    expect(plots({ 'ex:points': many, 'ex:plot': SQUARE }).notScreened).toMatchObject([{ fields: ['/ex:points/200'] }])
  })
})

describe('a point in a plot', () => {
  const island: Plot = {
    type: 'Polygon',
    coordinates: [ring(170, -20, 20).map(([x, y]) => [x > 180 ? x - 360 : x, y])],
  }
  const cut: Plot = { type: 'MultiPolygon', coordinates: [[ring(170, -20, 10)], [ring(-180, -20, 10)]] }

  test.each([
    ['inside', SQUARE, 2, 2, true],
    ['in the hole', SQUARE, 5, 5, false],
    ['outside', SQUARE, 2, 11, false],
    ['at the height of a corner', SQUARE, 10, 20, false],
    ['west of the antimeridian', island, -10, 175, true],
    ['east of the antimeridian', island, -10, -175, true],
    ['on the other side of the globe', island, -10, 0, false],
    ['in the first part', cut, -15, 175, true],
    ['in the second part', cut, -15, -175, true],
    ['between the parts', cut, -15, 0, false],
    ['on a plot that is a point', { type: 'Point', coordinates: [1, 1] } as Plot, 1, 1, false],
  ])('%s', (_, plot, latitude, longitude, isThere) => {
    expect(isInside({ latitude, longitude }, plot)).toBe(isThere)
  })
})

test('nothing that is answered claims that anything is in order', () => {
  const answer = JSON.stringify(screen([{ id: 'id-1', eventId: 'urn:uuid:1', event: at(48.2, 16.4) }]))
  expect(answer).not.toMatch(/complian|conform|passed|"ok"|clean/i)
  for (const { source, date, law } of SCREENING_LISTS) {
    expect([source, date, law]).toEqual([
      expect.stringMatching(/^https:/),
      expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      expect.stringMatching(/\d/),
    ])
  }
})
