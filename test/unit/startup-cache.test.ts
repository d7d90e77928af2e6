import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startupCache } from '../../src/start/startup-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'dpp-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('stored values are found only by the same sources', () => {
  const below = join(folder, 'new')
  expect(startupCache('one', ['a', 'b'], below).text).toBeUndefined()
  startupCache('one', ['a', 'b'], below).keep('Über')
  expect(startupCache('one', ['a', 'b'], below).text).toBe('Über')
  const other = startupCache('one', ['ab', ''], below)
  expect(other.text).toBeUndefined()
  other.keep('')
  expect([startupCache('one', ['ab', ''], below).text, startupCache('one', ['a', 'b'], below).text]).toEqual([
    '',
    'Über',
  ])
  expect(readdirSync(below)).toHaveLength(2)
})

test('entries of other sources take a limited number of files', () => {
  const below = join(folder, 'limited')
  for (let index = 0; index < 100; index += 1) {
    const cache = startupCache('one', [String(index)], below)
    cache.keep('x')
    expect(cache.text).toBe('x')
  }
  expect(readdirSync(below)).toHaveLength(16)
})

test.each([
  ['nothing', () => ''],
  ['half of it', (text: string) => text.slice(0, -3)],
  ['another text under its name', (text: string) => text.replace('Über', 'Unter')],
])('if %s is left, nothing is found', (name, damaged) => {
  startupCache(name, ['a'], folder).keep('Über')
  const file = join(folder, readdirSync(folder).find((entry) => entry.startsWith(`${name}-`)) ?? name)
  writeFileSync(file, damaged(readFileSync(file, 'utf8')))
  expect(startupCache(name, ['a'], folder).text).toBeUndefined()
})

test('in a read-only folder nothing is stored', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const cache = startupCache('one', ['a'], join(file, 'below'))
  cache.keep('Über')
  expect(startupCache('one', ['a'], join(file, 'below')).text).toBeUndefined()
})
