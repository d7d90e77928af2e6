import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const MAX_LINES = { file: 400, factory: 250, function: 120, src: 39_700 }
const MAX_LONG_FILES = 5
const MAX_FILES_IN_SRC = 8

/** Verifies seals by the clauses of the published rule, in their order. */
const WHOLE_RULE = 'plugins/modules/verifier/browser/seal.js'

const FILES = globSync(['src/**/*.{ts,js}', 'plugins/**/*.{ts,js}'])
  .filter((file) => !/\.test\.ts$|(^|\/)generated(\/|\.ts$)/.test(file))
  .map((name) => {
    const text = readFileSync(name, 'utf8')
    return { name, text, lines: text.split('\n').length - 1 }
  })

const LONG_FILES = FILES.filter(({ name, lines }) => lines > MAX_LINES.file && name !== WHOLE_RULE).map(
  ({ name }) => name,
)

/** Functions over the limit, as `file name`; a factory is the function that a file exports by default. */
function longFunctions(name: string, text: string): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node, parent: ts.Node): void => {
    const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1
    if (lines <= MAX_LINES.function) return
    if (ts.isFunctionLike(node) && 'body' in node && lines > MAX_LINES[isFactory(node) ? 'factory' : 'function']) {
      const named = ts.isVariableDeclaration(parent) ? parent : node
      found.push(`${name} ${named.name?.getText(source) ?? '(anonymous)'}`)
    }
    ts.forEachChild(node, (child) => visit(child, node))
  }
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  visit(source, source)
  return found
}

const isFactory = (node: ts.SignatureDeclaration): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true

test('no factory has more than 250 lines, and no other function more than 120', () => {
  const found = FILES.filter(({ lines }) => lines > MAX_LINES.function).flatMap(({ name, text }) =>
    longFunctions(name, text),
  )
  expect(found).toEqual([])
})

test('a long function is found, whether it is a factory, named, or neither', () => {
  const lines = (count: number) => '\n'.repeat(count - 1)
  const text = [
    `export default function made() {${lines(250)}}`,
    `function exact() {${lines(120)}}`,
    `export default function long() {${lines(251)}}`,
    `const arrow = () => {${lines(121)}}`,
    `class Sample { method() {${lines(121)}} }`,
    `call(() => {${lines(121)}})`,
  ].join('\n')
  expect(longFunctions('a.ts', text)).toEqual(['a.ts long', 'a.ts arrow', 'a.ts method', 'a.ts (anonymous)'])
})

test('five files of src have more than 400 lines, and no file of a plugin', () => {
  expect(LONG_FILES.filter((name) => name.startsWith('plugins/'))).toEqual([])
  expect(LONG_FILES.length, LONG_FILES.join()).toBeLessThanOrEqual(MAX_LONG_FILES)
})

test('src has at most 40,000 lines written by hand, and eight files outside its folders', () => {
  const ofSrc = FILES.filter(({ name }) => name.startsWith('src/'))
  expect(ofSrc.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(MAX_LINES.src)
  expect(globSync('src/*.*').length).toBeLessThanOrEqual(MAX_FILES_IN_SRC)
})
