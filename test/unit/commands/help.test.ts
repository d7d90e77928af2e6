import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Commands } from '../../../src/commands/command.ts'
import { completionCommands, listCompletions } from '../../../src/commands/completion.ts'
import { helpOfAll, linesOf } from '../../../src/commands/help.ts'
import { referenceTool } from '../../support/reference-tools.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every call loads only own, small code: no package, and nothing that opens a gateway', () => {
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
  const heavy = ['src/start/gateway.ts', 'src/start/config.ts', 'src/http/contract.ts', 'src/verify/index.ts']
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

test('help tells commands that call a gateway from the others', () => {
  const run = async () => undefined
  const help = helpOfAll({
    'passport list': { summary: 'List passports', options: { profile: { value: 'NAME', meaning: 'p' } }, run },
    verify: { summary: 'Verify', run },
  })
  expect(help).toMatch(/over HTTP.*\n {2}passport list {2}List passports\n\n.*installation.*\n {2}verify {9}Verify\n/)
})

describe('completion', () => {
  const run = async () => undefined
  const commands: Commands = {
    verify: { summary: 'v', words: ['FILE'], run },
    'key create': {
      summary: 'c',
      options: { role: { value: 'ROLE', meaning: 'r', values: ['AUDITOR', 'ADMIN'] }, mfa: { meaning: 'm' } },
      run,
    },
    'key list': { summary: 'l', run },
    ...completionCommands(() => commands),
  }

  test.each([
    [[''], ['completion', 'key', 'verify']],
    [['k'], ['key']],
    [
      ['key', ''],
      ['create', 'list'],
    ],
    [
      ['key', 'create', '--'],
      ['--help', '--json', '--mfa', '--role'],
    ],
    [
      ['key', 'create', '--role', 'A'],
      ['ADMIN', 'AUDITOR'],
    ],
    [['key', 'create', '--mfa', '--m'], []],
    [['verify', ''], []],
    [['constructor', ''], []],
  ])('after %j come %j', (typed, next) => {
    expect(listCompletions(commands, typed)).toEqual(next)
  })

  test.skipIf(referenceTool('bash') === undefined)('is what bash completes with', () => {
    const program = `
      dpp() { node "$ROOT/src/dpp.js" "$@"; }
      eval "$(dpp completion bash)"
      COMP_WORDS=(dpp passport g); COMP_CWORD=2; _dpp; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(dpp key create --role ''); COMP_CWORD=4; _dpp; echo "\${COMPREPLY[*]}"`
    const shown = execFileSync('bash', ['-c', program], {
      env: { ...process.env, ROOT, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    })
    expect(shown.toString().split(/\s+/)).toEqual(['get', 'AUDITOR', 'BRAND_OPERATOR', 'EDITOR', 'TENANT_ADMIN', ''])
  })
})
