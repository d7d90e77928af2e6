import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { permissionsOf, ROLES } from '../../src/domain/permissions.ts'
import { PLANS } from '../../src/domain/plans.ts'
import { dictionary } from '../../src/domain/record.ts'
import { ROOT } from '../../src/root.ts'
import { comparesSecret, findingsIn } from '../support/source-rules.ts'

test('a dictionary knows what was put into it, and nothing that objects inherit', () => {
  const table = dictionary({ word: 1 })
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect([table[word], word in table]).toEqual([undefined, false])
    expect(ROLES[word]).toBeUndefined()
    expect(PLANS[word]).toBeUndefined()
    expect(permissionsOf(word, null).size).toBe(0)
  }
  expect([table.word, 'word' in table, Object.keys(table)]).toEqual([1, true, ['word']])
})

test('the rule on secrets finds comparisons with values, and none with constants', () => {
  const comparesIn = (text: string) => {
    const [statement] = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true).statements
    return comparesSecret((statement as ts.ExpressionStatement).expression)
  }
  const comparisons = ['csrf === sent', 'sent !== row.secret_hash', 'one.apiSecret == other']
  const harmless = [
    'secret === undefined',
    "url.password !== ''",
    'csrf === null',
    'isSecret === true',
    'secretary === two',
  ]
  expect(comparisons.filter(comparesIn)).toEqual(comparisons)
  expect(harmless.filter(comparesIn)).toEqual([])
})

/** Findings in a source file with these lines. */
function findingsOf(...lines: string[]): string[] {
  const name = join(ROOT, 'src/sample.ts')
  const host = ts.createCompilerHost({})
  const source = ts.createSourceFile(name, lines.join('\n'), ts.ScriptTarget.Latest, true)
  const options = { noLib: true, noResolve: true, types: [] }
  return findingsIn(ts.createProgram([name], options, { ...host, getSourceFile: () => source }))
}

test('every table that is asked by a text is a dictionary, or is asked for its own members only', () => {
  const table = 'const table = { word: 1 }; declare const word: string'
  expect(findingsOf(table, 'table[word]', 'word in table')).toEqual([
    expect.stringContaining('src/sample.ts:2: a text is looked up in an object literal'),
    expect.stringContaining('src/sample.ts:3: a text is looked up in an object literal'),
  ])
  expect(findingsOf(table, 'function f() { return Object.hasOwn(table, word) && table[word] }')).toEqual([])
  expect(findingsOf(table, "table['word']", 'table[word] = 2')).toEqual([])
})

test('no text and no number is made of JSON before its type is checked', () => {
  const json =
    'declare const json: null | string | number | boolean | Json[] | { readonly [key: string]: unknown }; type Json = typeof json'
  expect(findingsOf(json, `\`\${json}\``, 'String(json)', 'Number(json)')).toHaveLength(3)
  expect(findingsOf(json, "if (typeof json === 'string') String(json)")).toEqual([])
})

test('only one module opens outbound connections, and one sends mail', () => {
  const ways = [
    "import { request } from 'node:https'",
    "import * as net from 'node:net'",
    "import mail from 'nodemailer'",
  ]
  expect(findingsOf(...ways)).toHaveLength(3)
  expect(findingsOf("import { createServer } from 'node:http'", "import type { Socket } from 'node:net'")).toEqual([])
})
