import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Json, Metadata } from '../../src/domain/metadata.ts'
import { loadContract } from '../../src/http/contract.ts'
import { loadPlugins } from '../../src/plugin/loader.ts'
import passportViews from '../../src/renditions/passport-views.ts'
import { loadConfig } from '../../src/start/config.ts'
import { allPlugins, errorPaths } from '../support/categories.ts'
import { type Demand, demandsOf, fileOf, type Law, PAGES, readLaws, STATUS_NAMES } from '../support/conformance.ts'
import { passport } from '../support/passport-row.ts'

const ROOT = dirname(dirname(import.meta.dirname))
const laws = PAGES.flatMap(readLaws)
const demands = laws.flatMap(demandsOf)
const fields = named('fields')
const restrictedFields = named('restrictedFields')
const contract = await loadContract(await loadPlugins(loadConfig({}).plugins))
const views = passportViews({ config: { baseUrl: 'https://passport.example' } as never, plugins: allPlugins })

test.each(PAGES)('$page is what `npm run conformance` makes of $source', (page) => {
  const { path, text } = fileOf(page)
  expect(readFileSync(path, 'utf8')).toBe(text)
})

describe('every line', () => {
  test('says what is asked and how it stands, and what is missing where something is', () => {
    expect(faultsOf(laws)).toEqual([])
  })

  test('that is met names a test, or keys that are tested below', () => {
    expect(unprovenOf(demands)).toEqual([])
  })

  test('would be found if it were not so', () => {
    const line = { demand: 'One.', status: 'met' } satisfies Demand
    expect(unprovenOf([line, { ...line, operations: ['getPassport'] }, { ...line, tests: [] }])).toHaveLength(3)
    const wrong = [
      line,
      { ...line, demand: 'one.' },
      { ...line, demand: 'Two.', status: 'open' } as const,
      { ...line, demand: 'Three.', status: 'done' as never },
      { ...line, demand: 'a | b' },
    ]
    expect(faultsOf([{ law: 'L', about: '', clauses: { 1: wrong } }])).toEqual([
      'L, 1: "one." is listed twice',
      'L, 1: "Two." does not say what is missing',
      'L, 1: "Three." has the status done',
      'L, 1: "a | b" does not fit into a table',
    ])
    expect(() => parse('clauses:\n  Art. 1: []\n  Art. 1: []\n')).toThrow('unique')
  })
})

describe('named evidence exists', () => {
  test('tests', () => {
    expect(missingTests(named('tests'))).toEqual([])
  })

  test('operations', () => {
    expect(missingOperations(named('operations'))).toEqual([])
  })

  test('and would be missed if it were not', () => {
    const self = 'test/unit/conformance.test.ts'
    const here = `${self} > named evidence exists > and would be missed if it were not`
    const gone = [
      `${here} any more`,
      `${self} > tests`,
      `${self} > named evidence exists`,
      'test/gone.test.ts > x',
      self,
    ]
    expect(missingTests([here, ...gone])).toEqual(gone)
    const source = "describe('a', () => { test.skip('b'); test.todo('c'); it.each([1])('%i', f); test(`d`) }); test(e)"
    expect(titlesIn(source)).toEqual(['a > %i', 'a > d'])
    expect(missingOperations(['getPassport', 'getPassportThatIsGone'])).toEqual(['getPassportThatIsGone'])
  })
})

describe('a key', () => {
  test.each([...fields, ...restrictedFields])('%s is typed', (field) => {
    const path = field.slice(field.indexOf('.') + 1).replaceAll('[]', '[0]')
    expect(errorPaths(metadataWith(field, null))).toContain(path)
  })

  test.each(fields)('%s is public', (field) => expect(isMasked(field)).toBe(false))

  test.each(restrictedFields)('%s is masked from the public', (field) => expect(isMasked(field)).toBe(true))

  test('that there is not is found', () => {
    expect(errorPaths(metadataWith('batteries.nothing', null))).toEqual([])
  })
})

/** Distinct values of this member. */
function named(member: 'tests' | 'operations' | 'fields' | 'restrictedFields'): string[] {
  return [...new Set(demands.flatMap((demand) => demand[member] ?? []))]
}

/** Findings that make the list unclear or count twice. */
function faultsOf(of: readonly Law[]): string[] {
  return of.flatMap(({ law, clauses }) => {
    const known = new Set<string>()
    return Object.entries(clauses).flatMap(([clause, list]) =>
      list.flatMap(({ demand, status, note }) => {
        const normal = `${clause} ${demand}`.toLowerCase()
        const faults = [
          known.has(normal) && 'is listed twice',
          !STATUS_NAMES.includes(status) && `has the status ${status}`,
          STATUS_NAMES.includes(status) && status !== 'met' && !note && 'does not say what is missing',
          /[|\n]/.test(`${clause}${demand}${note}`) && 'does not fit into a table',
        ]
        known.add(normal)
        return faults.filter((fault) => fault !== false).map((fault) => `${law}, ${clause}: "${demand}" ${fault}`)
      }),
    )
  })
}

function unprovenOf(of: readonly Demand[]): readonly Demand[] {
  return of.filter(
    ({ status, tests = [], fields: open = [], restrictedFields: masked = [] }) =>
      status === 'met' && tests.length + open.length + masked.length === 0,
  )
}

function missingTests(names: readonly string[]): string[] {
  const files = Map.groupBy(names, (name) => name.split(' > ', 1)[0] ?? '')
  const found = [...files.keys()]
    .filter((file) => existsSync(join(ROOT, file)))
    .flatMap((file) => titlesIn(readFileSync(join(ROOT, file), 'utf8')).map((titles) => `${file} > ${titles}`))
  const known = new Set(found)
  return names.filter((name) => !known.has(name))
}

/** Titles of the tests in a source, with those of their groups, except skipped tests. */
function titlesIn(source: string): string[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node, titles: readonly string[]) => {
    let inner = titles
    if (ts.isCallExpression(node)) {
      const [first, ...more] = wordsOf(node.expression)
      const [argument] = node.arguments
      const isTitled = argument !== undefined && (ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument))
      if (isTitled && /^(test|it|describe)$/.test(first ?? '') && !more.includes('skip') && !more.includes('todo')) {
        inner = [...titles, ts.isStringLiteralLike(argument) ? argument.text : argument.getText(file).slice(1, -1)]
        if (first !== 'describe') found.push(inner.join(' > '))
      }
    }
    ts.forEachChild(node, (child) => visit(child, inner))
  }
  visit(file, [])
  return found
}

/** Words of `test.skipIf(…).each(…)`. */
function wordsOf(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text]
  if (ts.isPropertyAccessExpression(expression)) return [...wordsOf(expression.expression), expression.name.text]
  return ts.isCallExpression(expression) ? wordsOf(expression.expression) : []
}

function missingOperations(names: readonly string[]): string[] {
  return names.filter((name) => !contract.operations.has(name))
}

/** Metadata with only this value, at the field's path. */
function metadataWith(field: string, value: Json): Metadata {
  const [category = '', ...keys] = field.split('.')
  const nested = keys.reduceRight<Json>((inner, key) => {
    return key.endsWith('[]') ? { [key.slice(0, -2)]: [inner] } : { [key]: inner }
  }, value)
  const name = category === 'common' ? 'textiles' : category
  expect([...allPlugins.categories.keys()]).toContain(name)
  return { category: name, originCountry: 'DE', ...(nested as Metadata) }
}

function isMasked(field: string): boolean {
  const { maskedKeys } = views.view(passport(metadataWith(field, 'x'), { seal: null }), 'public')
  return maskedKeys.includes(field.split('.')[1]?.replace('[]', '') ?? '')
}
