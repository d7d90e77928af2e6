import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkedDocument } from '../../../src/http/checked-document.ts'

const folder = mkdtempSync(join(tmpdir(), 'dpp-checked-'))
afterAll(() => rmSync(folder, { recursive: true }))

let made = 0
const make = async () => {
  made += 1
  return { title: 'Über', made }
}
const madeBy = async (work: () => Promise<unknown>) => {
  const before = made
  await work()
  return made - before
}

test('what was checked is found by the same sources, and made anew for others', async () => {
  const file = join(folder, 'new', 'contract')
  const first = await checkedDocument(['a', 'b'], make, file)
  expect(JSON.parse(first.json)).toEqual({ title: 'Über', made: 1 })
  expect(await checkedDocument(['a', 'b'], make, file)).toEqual(first)
  const other = await checkedDocument(['ab', ''], make, file)
  expect([other.json, other.name === first.name]).toEqual(['{"title":"Über","made":2}', false])
  expect(readdirSync(join(folder, 'new'))).toEqual(['contract'])
})

test.each([
  ['nothing', () => ''],
  ['half of it', (text: string) => text.slice(0, -5)],
  ['another document under its name', (text: string) => text.replace('Über', 'Unter')],
])('where a start left %s, it is made anew', async (name, damaged) => {
  const file = join(folder, name)
  const { json } = await checkedDocument(['c'], async () => ({ title: 'Über' }), file)
  writeFileSync(file, damaged(readFileSync(file, 'utf8')))
  expect(await madeBy(async () => checkedDocument(['c'], make, file))).toBe(1)
  writeFileSync(file, readFileSync(file, 'utf8'))
  expect(await madeBy(async () => checkedDocument(['c'], make, file))).toBe(0)
  expect(json).toBe('{"title":"Über"}')
})

test('what cannot be made is not kept, and where nothing can be written it is made each time', async () => {
  const failing = async () => {
    throw new Error('There are two of them.')
  }
  const file = join(folder, 'failing')
  await expect(checkedDocument(['d'], failing, file)).rejects.toThrow('two of them')
  expect(await madeBy(async () => checkedDocument(['d'], make, file))).toBe(1)
  const nowhere = join(file, 'below', 'a', 'file')
  expect(await madeBy(async () => checkedDocument(['d'], make, nowhere))).toBe(1)
  expect(await madeBy(async () => checkedDocument(['d'], make, nowhere))).toBe(1)
})
