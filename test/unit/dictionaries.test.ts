import { dirname, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { permissionsOf, ROLES } from '../../src/domain/permissions.ts'
import { PLANS } from '../../src/domain/plans.ts'
import { dictionary } from '../../src/domain/record.ts'

const ROOT = dirname(dirname(import.meta.dirname))

test('L9: a dictionary knows what was put into it, and nothing that objects inherit', () => {
  const table = dictionary({ word: 1 })
  for (const word of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
    expect([table[word], word in table]).toEqual([undefined, false])
    expect(ROLES[word]).toBeUndefined()
    expect(PLANS[word]).toBeUndefined()
    expect(permissionsOf(word, null).size).toBe(0)
  }
  expect([table.word, 'word' in table, Object.keys(table)]).toEqual([1, true, ['word']])
})

test('L9: every table that is asked by a text is a dictionary, or is asked for its own members only', () => {
  expect(openTables()).toEqual([])
}, 60_000)

/** Places where a text that may be anything is looked up in an object literal: `file:line expression`. */
function openTables(): string[] {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  )
  const program = ts.createProgram(fileNames, options)
  const checker = program.getTypeChecker()
  const found: string[] = []
  for (const file of program.getSourceFiles()) {
    const name = relative(ROOT, file.fileName)
    if (!/^(src|plugins)\//.test(name) || name.endsWith('.test.ts')) continue
    const visit = (node: ts.Node): void => {
      const [table, word] = lookUp(node) ?? []
      if (table && word && isText(checker.getTypeAtLocation(word)) && isLiteral(checker, table) && !isGuarded(table)) {
        found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

/** The table and the word of `table[word]` and `word in table`; what is written to is not asked. */
function lookUp(node: ts.Node): [ts.Expression, ts.Expression] | undefined {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) return [node.right, node.left]
  if (!ts.isElementAccessExpression(node)) return undefined
  const { parent } = node
  const isWritten = ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind)
  const isPath = ts.isElementAccessExpression(parent) && parent.expression === node
  return isWritten || isPath ? undefined : [node.expression, node.argumentExpression]
}

const isAssignment = (kind: ts.SyntaxKind) =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment

/** `string` and what contains it; a union of literals names members that are there. */
const isText = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isText) : (type.flags & ts.TypeFlags.String) !== 0

/** Whether it is a constant that holds an object literal as it is, with everything that those inherit. */
function isLiteral(checker: ts.TypeChecker, table: ts.Expression): boolean {
  const symbol = checker.getSymbolAtLocation(table)
  const origin = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const declaration = origin?.valueDeclaration
  if (declaration === undefined || !ts.isVariableDeclaration(declaration)) return false
  return declaration.initializer !== undefined && ts.isObjectLiteralExpression(bare(declaration.initializer))
}

function bare(node: ts.Expression): ts.Expression {
  const isWrapped = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
  return isWrapped ? bare(node.expression) : node
}

/** Whether the function around it asks `Object.hasOwn(table, …)`. */
function isGuarded(table: ts.Expression): boolean {
  const around = ts.findAncestor(table, (node) => ts.isFunctionLike(node) || ts.isSourceFile(node))
  return around?.getText().includes(`Object.hasOwn(${table.getText()}, `) === true
}
