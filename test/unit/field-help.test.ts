import { expect, test } from 'vitest'
import { type Field, formOf } from '../../plugins/modules/console/editor/fields.ts'
import { COMMON_SCHEMA } from '../../src/plugin/common-schema.ts'
import { plugins } from '../support/categories.ts'
import { LANGUAGES } from '../support/languages.ts'
import { LOCALE_FOLDERS, readHelp } from '../support/locale-files.ts'

const { categories } = plugins

function* descriptionsIn(fields: readonly Field[]): Iterable<string> {
  for (const { description, isGiven, members = [], entries } of fields) {
    if (description !== '' && !isGiven) yield description
    yield* descriptionsIn([...members, ...(entries?.members ?? [])])
  }
}

const described = new Map(
  [...categories].map(([name, { schema }]) => [name, new Set(descriptionsIn(formOf(schema, COMMON_SCHEMA).fields))]),
)
const all = new Set([...described.values()].flatMap((descriptions) => [...descriptions]))

const helpOf = (category: string, language: string) =>
  new Map([...readHelp('locales', language), ...readHelp(`plugins/categories/${category}/locales`, language)])

test.each(LANGUAGES.filter((language) => language !== 'en'))('each field of a form has help in %s', (language) => {
  for (const [category, descriptions] of described) {
    const help = helpOf(category, language)
    expect([...descriptions].filter((description) => !help.has(description))).toEqual([])
  }
})

test.each(LANGUAGES)('the help in %s is of a field, a sentence, and not English', (language) => {
  for (const [description, text] of LOCALE_FOLDERS.flatMap((folder) => [...readHelp(folder, language)])) {
    expect(all).toContain(description)
    expect(text).toMatch(/^\P{Z}.*\.$/u)
    expect(text).toBe(text.normalize('NFC'))
    if (language !== 'en' && description.includes(' ')) expect(text).not.toBe(description)
    if (['bg', 'uk'].includes(language)) expect(text).toMatch(/\p{Script=Cyrillic}/u)
    if (language === 'el') expect(text).toMatch(/\p{Script=Greek}/u)
  }
})
