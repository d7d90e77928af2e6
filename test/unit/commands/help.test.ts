import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { linesOf, nearest } from '../../../src/commands/help.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('what every call loads is our own and small: no package, and nothing that opens a gateway', () => {
  const seen = new Set<string>()
  const packages: string[] = []
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const imports = readFileSync(file, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^'"]*? from )?'([^']+)'/gm)
    for (const [, name = ''] of imports) {
      if (name.startsWith('.')) visit(join(dirname(file), name))
      else if (!name.startsWith('node:')) packages.push(`${relative(ROOT, file)}: ${name}`)
    }
  }
  visit(join(ROOT, 'src/cli.ts'))
  expect(packages).toEqual([])
  expect(seen.size).toBeGreaterThan(20)
  const heavy = ['src/gateway.ts', 'src/config.ts', 'src/http/contract.ts', 'src/verify/index.ts']
  expect(heavy.filter((file) => seen.has(join(ROOT, file)))).toEqual([])
})

test('a table has headings and columns on a terminal, and tabs alone in a pipe', () => {
  const table = {
    headings: ['ID', 'NAME'],
    rows: [
      ['1', 'Anna'],
      ['1000', ''],
    ],
  }
  expect(linesOf(table, true)).toEqual(['ID    NAME', '1     Anna', '1000'])
  expect(linesOf(table, false)).toEqual(['1\tAnna', '1000\t'])
  expect([linesOf({ ...table, rows: [] }, true), linesOf({ ...table, rows: [] }, false)]).toEqual([
    ['Nothing found.'],
    [],
  ])
})

test.each([
  ['passprt list', 'passport list'],
  ['ilst', 'list'],
  ['lits', 'list'],
  ['lst', 'list'],
  ['listt', 'list'],
  ['fly', undefined],
  ['', undefined],
  ['x'.repeat(10_000), undefined],
])('%.20s is nearest to %s', (word, meant) => {
  expect(nearest(word, ['verify', 'list', 'passport list', 'workspace create'])).toBe(meant)
})
