import { describe, expect, it, test } from 'vitest'
import { LABELS } from '../../../src/categories/material-labels.ts'
import { labelOf, materialLabel } from '../../../src/categories/material-names.ts'
import { MATERIALS } from '../../../src/categories/materials.ts'
import listMaterials from '../../../src/categories/operations/listMaterials.ts'
import { LANGUAGES } from '../../support/languages.ts'

const named = MATERIALS.filter(({ kind }) => kind !== 'hazard').map(({ name }) => name)

test('there are names in every language', () => {
  expect([...LABELS.keys(), 'en'].toSorted()).toEqual([...LANGUAGES].toSorted())
})

describe.each([...LABELS])('the names in %s', (language, labels) => {
  it('are those of the whole vocabulary, and tell it apart', () => {
    expect(Object.keys(labels).toSorted()).toEqual([...new Set(named)].toSorted())
    for (const [name, label] of Object.entries(labels)) {
      expect(label, name).toBe(label.trim().normalize('NFC'))
      expect(label.length, name).toBeGreaterThan(1)
      // Brackets contain a common abbreviation.
      const [, short] = /\(([A-Z]\w*[A-Z]\w*)\)$/.exec(name) ?? []
      if (short !== undefined) expect(label, name).toContain(`(${short})`)
    }
    expect(new Set(Object.values(labels)).size).toBeGreaterThan(new Set(named).size - 6)
  })

  it('are written in the script of the language', () => {
    const script = { bg: /\p{Script=Cyrillic}/u, uk: /\p{Script=Cyrillic}/u, el: /\p{Script=Greek}/u }[language]
    for (const label of Object.values(labels)) if (script) expect(label).toMatch(script)
    for (const label of Object.values(labels))
      if (!script) expect(label).not.toMatch(/\p{Script=Cyrillic}|\p{Script=Greek}/u)
  })
})

test.each([
  [
    'Wool',
    'de:Wolle fr:Laine es:Lana it:Lana nl:Wol pl:Wełna sv:Ull fi:Villa hu:Gyapjú el:Μαλλί bg:Вълна ga:Olann mt:Suf',
  ],
  [
    'Cotton',
    'de:Baumwolle fr:Coton da:Bomuld et:Puuvill lv:Kokvilna lt:Medvilnė cs:Bavlna sl:Bombaž ro:Bumbac mt:Qoton',
  ],
  ['Silk', 'de:Seide fr:Soie pt:Seda hr:Svila sk:Hodváb el:Μετάξι bg:Коприна fi:Silkki'],
  ['Elastane', 'de:Elasthan fr:Élasthanne es:Elastano it:Elastan nl:Elastaan hu:Elasztán fi:Elastaani'],
  ['Viscose', 'de:Viskose fr:Viscose es:Viscosa cs:Viskóza lv:Viskoze el:Βισκόζη fi:Viskoosi'],
  ['Glass fibre', 'de:Glasfaser fr:Verre&textile es:Vidrio&textil it:Vetro&tessile pt:Vidro&têxtil'],
])('%s has the names that labels have', (name, labels) => {
  for (const pair of labels.split(' ')) {
    const [language = '', label = ''] = pair.replace('&', ' ').split(':')
    expect(labelOf(name, language)).toBe(label)
  }
})

describe('materials of a passport', () => {
  it.each([
    ['wool', 'de', 'Wolle'],
    ['  Organic   Cotton ', 'de', 'Bio-Baumwolle'],
    ['Cotton, organic', 'de', 'Bio-Baumwolle'],
    ['polycarbonate', 'de', 'Polycarbonat (PC)'],
    ['NMC811', 'pl', 'Tlenek litowo-niklowo-manganowo-kobaltowy 811 (NMC 811)'],
    ['ΜΑΛΛΙ\u0301', 'en', 'Wool'],
    ['Aluminum', 'de', 'Aluminium'],
  ])('%s is in %s %s', (stated, language, label) => expect(materialLabel(stated, language)).toBe(label))

  it.each([
    ['Wolle', 'de'],
    ['wool', 'en'],
    ['PC', 'fr'],
    ['unobtainium', 'de'],
    ['', 'de'],
    ['H200', 'de'],
    ['wool', 'ja'],
    [`${'wool '.repeat(100)}`, 'de'],
  ])('%s is in %s no other', (stated, language) => expect(materialLabel(stated, language)).toBeUndefined())

  it('keeps its meaning where a word means different things in two languages', () => {
    // Flax in French, Swedish and Norwegian.
    expect(materialLabel('Lin', 'de')).toBe('Flachs (Leinen)')
    for (const [language, labels] of LABELS) {
      for (const [name, label] of Object.entries(labels)) {
        const english = materialLabel(label, 'en')
        const isSame = english === undefined || english === name || labels[english] === label
        expect(isSame, `${language}: ${label} is ${name} and not ${english}`).toBe(true)
      }
    }
  })
})

test('the list of materials contains the names in the requested language, and no others', async () => {
  const labels = async (lang?: string) => {
    const request = { query: { kind: 'fiber', search: 'wool', lang } }
    const { body } = await listMaterials({} as never)(request as never)
    return (body as unknown as { materials: { name: string; label?: string }[] }).materials.map(({ label }) => label)
  }
  expect(await labels('pl')).toEqual(['Wełna', 'Wełna z recyklingu'])
  expect(await labels('EN')).toEqual(['Wool', 'Wool, recycled'])
  for (const lang of [undefined, 'ja', '__proto__']) expect(await labels(lang)).toEqual([undefined, undefined])
})
