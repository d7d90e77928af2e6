import { describe, expect, it } from 'vitest'
import type { Json, Metadata } from '../../../src/plugin/index.ts'
import { fixtures } from '../../../test/browser/fixtures.ts'
import { renderPage, words } from '../../../test/browser/render.ts'
import { LANGUAGES } from '../../../test/support/languages.ts'
import { stylesheet } from './templates.ts'

const page = (metadata: Metadata, lang = 'en') =>
  renderPage({ ...fixtures.sku, metadata: { originCountry: 'AT', ...metadata }, maskedKeys: [] }, lang)
const text = (metadata: Metadata, lang = 'en') => words(page(metadata, lang)).replaceAll('\u00a0', ' ')
const shown = (x: Json, lang = 'en') => text({ category: 'hovercraft', x }, lang)

describe('a group of value and unit', () => {
  it.each<[Json, string]>([
    [{ value: -612.4, unit: 'kg CO2e' }, '−612.4 kg CO₂e'],
    [{ value: 0.08, unit: 'W' }, '0.08 W'],
    [{ value: 50, unit: 'ml' }, '50 ml'],
    [{ value: 12, unit: 'mg/kg' }, '12 mg/kg'],
    [{ value: 24, unit: 'N/mm2' }, '24 N/mm²'],
    [{ value: 1000, unit: 'cycles' }, '1,000 cycles'],
    [{ amount: 2, unitOfMeasure: 'years' }, '2 years'],
    [{ concentration: 12, unit: 'ppm' }, '12 ppm'],
    [{ value: 'C25/30', unit: 'MPa' }, 'C25/30 MPa'],
    [{ value: 3, functionalUnit: '1 m3' }, '3 per 1 m³'],
    [{ min: -5, max: 40, unit: '°C' }, '−5°C to 40°C'],
    [{ minC: -5, maxC: 40 }, '−5°C to 40°C'],
  ])('is one figure: %j', (group, figure) => {
    expect(shown(group)).toContain(`X ${figure} `)
    expect(shown(group)).not.toMatch(/\b(Unit|Value|Functional unit)\b/)
  })

  it.each(['kg CO2e', 'kgCO2e', 'kg CO2-eq', 'kg CO2eq', 'kg CO₂ equivalent', 'KG co2e'])(
    'has one spelling of greenhouse gases: %s',
    (unit) => {
      expect(shown({ value: 7, unit })).toContain('7 kg CO₂e ')
      expect(shown({ value: 7, unit: `${unit} per kWh` }, 'de')).toContain('7 kg CO₂e pro kWh ')
      expect(shown({ value: 7, unit: `${unit}/piece` }, 'pl')).toContain('7 kg CO₂e na sztukę ')
    },
  )

  it('keeps its other members, and shares the unit among several amounts', () => {
    expect(
      shown({ value: -612.4, unit: 'kg CO2e', functionalUnit: '1 m3', modules: ['A1', 'A2', 'A3'] }, 'de'),
    ).toContain('−612,4 kg CO₂e pro 1 m³ Lebenszyklusmodule A1, A2, A3')
    expect(shown({ typical: 3, peak: 5, unit: 'W' })).toContain('Typical 3 W Peak 5 W')
  })

  it('is a cell where several are alike, under headings', () => {
    const essentialCharacteristics: Json = [
      { name: 'Compressive strength', value: 24, unit: 'N/mm2' },
      { name: 'Reaction to fire', value: 'A1' },
    ]
    const shownPage = page({ category: 'construction', essentialCharacteristics }, 'en')
    expect(shownPage).toMatch(/<th scope="col">Name<\/th>\s*<th scope="col">Value<\/th>/)
    expect(words(shownPage).replaceAll('\u00a0', ' ')).toContain('Compressive strength 24 N/mm² Reaction to fire A1')
    expect(shownPage.match(/<th scope="row">/g)).toHaveLength(2)
  })

  it('of the environment stands with its module, under its indicator', () => {
    const modules = [
      { module: 'A1-A3', value: 12.5 },
      { module: 'D', value: -3 },
    ]
    const environmentalPerformance: Json = [
      { indicator: 'GWP-total', unit: 'kg CO2e', functionalUnit: '1 m3', modules },
    ]
    const shownPage = page({ category: 'construction', environmentalPerformance }, 'de')
    expect(shownPage.match(/<th scope="row">/g)).toHaveLength(2)
    expect(words(shownPage)).toMatch(/Umweltleistung GWP-total .*Modul Wert A1-A3 12,5 D −3/)
  })

  it.each<[Json, string]>([
    [0.25, '0.25%'],
    [{ min: 0.1, max: 0.3 }, '0.1% to 0.3%'],
    [{ max: 0.1 }, '≤ 0.1%'],
    [{ min: 2 }, '≥ 2%'],
  ])('of a substance of concern, %j, is %s', (concentrationPct, expected) => {
    const substance = {
      name: 'Lead',
      otherNames: ['Plumbum'],
      concentrationPct,
      component: { en: 'Plug', de: 'Stecker' },
    }
    const shownPage = words(page({ category: 'electronics', substancesOfConcern: [substance] }, 'en'))
    expect(shownPage.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(
      `Lead Other names Plumbum Concentration ${expected} Component Plug`,
    )
  })

  it('stays unchanged if it is not a figure', () => {
    expect(shown({ maxC: 6, max: 5 })).toContain('Highest 6°C Max 5')
    expect(shown({ unit: 'W', note: 'none' })).toContain('Unit W Note none')
    expect(
      shown([
        { name: 'a', value: true },
        { name: 'b', value: false },
      ]),
    ).toContain('a Yes b No')
  })
})

describe('review-3-users S5: an amount in the unit in which people read it', () => {
  it.each<[Json, string, string]>([
    [{ value: 64_000, unit: 'Wh' }, '64 kWh', ''],
    [{ value: 9_999, unit: 'Wh' }, '9,999 Wh', ''],
    [{ value: 12_480, unit: 'min' }, '208 hours', ''],
    [{ value: -148_440, unit: 'W' }, '−148.44 kW', ''],
    [{ min: 12_000, max: 15_000, unit: 'W' }, '12 kW to 15 kW', ''],
    [{ value: 64_000, unit: 'kg' }, '64,000 kg', ''],
  ])('%j is %s', (group, figure) => {
    expect(shown(group)).toContain(`X ${figure} `)
  })

  it("shows the passport's values in a title", () => {
    const html = page({ category: 'batteries', ratedEnergyWh: 64_000, powerLimits: { maximumDischargeW: 165_000 } })
    expect(html.replaceAll('\u00a0', ' ')).toMatch(/<dd title="64,000 Wh"><bdi>64<\/bdi> <small><bdi>kWh/)
    expect(html.replaceAll('\u00a0', ' ')).toContain('<span title="165,000 W">165 kW</span>')
  })
})

describe('numbers', () => {
  it('are grouped as the language does', () => {
    const cycles = (lang: string, category = 'textiles') => text({ category, expectedWashCycles: 5120 }, lang)
    expect(cycles('en')).toContain('5,120')
    expect(cycles('de')).toContain('5.120')
    expect(cycles('es')).toContain('5120')
    expect(shown(11_600)).toContain('X 11,600 ')
  })

  it('are no amounts where they name a year', () => {
    expect(text({ category: 'hovercraft', harvestYear: 2027, harvest: 2027 })).toContain(
      'Harvest year 2027 Harvest 2,027',
    )
  })

  it('say their scale where there is one', () => {
    const scores = { category: 'electronics', repairabilityIndex: 8.7, circularityIndices: { durabilityScore: 6 } }
    expect(text(scores)).toMatch(/8\.7 out of 10.* 6 out of 10/)
    const carbonFootprint = { performanceClass: 'C', absolute: 5 }
    expect(text({ category: 'batteries', carbonFootprint }, 'de')).toContain('C A ist die beste Klasse')
  })
})

describe('a text in several languages', () => {
  const texts = { en: 'Do not bleach', pl: 'Nie wybielać', pt: 'Não usar lixívia', bg: 'Не избелвай' }
  const end = (endOfLifeInstructions: Json, lang: string, originCountry = 'PT') =>
    page({ category: 'textiles', originCountry, endOfLifeInstructions }, lang)

  it('is shown in the language of the reader, without its own lang', () => {
    expect(end(texts, 'pl')).toContain('<bdi>Nie wybielać</bdi>')
    expect(end(texts, 'bg')).toContain('<bdi>Не избелвай</bdi>')
    for (const lang of ['pl', 'bg']) expect(end(texts, lang)).not.toContain('Do not bleach')
    expect(end({ 'pt-BR': 'Não alveje', en: 'No bleach' }, 'pt')).toContain('<bdi>Não alveje</bdi>')
  })

  it('else in that of the country, else in English, else in the first, and says in which', () => {
    expect(end(texts, 'sv')).toContain('<bdi lang="pt">Não usar lixívia</bdi>')
    expect(end(texts, 'sv', 'FI')).toContain('<bdi lang="en">Do not bleach</bdi>')
    expect(end({ hu: 'Ne fehérítse', el: 'Μην' }, 'sv')).toContain('<bdi lang="hu">Ne fehérítse</bdi>')
  })

  it('is one wherever it stands: names, lists, marketing', () => {
    const view = {
      ...fixtures.sku,
      metadata: { category: 'toys', originCountry: 'PL', productName: texts, safetyWarnings: [texts, 'Warm'] },
      enrichment: {
        tagline: texts,
        description: { pl: 'Jeden\n\nDwa', de: 'Eins\n\nZwei' },
        links: [{ label: { pl: 'Więcej' }, url: 'https://example.org/' }],
      },
    }
    const english = renderPage(view, 'en')
    expect(english).toContain('<h1><bdi>Do not bleach</bdi></h1>')
    expect(english).toContain('<p class="prose" dir="auto" lang="pl">Dwa</p>')
    expect(english).toContain('<bdi lang="pl">Więcej</bdi>')
    const greek = renderPage(view, 'el')
    expect(greek).toContain('<h1><bdi lang="pl">Nie wybielać</bdi></h1>')
    expect(greek).toContain('<p class="tagline"><bdi lang="pl">Nie wybielać</bdi></p>')
    expect(greek.match(/<bdi lang="pl">Nie wybielać<\/bdi>/g)).toHaveLength(3)
  })

  it('costs the page no more than its one language does', () => {
    const endOfLifeInstructions = Object.fromEntries(LANGUAGES.map((lang) => [lang, `${lang} ${'word '.repeat(700)}`]))
    const long = page({ category: 'textiles', endOfLifeInstructions }, 'uk')
    expect(long).toContain('>uk word word')
    expect(words(long)).not.toContain('more: read the full document')
    expect(long).not.toContain('sv word')
  })

  it('has no language that is made up', () => {
    expect(end([{ value: 'Hello', language: '"><b>' }], 'en')).toContain('<bdi>Hello</bdi>')
    expect(end('Do not bleach', 'pl')).toContain('<bdi>Do not bleach</bdi>')
  })
})

describe('names of materials', () => {
  const fibers = (fiber: string, lang: string) =>
    page({ category: 'textiles', fiberComposition: [{ fiber, percentage: 100 }] }, lang)

  it.each([
    ['Wool', 'de', 'Wolle'],
    ['wool', 'bg', 'Вълна'],
    ['ORGANIC COTTON', 'pl', 'Bawełna organiczna'],
    ['Linen', 'fr', 'Lin'],
    ['Wolle', 'en', 'Wool'],
    ['Wolle', 'el', 'Μαλλί'],
  ])('%s reads in %s as %s, with what was stated', (stated, lang, label) => {
    expect(fibers(stated, lang)).toContain(`<span title="${stated}">${label}</span>`)
  })

  it.each([
    ['Wolle', 'de'],
    ['Linen', 'en'],
    ['Moon dust', 'de'],
  ])('%s stays as it is in %s', (stated, lang) => {
    expect(fibers(stated, lang)).toContain(`<bdi>${stated}</bdi>`)
  })

  it('are those of substances and chemistries too, and of nothing else', () => {
    const battery = {
      category: 'batteries',
      chemistry: 'Lithium iron phosphate',
      criticalRawMaterials: ['Cobalt'],
      hazardousSubstances: [{ name: 'Nickel sulphate', casNumber: '7786-81-4' }],
      regulatoryCompliance: { certificates: [{ name: 'Silver' }] },
      manufacturer: { name: 'Silver' },
      suppliers: [{ name: 'Silver' }],
    }
    const german = text(battery, 'de')
    for (const name of ['Lithium-Eisenphosphat (LFP)', 'Nickelsulfat']) expect(german).toContain(name)
    expect(german).not.toContain('Silber')
  })

  it('that are options are read as those', () => {
    expect(text({ category: 'electronics', productCategory: 'Smartphone' }, 'el')).toContain('Έξυπνο τηλέφωνο')
  })
})

describe('a chart of shares', () => {
  const parts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      material: `Part ${index}`,
      percentage: (index + 1) * (100 / ((count * (count + 1)) / 2)),
    }))
  const chart = (count: number) => page({ category: 'hovercraft', materialComposition: parts(count) })
  const tones = (html: string) => [...html.matchAll(/<rect class="(t\d)" x=/g)].map(([, tone]) => tone)

  it('has no colour twice, and what none is left for is one part and folded away', () => {
    for (const count of [1, 7, 8, 9, 34, 100]) {
      const used = tones(chart(count))
      expect(new Set(used).size, String(count)).toBe(used.length)
      expect(used).toHaveLength(Math.min(count, 8))
    }
    expect(words(chart(8))).not.toContain('Others')
    const folded = chart(34)
    expect(words(folded)).toContain('Others: 27')
    expect(folded.indexOf('<details class="others">')).toBeGreaterThan(folded.indexOf('Part 33'))
    expect(folded.indexOf('>Part 0<')).toBeGreaterThan(folded.indexOf('<details class="others">'))
  })

  it('fills its bar, largest first, and numbers its parts', () => {
    const html = chart(34)
    const widths = [...html.matchAll(/<rect class="t\d" x="[\d.]+%" y="0" width="([\d.]+)%"/g)].map(([, width]) =>
      Number(width),
    )
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(100, 0)
    expect(widths.slice(0, 7)).toEqual(widths.slice(0, 7).toSorted((a, b) => b - a))
    expect(html).toMatch(
      /<text class="on1"[^>]*>1<\/text>[\s\S]*<svg class="swatch"[^>]*><rect class="t1"[^>]*><text class="on1"[^>]*>1</,
    )
  })

  it('shows scopes as parts of their sum, with amount and share', () => {
    const carbonFootprint = { unit: 'kg CO2e per kWh', co2eKg: 61.3, scope1: 8.2, scope2: 14.6, scope3: 38.5 }
    const html = page({ category: 'batteries', carbonFootprint })
    expect(html).toContain('<rect class="t3" x="37.19%" y="0" width="62.81%" height="100%"/>')
    expect(words(html)).toMatch(/Supply chain \(scope 3\) 38\.5 62\.8%/)
    expect(words(page({ category: 'batteries', carbonFootprint: { scope1: 0, scope2: 0 } }))).toContain('(scope 1) 0')
  })

  it('says what a footprint per kWh comes to for the battery, with its arithmetic, where that is not stated', () => {
    const whole = (carbonFootprint: Json) => text({ category: 'batteries', ratedEnergyWh: 5120, carbonFootprint })
    const arithmetic = '≈ 314 kg CO₂e 61.3 kg CO₂e per kWh × 5.12 kWh'
    expect(whole({ unit: 'kg CO2e per kWh', co2eKg: 61.3 })).toContain(arithmetic)
    expect(whole(61.3)).toContain(arithmetic)
    const others: Json[] = [
      { unit: 'kg CO2e per kWh', co2eKg: 61.3, absolute: 320 },
      { kgCo2ePerKWh: 0.068 },
      { unit: 'kg CO2e per kWh', co2eKg: 0.068 },
      { unit: 'kg CO2e per piece', co2eKg: 61.3 },
    ]
    for (const other of others) expect(whole(other)).not.toContain('≈')
  })

  it('has colours of 3:1 against their neighbours and the page, and numbers that can be read on them', () => {
    const [light = '', dark = ''] = [...stylesheet.matchAll(/:root\{([^}]*--t1[^}]*)\}/g)].map(([, rules]) => rules)
    for (const [rules, paper] of [
      [light, '#ffffff'],
      [dark, '#0f1614'],
    ] as const) {
      const colour = (name: string) => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(rules)?.[1] ?? ''
      const colours = Array.from({ length: 8 }, (_, index) => colour(`t${index + 1}`))
      for (const [index, one] of colours.entries()) {
        expect(contrast(one, paper), one).toBeGreaterThanOrEqual(3)
        expect(contrast(one, colours[index + 1] ?? paper), one).toBeGreaterThanOrEqual(3)
        expect(contrast(one, colour(index % 2 === 0 ? 'on-odd' : 'on-even')), one).toBeGreaterThanOrEqual(4.5)
      }
    }
  })
})

describe('the chart of recycled content', () => {
  it('says in words what has none', () => {
    const recycledContentShare = { cobalt: 0, lithium: 6.5, lead: 0, nickel: 0 }
    const html = page({ category: 'batteries', recycledContentShare })
    expect(words(html)).toContain('Lithium 6.5% No recycled content: Cobalt, Lead, Nickel')
    expect(html.match(/<dd class="bar">/g)).toHaveLength(1)
    const nothing = page({ category: 'batteries', recycledContentShare: { cobalt: 0 } }, 'de')
    expect(words(nothing)).toContain('Kein Anteil bei: Kobalt')
    expect(nothing).not.toContain('<dl class="bars">')
  })
})

function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}
