import { dirname, relative } from 'node:path'
import ts from 'typescript'
import { dictionary } from '../../src/domain/record.ts'
import { proseFaults } from './prose-rules.ts'

// Type check and source rules: `node test/support/source-rules.ts`, a step of `npm run check`.

const ROOT = dirname(dirname(import.meta.dirname))

/** Rules by message. */
const RULES: Readonly<Record<string, (node: ts.Node) => boolean>> = {
  'a text is looked up in an object literal; use dictionary() or Object.hasOwn': asksOpenTable,
  'a text or a number is made of JSON of any type; check its type first': makesTextOfJson,
  'only the outgoing client, the mailer and the typed client may open connections': reachesOut,
  'a secret is compared; use timingSafeEqual': comparesSecret,
  'only the command line may import the typed client': importsClient,
}

/**
 * Modules that may connect: the outbound client, the mailer, the typed client, and the socket of a database connection,
 * which pg connects. Other database libraries connect themselves. The conformance test speaks HTTP/2 over a connection of
 * the outbound client.
 */
const WAYS_OUT = [
  'src/outside/http-client.ts',
  'plugins/modules/mail/services/mailer.ts',
  'src/client/call.ts',
  'src/storage/connection.ts',
  'plugins/modules/conformance/http2-request.ts',
]
/** Members of Node modules that open no connection. */
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

let program: ts.Program
let checker: ts.TypeChecker

/** Errors of the type check, or else places that break a rule. */
function faults(): string[] {
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${ROOT}/tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    ROOT,
  )
  // Declarations are checked by the build.
  use(ts.createProgram(fileNames, { ...options, noEmit: true, declaration: false }))
  const host = { getCurrentDirectory: () => ROOT, getCanonicalFileName: (name: string) => name, getNewLine: () => '\n' }
  const errors = ts.getPreEmitDiagnostics(program).map((error) => ts.formatDiagnostic(error, host).trimEnd())
  return errors.length > 0 ? errors : [...findings(), ...blindRules(), ...unusedExports(), ...proseFaults(program)]
}

function use(given: ts.Program): void {
  program = given
  checker = given.getTypeChecker()
}

/** Places of a program that break a rule, as `file:line: rule: code`. */
export function findingsIn(given: ts.Program): string[] {
  use(given)
  return findings()
}

/** Rules that matched an exempt place. */
const exempt = new Set<string>()

function findings(): string[] {
  const found: string[] = []
  for (const file of program.getSourceFiles()) {
    const name = relative(ROOT, file.fileName)
    if (!/^(src|plugins)\//.test(name) || /\.test\.ts$|\/testing(\.ts$|\/)/.test(name)) continue
    const visit = (node: ts.Node): void => {
      for (const [sentence, isBroken] of Object.entries(RULES)) {
        if (!isBroken(node)) continue
        const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
        if (isExempt(isBroken, name)) exempt.add(isBroken.name)
        else found.push(`${name}:${line}: ${sentence}: ${node.getText()}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return found
}

/** Rules that match nothing, not even an exempt place. */
const blindRules = () =>
  [reachesOut, importsClient]
    .filter(({ name }) => !exempt.has(name))
    .map(({ name }) => `the rule ${name} finds nothing`)

const isExempt = (rule: (node: ts.Node) => boolean, file: string) =>
  (rule === reachesOut && WAYS_OUT.includes(file)) || (rule === importsClient && file.startsWith('src/commands/'))

function importsClient(node: ts.Node): boolean {
  return ts.isImportDeclaration(node) && /\/client\//.test((node.moduleSpecifier as ts.StringLiteral).text)
}

/** True if a name that ends like a secret's is compared with a non-constant. */
export function comparesSecret(node: ts.Node): boolean {
  if (!ts.isBinaryExpression(node) || !/^[!=]==?$/.test(node.operatorToken.getText())) return false
  const sides = [node.left, node.right]
  const isConstant = (side: ts.Expression) =>
    ts.isLiteralExpression(side) || /^(?:undefined|null|true|false|[A-Z_]+)$/.test(side.getText())
  return (
    !sides.some(isConstant) && sides.some((side) => /(?:secret|secret_?hash|csrf|password|mac)$/i.test(side.getText()))
  )
}

/** True for imports of connecting modules and for connecting globals. */
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

function isAmbient(declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().isDeclarationFile
}

/** Exports that no other file imports, except published entries and files that a loader reads. */
function unusedExports(): string[] {
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
  const modules = files.map((file) => ({
    name: relative(ROOT, file.fileName),
    symbol: checker.getSymbolAtLocation(file),
  }))
  // Including what published entries export as a whole.
  for (const { name, symbol } of modules) {
    if (symbol === undefined || !/^src\/(client|plugin|testing)\/index\.ts$/.test(name)) continue
    for (const one of checker.getExportsOfModule(symbol)) used.add(original(one) as ts.Symbol)
  }
  return modules
    .filter(
      ({ name }) =>
        /^(src|plugins)\/(?!generated|client\/index|plugin\/index|testing\/index)/.test(name) &&
        !/(\.test|\.d|\/generated)\.ts$/.test(name),
    )
    .flatMap(({ name, symbol }) =>
      (symbol === undefined ? [] : checker.getExportsOfModule(symbol))
        .filter((one) => one.name !== 'default' && !used.has(original(one) as ts.Symbol))
        .map((one) => `${name}: no file imports ${one.name}`),
    )
}

/**
 * Symbol that a node takes from another module: by `import`, `export … from`, a namespace member or `import(…)`. Other
 * nodes are skipped: typing them would check the whole program twice.
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

/** True if an object literal is indexed with an arbitrary string. */
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

/** True if a string or number is built from JSON, which may be an object. */
function makesTextOfJson(node: ts.Node): boolean {
  const value = ts.isTemplateSpan(node)
    ? node.expression
    : ts.isCallExpression(node) && ['String', 'Number'].includes(node.expression.getText())
      ? node.arguments[0]
      : undefined
  return value !== undefined && mayBeObject(checker.getTypeAtLocation(value))
}

/** True for `Json`: a union with numbers and objects with any members. */
const mayBeObject = (type: ts.Type): boolean =>
  type.isUnion() &&
  type.types.some((part) => part.flags & ts.TypeFlags.NumberLike) &&
  type.types.some((part) => part.flags & ts.TypeFlags.Object && part.getStringIndexType() !== undefined)

/** Table and word of `table[word]` and `word in table`, except assignments. */
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

/** True for `string` and unions with it; a union of literals contains existing names. */
const isText = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isText) : (type.flags & ts.TypeFlags.String) !== 0

/** True if it is a constant with a plain object literal, including inherited members. */
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

/** True if the enclosing function calls `Object.hasOwn(table, …)`. */
function isGuarded(table: ts.Expression): boolean {
  const around = ts.findAncestor(table, (node) => ts.isFunctionLike(node) || ts.isSourceFile(node))
  return around?.getText().includes(`Object.hasOwn(${table.getText()}, `) === true
}

if (import.meta.main) {
  const found = faults()
  for (const fault of found) console.error(fault)
  process.exitCode = found.length === 0 ? 0 : 1
}
