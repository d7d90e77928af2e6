import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkCategory, checkRepresentation } from '../../src/testing/index.ts'
import { categoryNames } from '../support/categories.ts'

const root = join(import.meta.dirname, '../..')

for (const name of readdirSync(join(root, 'plugins/representations'))) {
  test(`the representation ${name} keeps the contract`, () =>
    checkRepresentation(join(root, 'plugins/representations', name)))
}

test.each([
  ['a key', { category: 'Shoes', field: { sole: 'Sole' } }, /shoes has no text for these keys .*\n.*sole\/grip/s],
  ['itself', { field: { sole: 'Sole', 'sole/grip': 'Grip' } }, /shoes has no text "category"/],
])('a category that does not name %s in English does not keep it', async (_, locales, message) => {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-kit-'))
  try {
    await mkdir(join(folder, 'locales'))
    await mkdir(join(folder, 'schemas'))
    await writeFile(join(folder, 'index.js'), "export default { kind: 'category', name: 'shoes' }")
    await writeFile(join(folder, 'locales/en.json'), JSON.stringify(locales))
    const schema = { properties: { sole: { type: 'object', properties: { grip: { type: 'number' } } } } }
    await writeFile(join(folder, 'schemas/shoes.json'), JSON.stringify(schema))
    const shoe = { category: 'shoes', originCountry: 'IT' }
    const samples = { valid: [shoe], invalid: [{ metadata: { ...shoe, sole: { grip: 'good' } }, path: 'sole.grip' }] }
    await expect(checkCategory(folder, samples)).rejects.toThrow(message)
  } finally {
    await rm(folder, { recursive: true })
  }
})

for (const name of categoryNames) {
  test(`the category ${name} keeps the contract`, () => {
    const valid = { category: name, originCountry: 'DE' }
    const invalid = { metadata: { ...valid, originCountry: 'ZZ' }, path: 'originCountry' }
    return checkCategory(join(root, 'plugins/categories', name), { valid: [valid], invalid: [invalid] })
  })
}
