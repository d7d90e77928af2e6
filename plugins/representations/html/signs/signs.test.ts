import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import type { Metadata, PassportView } from '../../../../src/plugin/index.ts'
import { REDACTED } from '../../../../src/plugin/index.ts'
import { fixtures } from '../../../../test/browser/fixtures.ts'
import { contextFor, renderPage, words } from '../../../../test/browser/render.ts'
import { LANGUAGES } from '../../../../test/support/languages.ts'
import { textsFor } from '../texts.ts'
import { careOf } from './care.ts'
import { CARE, energyArrow, MARKS, PICTOGRAMS } from './drawings.ts'
import { pictogramsOf, signalWordOf } from './hazards.ts'
import { signsOf, warningsOf, withoutKeys } from './index.ts'
import { officialSentence, splitStatement } from './statements.ts'

const viewOf = (metadata: Metadata): PassportView => ({ ...fixtures.sku, metadata })
const textsOf = (metadata: Metadata, lang: string) => textsFor(contextFor(lang), metadata)
const warnings = (metadata: Metadata, lang = 'en') => warningsOf(viewOf(metadata), textsOf(metadata, lang))
const signs = (metadata: Metadata, lang = 'en', updatedAt = '2027-03-14T09:26:53.000Z') =>
  signsOf({ ...viewOf(metadata), updatedAt }, textsOf(metadata, lang))
const signTexts = (metadata: Metadata) => signs(metadata)?.signs.map(({ text }) => text)
const statements = (metadata: Metadata, lang = 'en') =>
  warnings(metadata, lang)?.groups.flatMap(({ statements }) =>
    statements.map(({ code, text, own }) => [code, text, own].filter((part) => part !== undefined).join(' | ')),
  )

describe('the label elements of hazard statements', () => {
  it.each([
    // Regulation (EC) No 1272/2008, Annex I.
    ['H200', 'GHS01', 'Danger'],
    ['H204', 'GHS01', 'Warning'],
    ['H205', '', 'Danger'],
    ['H241', 'GHS01 GHS02', 'Danger'],
    ['H220', 'GHS02', 'Danger'],
    ['H226', 'GHS02', 'Warning'],
    ['H229', '', 'Warning'],
    ['H271', 'GHS03', 'Danger'],
    ['H280', 'GHS04', 'Warning'],
    ['H290', 'GHS05', 'Warning'],
    ['H314', 'GHS05', 'Danger'],
    ['H301', 'GHS06', 'Danger'],
    ['H302', 'GHS07', 'Warning'],
    ['H304', 'GHS08', 'Danger'],
    ['H350i', 'GHS08', 'Danger'],
    ['H361fd', 'GHS08', 'Warning'],
    ['H410', 'GHS09', 'Warning'],
    ['H411', 'GHS09', undefined],
    ['H412', '', undefined],
    ['H362', '', undefined],
    ['H420', 'GHS07', 'Warning'],
    ['EUH440', '', 'Danger'],
    ['EUH066', '', undefined],
    ['H999', '', undefined],
    ['constructor', '', undefined],
    ['H228', 'GHS02', undefined],
    ['H228 H315', 'GHS02 GHS07', undefined],
    ['H228 H314', 'GHS02 GHS05', 'Danger'],
    ['H302 H412', 'GHS07', 'Warning'],
    // Article 26(1)(b).
    ['H301 H315', 'GHS06', 'Danger'],
    ['H300+H310 H420', 'GHS06', 'Danger'],
    // Article 26(1)(c).
    ['H318 H315', 'GHS05', 'Danger'],
    ['H318 H315 H302', 'GHS05 GHS07', 'Danger'],
    ['H314 H335', 'GHS05 GHS07', 'Danger'],
    // Article 26(1)(d).
    ['H334 H317 H319', 'GHS08', 'Danger'],
    ['H351 H317', 'GHS07 GHS08', 'Warning'],
  ])('of %s are %s, %s', (codes, pictograms, signalWord) => {
    expect(pictogramsOf(codes.split(' ')).join(' ')).toBe(pictograms)
    expect(signalWordOf(codes.split(' '))).toBe(signalWord)
  })
})

describe('the sentences of the law', () => {
  const folder = join(import.meta.dirname, 'statements')
  const read = (language: string): Record<string, string> =>
    JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8'))
  const english = read('en')

  it('are there in the 28 languages, and in no other', () => {
    expect(readdirSync(folder).sort()).toEqual(LANGUAGES.map((language) => `${language}.json`).sort())
  })

  it('are complete in English', () => {
    const hazards = Object.keys(english).filter((code) => /^H\d{3}$/.test(code))
    // Annex III, part 1.
    expect([2, 3, 4].map((kind) => hazards.filter((code) => code.startsWith(`H${kind}`)).length)).toEqual([35, 29, 6])
    expect(Object.keys(english).filter((code) => code.startsWith('EUH'))).toHaveLength(33)
    expect(Object.keys(english).filter((code) => /^P\d{3}$/.test(code))).toHaveLength(97)
  })

  it.each(LANGUAGES)('are well written: %s', (language) => {
    for (const [code, text] of Object.entries(read(language))) {
      expect(english[code] ?? code, `${language} ${code}`).toMatch(/^(?!$)|^P\d{3}(\+P\d{3})+$/)
      expect(text, code).toBe(text.trim().normalize('NFC'))
      expect(text, code).not.toMatch(/ {2}|\t|_|\\/)
      expect(/[<>]/.test(text), `${language} ${code}`).toBe(code === 'EUH208')
      if (language !== 'en' && text.split(' ').length > 3) expect(text, code).not.toBe(english[code])
    }
  })

  test.each([
    ['bg', /^[^a-zA-Z]*$/],
    ['el', /^[^a-zA-Z]*$/],
  ])('have no Latin letter in %s but those of units, numbers and codes', (language, script) => {
    for (const [code, text] of Object.entries(read(language)))
      expect(text.replace(/°[CF]|\bkg\b|\blbs\b|\(VI\)/g, ''), code).toMatch(script)
  })

  const ON_SHELVES =
    'H225 H226 H290 H302 H304 H314 H315 H317 H318 H319 H332 H335 H336 H351 H373 H400 H410 H411 H412 EUH066 EUH206 EUH208 EUH210 P101 P102 P103 P210 P260 P261 P264 P270 P271 P273 P280 P301+P310 P301+P312 P301+P330+P331 P302+P352 P303+P361+P353 P304+P340 P305+P351+P338 P308+P313 P332+P313 P333+P313 P337+P313 P362+P364 P403+P233 P405 P410+P412 P501'.split(
      ' ',
    )
  const OUTSIDE_THE_UNION = ['no', 'is', 'tr', 'uk']
  it.each(LANGUAGES.filter((language) => !OUTSIDE_THE_UNION.includes(language)))(
    'cover the shelves in %s',
    (language) => {
      expect(ON_SHELVES.filter((code) => officialSentence(code, language)?.lang !== language)).toEqual([])
    },
  )

  it.each(LANGUAGES)('name the signal word as the category does: %s', (language) => {
    const { category } = textsOf({ category: 'chemicals' }, language)
    for (const word of ['Danger', 'Warning'])
      expect(officialSentence(word, language)).toEqual({ text: category.option('signalWord', word), lang: language })
  })

  it('answer in English what a language does not have, and nothing for an unknown code', () => {
    expect(officialSentence('H315', 'uk')).toEqual({ text: 'Causes skin irritation.', lang: 'en' })
    expect(officialSentence('H315', 'de-AT')).toEqual({ text: 'Verursacht Hautreizungen.', lang: 'de' })
    expect(officialSentence('H999', 'de')).toBeUndefined()
    expect(officialSentence('P102+P999', 'de')).toBeUndefined()
    expect(officialSentence('toString', 'de')).toBeUndefined()
  })

  it('are put together from their parts where the law does the same', () => {
    expect(officialSentence('P301+P310', 'de')?.text).toBe(
      'BEI VERSCHLUCKEN: Sofort GIFTINFORMATIONSZENTRUM/Arzt/… anrufen.',
    )
    expect(officialSentence('P362+P364', 'de')?.text).toBe(
      'Kontaminierte Kleidung ausziehen und vor erneutem Tragen waschen.',
    )
  })

  it.each([
    ['H319', 'H319', ''],
    ['H319 Causes serious eye irritation', 'H319', 'Causes serious eye irritation'],
    ['EUH208: Contains limonene.', 'EUH208', 'Contains limonene.'],
    ['H360FD – ', 'H360FD', ''],
    ['P301 + P310', 'P301+P310', ''],
    ['P305+P351+P338 IF IN EYES', 'P305+P351+P338', 'IF IN EYES'],
  ])('are found by the code of %s', (statement, code, rest) => {
    expect(splitStatement(statement)).toEqual({ code, words: rest })
  })

  it.each(['Skin Irrit. 2', 'H31', 'H3155', 'H315Causes', ' H315', ''])('%j has no code', (statement) => {
    expect(splitStatement(statement)).toBeUndefined()
  })
})

describe('the warnings', () => {
  it('of a chemical are pictograms, signal word and sentences in the language of the page', () => {
    const found = warnings(fixtures.chemicalArchived.metadata, 'de')
    expect(found?.signalWord).toEqual({ text: 'Achtung', lang: 'de' })
    expect(found?.pictograms).toEqual([{ drawing: PICTOGRAMS.GHS07, text: 'Gesundheitsschädlich oder reizend' }])
    expect(found?.used).toEqual(['hStatements', 'hazardClassification', 'pStatements', 'signalWord'])
    expect(statements(fixtures.chemicalArchived.metadata, 'de')).toEqual([
      'H315 | Verursacht Hautreizungen.',
      'H319 | Verursacht schwere Augenreizung.',
      'Skin Irrit. 2',
      'Eye Irrit. 2',
      'P102 | Darf nicht in die Hände von Kindern gelangen.',
      'P280 | Schutzhandschuhe/Schutzkleidung/Augenschutz/Gesichtsschutz tragen.',
    ])
  })

  it('keep the words of the company where they say more than the law', () => {
    const hStatements = [
      'H318 Causes serious eye damage',
      'H290 Kann gegenüber Metallen korrosiv sein',
      'H315 Nur das Konzentrat.',
      'EUH208 Contains limonene. May produce an allergic reaction.',
      'H999 Bites.',
      'H998',
      'Corrosive',
    ]
    expect(statements({ category: 'chemicals', hStatements }, 'fr')).toEqual([
      'H318 | Provoque de graves lésions des yeux.',
      'H290 | Peut être corrosif pour les métaux.',
      'H315 | Provoque une irritation cutanée. | Nur das Konzentrat.',
      'EUH208 | Contains limonene. May produce an allergic reaction.',
      'H999 | Bites.',
      'H998',
      'Corrosive',
    ])
  })

  it('tell a statement once that stands under two keys, and derive the signal word that is not stated', () => {
    const metadata = { category: 'chemicals', hStatements: ['H318'], hazardClassification: ['H318', 'H412'] }
    expect(statements(metadata)).toEqual([
      'H318 | Causes serious eye damage.',
      'H412 | Harmful to aquatic life with long lasting effects.',
    ])
    expect(warnings(metadata)?.signalWord?.text).toBe('Danger')
    expect(warnings({ ...metadata, signalWord: 'Warning' })?.signalWord?.text).toBe('Warning')
  })

  it('of a toy are the sign for small children, small parts, magnets, fragrances and the words of the company', () => {
    const toy = {
      category: 'toys',
      ageGroup: '3-6',
      ageWarning: 'Not for children under 36 months.',
      safetyWarnings: ['Keep away from fire.'],
      containsMagnets: true,
      allergenicFragrances: ['Linalool'],
      physicalSafetyParameters: { chokingHazardWarning: true, sharpEdgesChecked: true },
    }
    const found = warnings(toy)
    expect(found?.pictograms.map(({ text }) => text)).toEqual([
      'Not suitable for children under 3 years',
      'Choking hazard: small parts.',
    ])
    expect(found?.note).toBeUndefined()
    expect(statements(toy)).toEqual([
      'Contains magnets',
      'Not for children under 36 months.',
      'Keep away from fire.',
      'Linalool',
    ])
    expect(withoutKeys(toy, found?.used ?? [])).toEqual({
      category: 'toys',
      ageGroup: '3-6',
      physicalSafetyParameters: { sharpEdgesChecked: true },
    })
  })

  it.each(['0-3', '2+', 'from 5', undefined, 5, '36'])(
    'do not draw the sign for under three where it is made for %j',
    (ageGroup) => {
      const toy = { category: 'toys', ...(ageGroup === undefined ? {} : { ageGroup }) }
      const found = warnings({ ...toy, physicalSafetyParameters: { chokingHazardWarning: true } })
      expect(found?.pictograms.map(({ drawing }) => drawing)).toEqual([MARKS.alert])
    },
  )

  it.each(LANGUAGES)('say the same in %s as the passport does: nothing is left in another word', (language) => {
    const found = warnings({ category: 'chemicals', presenceOfSVHC: true, hStatements: ['H318'] }, language)
    expect(found?.groups[0]?.statements[0]?.text).not.toContain('sign.')
    expect(found?.pictograms[0]?.text).not.toContain('sign.')
  })

  it.each<Metadata>([
    { category: 'textiles' },
    { category: 'chemicals', presenceOfSVHC: false, hStatements: [], signalWord: 'Beware' },
    { category: 'toys', containsMagnets: false, physicalSafetyParameters: { chokingHazardWarning: false } },
    { category: 'toys', safetyWarnings: REDACTED, physicalSafetyParameters: REDACTED },
    { category: 'chemicals', hStatements: [315, null], pStatements: { P102: true }, signalWord: 1 },
    { category: 'toys', containsMagnets: 'yes', physicalSafetyParameters: [true], ageWarning: '' },
  ])('are absent if the passport states none: %j', (metadata) => {
    expect(warnings(metadata)).toBeUndefined()
  })
})

describe('the signs', () => {
  it.each([
    ['battery', ['CE marking', 'Do not put in household waste: take to separate collection']],
    [
      'electronicsRecalled',
      [
        'CE marking',
        'Energy efficiency class A on a scale from A to G',
        'Do not put in household waste: take to separate collection',
      ],
    ],
    ['textile', ['Wash at 40 °C at most', 'Do not tumble dry']],
    ['chemicalArchived', undefined],
    ['longWords', undefined],
    ['sku', undefined],
  ] as const)('of the %s are what its passport states', (name, texts) => {
    expect(signTexts(fixtures[name].metadata)).toEqual(texts)
  })

  it('are Cd and Pb for a battery that is marked so', () => {
    expect(signTexts({ category: 'batteries', cadmiumSymbol: true, leadSymbol: true })).toEqual([
      'Contains more than 0.002 % cadmium',
      'Contains more than 0.004 % lead',
    ])
  })

  it.each<Metadata>([
    { category: 'batteries', separateCollectionSymbol: false, cadmiumSymbol: false, leadSymbol: 'yes' },
    { category: 'electronics', energyEfficiencyClass: 'A+++' },
    { category: 'electronics', energyEfficiencyClass: 'toString' },
    { category: 'toys', regulatoryCompliance: { ceMarking: false } },
    { category: 'toys', regulatoryCompliance: REDACTED },
    { category: 'toys', regulatoryCompliance: { certificates: [null, { validUntil: 'soon' }, { validUntil: 2020 }] } },
    { category: 'textiles', careInstructions: ['Handle with care', [{ value: 'Kalt waschen', language: 'de' }]] },
    { category: 'textiles', careInstructions: { wash: 30 } },
  ])('are missing if the passport has none: %j', (metadata) => {
    expect(signs(metadata)).toBeUndefined()
  })

  it('leave care instructions among the rows unless all are shown', () => {
    const used = (careInstructions: Metadata['careInstructions']) =>
      signs({ category: 'textiles', careInstructions })?.used
    expect(used(['Wash at 30 °C', 'Do not bleach'])).toEqual(['careInstructions'])
    expect(used('Wash at 30 °C. Do not bleach.')).toEqual(['careInstructions'])
    expect(
      used([
        [
          { value: 'Nicht bleichen', language: 'de' },
          { value: 'Do not bleach', language: 'en' },
        ],
      ]),
    ).toEqual(['careInstructions'])
    expect(used(['Wash at 30 °C', 'Smile'])).toEqual([])
  })

  it('mark a certificate that had ended when the passport was last changed', () => {
    const metadata = {
      regulatoryCompliance: {
        certificates: [
          { name: 'Ended', validUntil: '2027-03-13' },
          { name: 'Last day', validUntil: '2027-03-14' },
          { name: 'Later', validUntil: '2027-03-15' },
        ],
      },
    }
    expect(signs(metadata)?.signs).toEqual([
      { drawing: MARKS.alert, text: 'Certificate expired (valid until 13 March 2027):', own: 'Ended' },
    ])
    expect(signs(metadata)?.used).toEqual([])
    expect(signs(metadata, 'en', '2027-03-13T23:59:59.000Z')).toBeUndefined()
  })

  it.each([
    ['Machine wash at 30 °C', 'wash30'],
    ['Wash 40 gentle', 'wash40Mild'],
    ['30 °C delicate cycle', 'wash30Mild'],
    ['HAND WASH ONLY', 'washByHand'],
    ["Don't bleach", 'noBleach'],
    ['Non-chlorine bleach only', 'bleachOxygen'],
    ['Do not tumble-dry', 'noTumble'],
    ['Tumble dry on low heat', 'tumbleLow'],
    ['Iron at low temperature', 'iron110'],
    ['Dry clean', 'dryClean'],
    ['Do not dry-clean', 'noDryClean'],
    ['Do not machine wash', undefined],
    ['Dry clean only', undefined],
    ['Tumble dry without heat', undefined],
    ['Tumble dry, no heat', undefined],
    ['Do not bleach, tumble dry', undefined],
    ['Do not wash at 30 °C', undefined],
    ['Iron while damp', undefined],
    ['Wash at 35 °C', undefined],
    ['Wash cold', undefined],
    ['', undefined],
    ['constructor', undefined],
    [`Wash at 30 °C ${'please '.repeat(10)}`, undefined],
  ])('read %j as %s', (instruction, care) => {
    expect(careOf(instruction)).toBe(care)
  })

  it.each(LANGUAGES)('have a text in %s for every drawing', (language) => {
    const careInstructions = ['Wash 30', 'Wash 40 gentle', 'Cool iron', 'Any bleach', 'Dry flat', 'Dry clean']
    for (const { text } of signs({ ...fixtures.electronicsRecalled.metadata, careInstructions }, language)?.signs ?? [])
      expect(text).not.toMatch(/sign\.|\{\{|undefined/)
  })
})

describe('the drawings', () => {
  const drawings = { ...PICTOGRAMS, ...MARKS, ...CARE, energy: energyArrow('A') }

  it.each(Object.entries(drawings))('%s is small, hidden from screen readers, and asks for nothing', (_, drawing) => {
    expect(Buffer.byteLength(drawing)).toBeLessThan(1024)
    expect(drawing).toMatch(/^<svg class="drawn" viewBox="[\d ]+" aria-hidden="true">/)
    expect(drawing).not.toMatch(/style=|href|url\(/)
  })

  it.each(['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const)(
    'class %s can be read on its colour (WCAG 1.4.3)',
    (energyClass) => {
      const colour = /fill="#([\da-f]{6})" stroke/.exec(energyArrow(energyClass))?.[1] ?? ''
      const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
        const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
      expect((luminance + 0.05) / 0.05).toBeGreaterThanOrEqual(4.5)
    },
  )
})

describe('the page', () => {
  it('tells a danger once, and above its sections', () => {
    const text = words(renderPage(fixtures.chemicalArchived, 'de'))
    expect(text.split('H315')).toHaveLength(2)
    expect(text.indexOf('Verursacht Hautreizungen.')).toBeLessThan(text.indexOf('Sicherheitsdatenblatt'))
    expect(text.split('Signalwort')).toHaveLength(1)
  })

  it('marks what is not in its language', () => {
    const page = renderPage(
      { ...fixtures.chemicalArchived, metadata: { category: 'chemicals', hStatements: ['H318'] } },
      'uk',
    )
    expect(page).toContain('<span lang="en">Causes serious eye damage.</span>')
    expect(page).toContain('lang="uk">Небезпека</p>')
  })
})
