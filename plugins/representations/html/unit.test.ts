import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { REDACTED, UNIT_EVENT_TYPES, UNIT_STATUSES, type UnitRecord } from '../../../src/plugin/index.ts'
import { fixtures } from '../../../test/browser/fixtures.ts'
import { payloads } from '../../../test/browser/payloads.ts'
import {
  contextFor,
  deadAnchors,
  renderBatchPage,
  renderCeasedUnitPage,
  renderUnitPage,
  withoutOwnCode,
  words,
} from '../../../test/browser/render.ts'
import { batchFixtures, ceasedUnit, hostileUnit, item, unitFixtures } from '../../../test/browser/unit-fixtures.ts'
import { LANGUAGES } from '../../../test/support/languages.ts'
import { anyUnit, NO_CONDITION, unitOf } from '../../../test/support/unit-views.ts'
import { html } from './index.ts'
import { textsFor } from './texts.ts'
import { type Measure, timeCharts } from './time-chart.ts'

const { battery, batteryRestricted, draft, electronicsRecalled } = fixtures

const KEYS =
  /\b(page|head|section|status|tier|chart|value|unit|seal|technical|machine|origin|problem|item|batch|audience)\.[a-z]/i

it.each([
  ...Object.values(batchFixtures).map((batch) => renderBatchPage(batch)),
  ...Object.values(unitFixtures).map((unit) => renderUnitPage(unit)),
  renderUnitPage(item),
])('leads to what is on the page (%#)', (page) => {
  expect(page).toContain('href="#technical"')
  expect(deadAnchors(page)).toEqual([])
})

describe('the page of a batch', () => {
  it('says what differs, and at its head what to do with this batch and not with others', () => {
    const text = words(renderBatchPage(batchFixtures['of textiles']))
    for (const part of ['L-2026/07', 'Made in Türkiye', 'Cotton', '1 July 2026', 'Wash at 30 °C.']) {
      expect(text).toContain(part)
    }
    expect(text).not.toContain('Wash at 40 °C')
  })

  it('states which parts are protected, and shows none', () => {
    const text = words(renderBatchPage(batchFixtures['of batteries, masked']))
    expect(text).toContain('Protected information')
    expect(text).not.toContain(REDACTED)
  })

  it('says so where nothing differs', () => {
    expect(words(renderBatchPage(batchFixtures['that says nothing']))).toContain(
      'For everything else, see the product passport.',
    )
  })
})

describe('the page of a unit', () => {
  it('shows the battery, its status, and the responsible company', () => {
    const text = words(renderUnitPage(unitFixtures.public))
    for (const part of [
      'Polar 78 traction battery',
      'Serial number SN-0042',
      'Manufactured 18 February 2026',
      'In service In use, or ready for use, for what it was made for.',
      'Responsible economic operator Nordlicht Zellwerke AG',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('leads to its product, its predecessor and its successors', () => {
    const page = renderUnitPage({ ...unitFixtures.history, repurposedFrom: unitFixtures.public.repurposedFrom })
    expect(page).toContain(`href="https://passport.example/passport/${battery.id}?lang=en"`)
    expect(
      page.match(/href="https:\/\/passport\.example\/unit\/5b0c6a52-0000-4000-8000-0000000000aa\?lang=en"/g),
    ).toHaveLength(3)
    for (const serial of ['NZ-2027-000017', 'NZ-HOME-0003', 'NZ-HOME-0004']) expect(words(page)).toContain(serial)
  })

  it('says what the seal of the product covers, and that nothing of the unit is under it', () => {
    const page = renderUnitPage(unitFixtures.public)
    expect(words(page)).toContain('Sealed on 14 March 2027')
    expect(words(page)).toContain('The data of this individual battery is not sealed.')
    expect(page).toContain(`href="https://passport.example/verify?lang=en#passport/${battery.id}"`)
    expect(words(renderUnitPage(unitFixtures['nothing measured']))).toContain('Not sealed')
    expect(words(page).split('The data of this individual battery is not sealed.')).toHaveLength(3)
    expect(words(page)).not.toContain('without being disclosed')
  })

  it('review-3-users S5: a record has the units that the condition has', () => {
    const [record] = unitFixtures.history.telemetry?.dynamicData ?? []
    const dynamicData = [
      { ...(record as UnitRecord), eventType: 'OTHER' as const, payload: { energyThroughputKWh: 16_097 } },
    ]
    const page = renderUnitPage(
      unitOf(batteryRestricted, { telemetry: { currentState: null, dynamicData, kept: NO_CONDITION } }),
    )
    const text = words(page).replaceAll('\u00a0', ' ')
    expect(text).toMatch(/Energy throughput 16,097 kWh/)
  })

  it('refers the public to the owner for measurements, and shows none', () => {
    const page = renderUnitPage(unitFixtures.public)
    expect(page).toContain(`href="https://passport.example/request-access?unit=${unitFixtures.public.id}&amp;lang=en"`)
    expect(words(page)).toContain('Measurements of this battery in use are not public.')
    expect(words(page)).toContain('Regulation (EU) 2023/1542')
    expect(page.match(/<ul class="locked">.*?<\/ul>/s)?.[0].match(/<li>/g)).toHaveLength(4)
    expect(page).not.toContain('class="plot')
  })

  it('shows the last state with its date to whom the view has it', () => {
    const text = words(renderUnitPage(unitOf(batteryRestricted)))
    expect(text).toMatch(/State of health 97\.5 % Charge cycles 120 Measured on 1 June 2026 at 10:00 UTC/)
    expect(text).not.toContain('is not public')
    expect(words(renderUnitPage(unitFixtures['nothing measured']))).toContain('Nothing has been measured yet.')
  })

  it('review-3-users S12: shows the day of the condition once, another day next to its value, and no figure twice', () => {
    const text = words(renderUnitPage(unitFixtures.history)).replaceAll('\u00a0', ' ')
    expect(text.match(/3 May 2028/g)).toHaveLength(1)
    expect(text).toContain('As of 3 May 2028 ')
    const headings = [...renderUnitPage(unitFixtures.history).matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(
      ([, heading = '']) => words(heading).trim(),
    )
    expect(new Set(headings).size).toBe(headings.length)
  })

  it('shows each value of the condition, and the values at each change of status, in words', () => {
    const text = words(renderUnitPage(unitFixtures.history)).replaceAll('\u00a0', ' ')
    for (const part of [
      'Battery status Repurposed',
      'State of certified energy 92.1% ',
      'Self-discharge 1.4 % per month · 1 April 2028',
      'Deep discharge · 9 January 2028',
      'Accident · Rear-end collision · 2 November 2027',
      'Values at each change of status',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toMatch(/1 March 2028 at 00:00 UTC Repurposed .*Loss of capacity 6%/)
    for (const part of ['certified energy', 'Rear-end']) {
      expect(words(renderUnitPage(unitFixtures.public))).not.toContain(part)
    }
  })

  it('puts a recall of the unit, or of its product, ahead of everything else, and once', () => {
    const recalled = 'This product has been recalled'
    for (const unit of [
      unitFixtures.recalled,
      unitOf(electronicsRecalled),
      unitOf(electronicsRecalled, { status: 'RECALLED' }),
    ]) {
      const page = renderUnitPage(unit)
      expect(page.indexOf(recalled)).toBeLessThan(page.indexOf('<h1'))
      expect(page.split(recalled)).toHaveLength(2)
    }
    expect(renderUnitPage(unitFixtures.public)).not.toContain(recalled)
  })

  it('is kept from search engines, and gives its own address', () => {
    const page = renderUnitPage(unitFixtures.public)
    expect(page).toContain('<meta name="robots" content="noindex">')
    expect(page).toContain(`<link rel="canonical" href="https://passport.example/unit/${unitFixtures.public.id}">`)
    expect(page).toContain('rel="alternate" type="application/vc+jwt"')
    expect(renderUnitPage(unitFixtures['nothing measured'])).toContain('type="application/vc+jwt"')
    expect(renderUnitPage(unitOf({ ...battery, facility: null }))).not.toContain('type="application/vc+jwt"')
  })

  it('shows a change of status that the gateway recorded in words, and whatever else was recorded as it is', () => {
    const text = words(renderUnitPage(unitFixtures.history))
    expect(text).toContain('Change of status Status Repurposed Has become NZ-HOME-0003')
    for (const part of ['Harmful event', 'Overheating', 'Werkstatt Süd', 'Cooled']) expect(text).toContain(part)
  })

  it('stays small with as many records as there can be, and says how many it leaves out', () => {
    const page = renderUnitPage(unitFixtures['as many records as there can be'])
    expect(Buffer.byteLength(page)).toBeLessThan(160 * 1024)
    expect(page.match(/<tr[ >]/g)).toHaveLength(101 + 3)
    expect(words(page)).toContain('… and 400 more: read the full document as JSON-LD')
    expect(page.match(/M[\d.]+ [\d.]+h0/g)).toHaveLength(500 + 100 + 500 + 100)
  })

  it('stays below a megabyte whatever was recorded', () => {
    const payload = { text: '"'.repeat(200_000), list: Array.from({ length: 10_000 }, (_, index) => [`<${index}>`]) }
    const [record] = unitFixtures.history.telemetry?.dynamicData ?? []
    const dynamicData = Array.from({ length: 500 }, () => ({ ...(record as UnitRecord), payload }))
    const page = renderUnitPage(
      unitOf(batteryRestricted, { telemetry: { currentState: null, dynamicData, kept: NO_CONDITION } }),
    )
    expect(Buffer.byteLength(page)).toBeLessThan(1_000_000)
    expect(words(page)).toMatch(/… and [\d,]+ more/)
  })

  it.each(['en', 'de'])('has words for everything in %s', (lang) => {
    for (const unit of Object.values(unitFixtures)) expect(words(renderUnitPage(unit, lang))).not.toMatch(KEYS)
    for (const batch of Object.values(batchFixtures)) expect(words(renderBatchPage(batch, lang))).not.toMatch(KEYS)
    for (const audience of ['public', 'authority'] as const) {
      for (const status of UNIT_STATUSES) {
        expect(words(renderUnitPage({ ...item, audience, status }, lang))).not.toMatch(KEYS)
      }
    }
  })

  it.each(LANGUAGES)('has words for each status and each event in %s', (lang) => {
    for (const unit of [unitFixtures.history, item]) expect(words(renderUnitPage(unit, lang))).not.toMatch(KEYS)
    expect(words(renderBatchPage(batchFixtures['of textiles'], lang))).not.toMatch(KEYS)
    for (const status of UNIT_STATUSES) {
      const text = words(renderUnitPage(unitOf(batteryRestricted, { status }), lang))
      expect(text).not.toMatch(KEYS)
      expect(text).not.toContain(status)
    }
    const [record] = unitFixtures.history.telemetry?.dynamicData ?? []
    const dynamicData = UNIT_EVENT_TYPES.map((eventType) => ({ ...(record as UnitRecord), eventType, payload: null }))
    const text = words(
      renderUnitPage(
        unitOf(batteryRestricted, { telemetry: { currentState: null, dynamicData, kept: NO_CONDITION } }),
        lang,
      ),
    )
    expect(text).not.toMatch(KEYS)
    for (const eventType of UNIT_EVENT_TYPES.filter((type) => type !== 'OTHER')) expect(text).not.toContain(eventType)
  })

  it('is the same for the same view and language', () => {
    for (const unit of Object.values(unitFixtures)) {
      expect(html.renderUnit(unit, contextFor('fi')).body).toBe(renderUnitPage(unit, 'fi'))
    }
  })

  it('renders any unit without invalid numbers', () => {
    fc.assert(
      fc.property(fc.constantFrom(battery, batteryRestricted, draft).chain(anyUnit), (unit) => {
        const page = renderUnitPage(unit)
        expect(page).toContain('</html>')
        expect(page).not.toMatch(/ (d|x|y)="[^"]*(NaN|Infinity|undefined)/)
      }),
      { numRuns: 60 },
    )
  })

  it.each(payloads)('shows foreign text as text: %j', (payload) => {
    const page = renderUnitPage(hostileUnit(payload)).replace(/<style>[\s\S]*?<\/style>/, '')
    expect(withoutOwnCode(page)).not.toMatch(/<(script|iframe|object|embed|form|base|video|math|input|img)\b/i)
    for (const [, address] of page.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      expect(address).toMatch(/^(https?:\/\/|#|data:image\/svg\+xml,%3Csvg%20xmlns)/)
    }
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/gi)) {
      expect(tag).toMatch(/^<[a-z][a-z\d]*(\s+[a-zA-Z:-]+(="[^"<]*")?)*\s*\/?>$/)
    }
  })
})

describe('the page of a unit that was recycled', () => {
  it('says what it was, when it was recycled, and what product it was one of', () => {
    const page = renderCeasedUnitPage(ceasedUnit)
    expect(words(page)).toContain('This item no longer exists')
    expect(words(page)).toContain('Serial number NZ-2027-000042 Recycled on 6 May 2041')
    expect(page).toContain(`href="https://passport.example/passport/${battery.id}?lang=en"`)
    expect(page).toContain('<meta name="robots" content="noindex">')
  })

  it.each(LANGUAGES)('is written in %s', (lang) => {
    expect(words(renderCeasedUnitPage(ceasedUnit, lang))).not.toMatch(KEYS)
  })

  it('shows foreign text as text', () => {
    const page = renderCeasedUnitPage({ ...ceasedUnit, serialNumber: '"><script>alert(1)</script>' })
    expect(withoutOwnCode(page)).not.toContain('<script')
  })
})

describe('a chart over time', () => {
  const texts = textsFor(contextFor(), { category: 'batteries' })
  const soh: Measure = { key: 'stateOfHealth', minValue: 0, maxValue: 100 }
  const cycles: Measure = { key: 'cycleCount', minValue: 0, isWhole: true }
  const record = (recordedAt: string, more: Partial<UnitRecord>): UnitRecord => ({
    eventType: 'OTHER',
    stateOfHealth: null,
    cycleCount: null,
    remainingCapacityAh: null,
    temperatureC: null,
    payload: null,
    recordedAt,
    ...more,
  })
  const days = (measure: Measure, ...values: readonly (number | null)[]) =>
    timeCharts(
      [measure],
      values.map((value, index) => record(new Date(index * 86_400_000).toISOString(), { [measure.key]: value })),
      texts,
    )
  const labels = (measure: Measure, ...values: readonly (number | null)[]) =>
    days(measure, ...values)[0]?.ticks.map(({ text }) => text)

  it('is not there for a measure that was never taken', () => {
    expect(days(soh)).toEqual([])
    expect(days(soh, null, null)).toEqual([])
  })

  it('is one dot in the middle for one value', () => {
    const [chart] = days(soh, 50)
    expect(chart).toMatchObject({ line: 'M500.0 70.0', dots: 'M500.0 70.0h0', times: ['1 January 1970'] })
  })

  it('joins values across records that have none, in the order of time', () => {
    const [chart] = timeCharts(
      [soh],
      [
        record('2027-01-01T00:00:00.000Z', { stateOfHealth: 100 }),
        record('2027-01-11T00:00:00.000Z', { stateOfHealth: 90 }),
        record('2027-01-04T00:00:00.000Z', { temperatureC: 20 }),
        record('2027-01-06T00:00:00.000Z', { stateOfHealth: 95 }),
      ],
      texts,
    )
    expect(chart?.line).toBe('M0.0 0.0L500.0 70.0L1000.0 140.0')
    expect(chart?.times).toEqual(['1 January 2027', '6 January 2027', '11 January 2027'])
    expect(chart?.note).toBe('Lowest 90, highest 100, latest 90')
    expect(chart?.description).toBe('1 January 2027 to 11 January 2027. Lowest 90, highest 100, latest 90.')
  })

  it('has the same span of time as the others', () => {
    const charts = timeCharts(
      [soh, cycles],
      [
        record('2027-01-01T00:00:00.000Z', { stateOfHealth: 100 }),
        record('2027-01-06T00:00:00.000Z', { cycleCount: 7 }),
        record('2027-01-11T00:00:00.000Z', { stateOfHealth: 90 }),
      ],
      texts,
    )
    expect(charts[0]?.times).toEqual(charts[1]?.times)
    expect(charts[1]?.line).toMatch(/^M500\.0 /)
  })

  it.each<[Measure, number[], string[]]>([
    [soh, [97, 99.4], ['97', '98', '99', '100']],
    [soh, [100, 100], ['95', '100']],
    [soh, [0, 0], ['0', '0.5']],
    [{ key: 'remainingCapacityAh' }, [0, 5e-324], ['0', '0.000001']],
    [soh, [0, 100], ['0', '50', '100']],
    [soh, [99.91, 99.95], ['99.9', '99.92', '99.94', '99.96']],
    [cycles, [3, 4], ['3', '4']],
    [cycles, [0, 412], ['0', '200', '400', '600']],
    [{ key: 'temperatureC' }, [-4, 3], ['−5', '0', '5']],
    [
      cycles,
      [Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER],
      ['9,007,199,250,000,000', '9,007,199,260,000,000'],
    ],
  ])('has round figures from below to above its values: %#', (measure, values, expected) => {
    expect(labels(measure, ...values)).toEqual(expected)
  })

  it('holds every value between its lowest and its highest figure, and few figures', () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: Number.MAX_SAFE_INTEGER, noNaN: true }),
      fc.double({ min: -273.15, max: 10_000, noNaN: true }),
    )
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
        const [chart] = days({ key: 'temperatureC' }, ...values)
        const heights = [...(chart?.line ?? '').matchAll(/[ML][\d.]+ (-?[\d.]+)/g)].map(([, y]) => Number(y))
        expect(heights).toHaveLength(values.length)
        for (const height of heights) expect(height >= 0 && height <= 140).toBe(true)
        expect(chart?.ticks.length).toBeGreaterThan(1)
        expect(chart?.ticks.length).toBeLessThan(7)
        const figures = chart?.ticks.map(({ text }) => Number(text.replaceAll(',', '').replace('−', '-'))) ?? []
        expect(figures).toEqual(figures.toSorted((one, other) => one - other))
        expect(new Set(figures).size).toBe(figures.length)
      }),
    )
  })

  it('says the time of day where all was measured within two', () => {
    const at = (hour: string) => record(`2027-01-01T${hour}:00:00.000Z`, { stateOfHealth: 1 })
    const [chart] = timeCharts([soh], [at('06'), at('10')], texts)
    expect(chart?.times).toEqual([
      '1 January 2027 at 06:00 UTC',
      '1 January 2027 at 08:00 UTC',
      '1 January 2027 at 10:00 UTC',
    ])
  })
})
