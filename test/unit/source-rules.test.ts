import { dirname, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { permissionsOf, ROLES } from '../../src/domain/permissions.ts'
import { PLANS } from '../../src/domain/plans.ts'
import { dictionary } from '../../src/domain/record.ts'

const ROOT = dirname(dirname(import.meta.dirname))

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

test('every table that is asked by a text is a dictionary, or is asked for its own members only', () => {
  expect(placesWhere(asksOpenTable)).toEqual([])
})

test('no text and no number is made of JSON before somebody has looked what it is', () => {
  expect(placesWhere(makesTextOfJson)).toEqual([])
})

test('what is exported is used elsewhere', { timeout: 300_000 }, () => {
  expect(exportsForNobody()).toEqual([])
})

test('one module alone reaches out, and one sends mail: nobody else imports what makes connections', () => {
  const open = placesWhere(reachesOut).filter((place) => !WAYS_OUT.some((file) => place.startsWith(`${file}:`)))
  expect(open).toEqual([])
  // The rule would notice.
  expect(placesWhere(reachesOut).some((place) => place.startsWith('src/outside/outgoing.ts:'))).toBe(true)
})

test('no secret is compared but in constant time', () => {
  expect(placesWhere(comparesSecret)).toEqual([])
  // The rule would notice.
  const sentences = ['csrf === sent', 'sent !== row.secret_hash', 'one.apiSecret == other']
  const harmless = [
    'secret === undefined',
    "url.password !== ''",
    'csrf === null',
    'isSecret === true',
    'secretary === two',
  ]
  const comparesIn = (text: string) => {
    const [statement] = ts.createSourceFile('', text, ts.ScriptTarget.Latest, true).statements
    return comparesSecret((statement as ts.ExpressionStatement).expression)
  }
  expect(sentences.filter(comparesIn)).toEqual(sentences)
  expect(harmless.filter(comparesIn)).toEqual([])
})

test('the typed client is for callers: the command line alone imports it, and no part of the gateway', () => {
  const importers = placesWhere(
    (node) => ts.isImportDeclaration(node) && /\/client\//.test((node.moduleSpecifier as ts.StringLiteral).text),
  )
  expect(importers.filter((place) => !place.startsWith('src/commands/'))).toEqual([])
  expect(importers).not.toEqual([])
})

/** A name that ends as that of a secret, or of what is as good as one, compared with something that is not a constant. */
function comparesSecret(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !/^[!=]==?$/.test(node.operatorToken.getText())) return false
  const sides = [node.left, node.right]
  const isConstant = (side: ts.Expression) =>
    ts.isLiteralExpression(side) || /^(?:undefined|null|true|false|[A-Z_]+)$/.test(side.getText())
  return (
    !sides.some(isConstant) && sides.some((side) => /(?:secret|secret_?hash|csrf|password|mac)$/i.test(side.getText()))
  )
}

/**
 * The one outgoing client, the one that hands e-mail over, and the one that callers of a gateway have. Databases are connected
 * to by their own libraries.
 */
const WAYS_OUT = ['src/outside/outgoing.ts', 'src/outside/mailer.ts', 'src/client/call.ts']
/** What of Node's modules is no way out. */
const INNER = dictionary<readonly string[]>({
  http: ['createServer', 'IncomingMessage', 'Server', 'ServerResponse', 'STATUS_CODES'],
  https: [],
  http2: [],
  net: ['BlockList', 'createServer', 'isIP', 'isIPv4', 'isIPv6'],
  tls: [],
  dgram: [],
  dns: [],
  'dns/promises': [],
  undici: [],
  nodemailer: [],
})

/** An import of what makes connections, or one of the globals that do. */
function reachesOut(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) {
    const { parent } = node
    const isMember = ts.isPropertyAccessExpression(parent) && parent.name === node
    if (isMember && parent.expression.getText() !== 'globalThis') return false
    const isGlobal = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].includes(node.text)
    return isGlobal && checker.getSymbolAtLocation(node)?.declarations?.some(isAmbient) === true
  }
  if (!ts.isImportDeclaration(node) || node.importClause?.isTypeOnly === true) return false
  const allowed = INNER[(node.moduleSpecifier as ts.StringLiteral).text.replace(/^node:/, '')]
  if (allowed === undefined) return false
  const bindings = node.importClause?.namedBindings
  if (bindings === undefined || !ts.isNamedImports(bindings)) return true
  return bindings.elements.some(
    ({ isTypeOnly, name, propertyName }) => !isTypeOnly && !allowed.includes((propertyName ?? name).text),
  )
}

const isAmbient = (declaration: ts.Declaration) => declaration.getSourceFile().isDeclarationFile

/** The program once: the rules ask its types. */
const { program, checker } = readProgram()

function readProgram() {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  )
  const program = ts.createProgram(fileNames, options)
  return { program, checker: program.getTypeChecker() }
}

/** Where `isOpen` holds in our own code, as `file:line code`. */
function placesWhere(isOpen: (node: ts.Node) => boolean): string[] {
  const found: string[] = []
  for (const file of program.getSourceFiles()) {
    const name = relative(ROOT, file.fileName)
    if (!/^(src|plugins)\//.test(name) || /\.test\.ts$|\/testing(\.ts$|\/)/.test(name)) continue
    const visit = (node: ts.Node): void => {
      if (isOpen(node)) {
        found.push(`${name}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${node.getText()}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

/** Exports of our own code that no other file names, but for the published entries and what a folder's loader reads. */
function exportsForNobody(): string[] {
  const used = new Set<ts.Symbol>()
  const original = (symbol: ts.Symbol | undefined) =>
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const files = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'))
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      const symbol = original(takenFromModule(node))
      if (symbol?.declarations?.some((declaration) => declaration.getSourceFile() !== file)) used.add(symbol)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return files
    .map((file) => ({ name: relative(ROOT, file.fileName), symbol: checker.getSymbolAtLocation(file) }))
    .filter(
      ({ name }) =>
        /^(src|plugins)\/(?!generated|client\/index|plugin\/index|testing\/index)/.test(name) &&
        !/\.(test|d)\.ts$/.test(name),
    )
    .flatMap(({ name, symbol }) =>
      (symbol === undefined ? [] : checker.getExportsOfModule(symbol))
        .filter((one) => one.name !== 'default' && !used.has(original(one) as ts.Symbol))
        .map((one) => `${name} ${one.name}`),
    )
}

/**
 * What a node takes out of another module: by `import` and `export … from`, as a member of all that a module has, or of what
 * `import(…)` gives. Nothing else is asked for its type: that would check the whole program once more.
 */
function takenFromModule(node: ts.Node): ts.Symbol | undefined {
  if (ts.isImportSpecifier(node) || ts.isExportSpecifier(node)) return checker.getSymbolAtLocation(node.name)
  if (ts.isImportTypeNode(node)) return node.qualifier && checker.getSymbolAtLocation(node.qualifier)
  if (ts.isPropertyAccessExpression(node) || ts.isQualifiedName(node)) {
    const [from, name] = ts.isQualifiedName(node) ? [node.left, node.right] : [node.expression, node.name]
    const [declaration] = (ts.isIdentifier(from) && checker.getSymbolAtLocation(from)?.declarations) || []
    const isModule = (declaration && ts.isNamespaceImport(declaration)) || from.getText().includes('import(')
    return isModule ? checker.getSymbolAtLocation(name) : undefined
  }
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined
  const statement = ts.findAncestor(node, (around) => ts.isStatement(around) && !ts.isBlock(around))
  if (statement?.getText().includes('import(') !== true) return undefined
  return checker.getTypeAtLocation(node.parent).getProperty((node.propertyName ?? node.name).getText())
}

/** A text that may be anything is looked up in an object literal. */
function asksOpenTable(node: ts.Node): boolean {
  const [table, word] = lookUp(node) ?? []
  return (
    table !== undefined &&
    word !== undefined &&
    isText(checker.getTypeAtLocation(word)) &&
    isLiteral(table) &&
    !isGuarded(table)
  )
}

/** A text or a number is made of JSON, which may be an object that none can be made of. */
function makesTextOfJson(node: ts.Node): boolean {
  const value = ts.isTemplateSpan(node)
    ? node.expression
    : ts.isCallExpression(node) && ['String', 'Number'].includes(node.expression.getText())
      ? node.arguments[0]
      : undefined
  return value !== undefined && mayBeObject(checker.getTypeAtLocation(value))
}

/** Whether it is what `Json` is: a number or an object of any members, among others. */
const mayBeObject = (type: ts.Type): boolean =>
  type.isUnion() &&
  type.types.some((part) => part.flags & ts.TypeFlags.NumberLike) &&
  type.types.some((part) => part.flags & ts.TypeFlags.Object && part.getStringIndexType() !== undefined)

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
function isLiteral(table: ts.Expression): boolean {
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
