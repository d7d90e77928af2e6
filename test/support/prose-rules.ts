import { globSync, readFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import ts from 'typescript'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'

// Rules about the English of comments, test titles, texts, contracts and documents.

const ROOT = dirname(dirname(import.meta.dirname))

/** A text that people read. */
export interface Prose {
  readonly line: number
  readonly text: string
}

/** Kinds of prose, each with the files that contain it. */
const PARTS = {
  comments: {
    files: ['{src,plugins,optional,migrations,test,bench,.ci}/**/*.{ts,js,mjs,sql}', '*.{ts,js,mjs}'],
    read: (name: string, source: string) =>
      name.endsWith('.sql') ? sqlComments(source) : scriptComments(parsed(name, source)),
  },
  titles: {
    files: ['{src,plugins,optional,test}/**/*.{ts,mjs}'],
    read: (name: string, source: string) => titles(parsed(name, source)),
  },
  texts: {
    files: ['{src,plugins,optional}/**/*.{ts,js}'],
    read: (name: string, source: string) => (/\.test\.ts$/.test(name) ? [] : texts(parsed(name, source))),
  },
  contracts: {
    files: ['openapi.yaml', 'plugins/**/openapi.yaml'],
    read: (_: string, source: string) => descriptions(source),
  },
  locales: {
    files: ['locales/en.json', '{plugins,optional}/**/locales/en.json'],
    // Headings such as "Who is responsible" are questions.
    read: (_: string, source: string) =>
      members(source).map(({ line, text }) => ({ line, text: /[.!?:]$/.test(text) ? text : `${text}?` })),
  },
  documents: {
    files: ['*.md', '{docs,deploy,plugins,bench}/**/*.md'],
    read: (_: string, source: string) => paragraphs(source),
  },
  evidence: {
    files: ['docs/**/*.yaml'],
    read: (_: string, source: string) => evidence(source),
  },
}
type Part = keyof typeof PARTS

const GENERATED = /(^|\/)(node_modules|dist|generated)(\/|\.|$)/

/** First words that hide the subject; a question may begin with them. */
const OPENING =
  /^(?:What|Whatever|Who|Whoever|Whom|Whose|Whether|Of|Those|Where|Wherever|(?:About|After|At|Before|Behind|By|For|From|In|Into|On|Over|Through|To|Under|Upon|With|Within|Without) (?:which|whom|what|whose))\b/

/** Idioms, each with the words of the field. Only patterns without another meaning are listed. */
const IDIOMS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\bnone of (?:its|it|them|those|these|this|that|whom|which)\b/, 'no …; nothing in it'],
  [/(?<!\bthere )\b(?:is|are|was|were) none\b/, 'is not a …; is absent'],
  [/\b(?:those|these|them|it|that|this|which|one) alone\b/, 'only …'],
  [/(?<!--)\banew\b/, 'again'],
  [/\bbeside\b/, 'next to; in addition to'],
  [/\bat that(?=[.,;:)]|$)/, '(delete)'],
  [/\bof (?:its|their|our|his|her|one's|your|my) own\b/, 'own; separate'],
  [/\bonce (?:more|again)\b/, 'again'],
  [/\bonce and for all\b/, 'permanently'],
  [/\b(?:take|takes|took|taken|taking) back\b/, 'revoke; undo'],
  [/\b(?:as|so) far as\b/, 'if; the part that'],
  [/\b(?:whoever|whosoever|nobody|somebody|everybody|anybody)\b/, 'the operator, the caller; any'],
  [/\bfor ever\b/, 'permanently'],
  [/\bin one go\b/, 'as a batch'],
  [/\b(?:so many|so long as|for so long|a great many|a great deal|a good deal)\b/, 'n; a limit of n; while'],
  [/\bat once\b/, 'immediately; at the same time'],
  [/\bany ?more(?=[.,;:)]|$)/, 'no longer'],
  [/\bsuch a one\b/, 'the noun'],
  [/\b(?:come|comes|came) to nothing\b/, 'fail'],
  [/\b(?:has|have) become of\b/, 'the outcome of'],
  [/\bon (?:its|their) way\b/, 'in flight'],
  [/\b(?:mend|mends|mended|mending)\b/, 'fix'],
  [/\bvouch(?:es|ed|ing)?\b/, 'certify; sign'],
  [/\bby (?:its|their) own clock\b/, 'by the local clock'],
  [/\bhand(?:s|ed|ing)? (?:over|in)\b/, 'transfer; submit'],
  [/\b(?:goes|go|going|went) on\b/, 'continue'],
  [/\bbroken off\b/, 'aborted'],
  [/\blook-ups?\b/, 'lookup'],
  [/\bnothing of (?:it|this|that|them|which)\b/, 'no part of …'],
  [/\bof (?:that|those|it|them|this) which\b/, 'of the …'],
  [/\bthat of which\b/, 'the noun'],
  [/\bwhere (?:there|it) is none\b/, 'if absent'],
  [/(?<!\bthere )(?<!\bso )\bis no (?!longer\b|more\b)/, 'is not a …'],
  [/\btold\b/, 'notified; returned'],
  [/\bsaid of\b/, 'the description of'],
  [/\blong work\b/, 'background job'],
]

/** Words about the faults of one text; empty if it has none. */
export function faultsIn(text: string): string[] {
  const plain = text
    .replaceAll(/`[^`]*`/g, 'x')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const sentences = plain.split(/(?<=[.!?:]["”)]?) (?=[A-Z"“(])| (?=@(?:returns|throws|param)\b)/)
  const openings = sentences.flatMap((sentence) => {
    const words = sentence.replace(/^@returns (.)/, (_, first: string) => first.toUpperCase())
    const [opening] = OPENING.exec(words) ?? []
    return opening === undefined || sentence.endsWith('?') ? [] : [`opens with "${opening}"`]
  })
  const idioms = IDIOMS.flatMap(([pattern, instead]) => {
    const [idiom] = new RegExp(pattern, 'i').exec(plain) ?? []
    return idiom === undefined ? [] : [`"${idiom.trim()}": write ${instead}`]
  })
  return [...openings, ...idioms]
}

/** Parsed scripts by path; a program's need no second parse. */
const sources = new Map<string, ts.SourceFile>()

function parsed(name: string, source: string): ts.SourceFile {
  const known = sources.get(name)
  if (known?.text === source) return known
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  sources.set(name, file)
  return file
}

const lineAt = (file: ts.SourceFile, position: number) => file.getLineAndCharacterOfPosition(position).line + 1

/** Comments of a script; line comments on consecutive lines are one text. */
export function scriptComments(file: ts.SourceFile): Prose[] {
  const ranges = new Map<number, ts.CommentRange>()
  const add = (at: number) => {
    const found = [ts.getLeadingCommentRanges(file.text, at), ts.getTrailingCommentRanges(file.text, at)]
    for (const range of found.flatMap((some) => some ?? [])) ranges.set(range.pos, range)
  }
  const visit = (node: ts.Node): void => {
    add(node.pos)
    add(node.end)
    if (ts.isBlock(node)) add(node.getStart(file) + 1)
    ts.forEachChild(node, visit)
  }
  visit(file)
  const comments: (Prose & { end: number; isLine: boolean })[] = []
  for (const { pos, end, kind } of [...ranges.values()].sort((one, other) => one.pos - other.pos)) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia
    const raw = file.text.slice(pos, end)
    const text = isLine ? raw.slice(2).trim() : raw.replaceAll(/^\/\*+|\*+\/$|^\s*\*+/gm, ' ').trim()
    const before = comments.at(-1)
    if (isLine && before?.isLine && /^\r?\n[ \t]*$/.test(file.text.slice(before.end, pos)))
      comments[comments.length - 1] = { ...before, text: `${before.text} ${text}`, end }
    else comments.push({ line: lineAt(file, pos), text, end, isLine })
  }
  return comments.filter(({ text }) => !/^(?:biome-ignore|@ts-|<reference)/.test(text))
}

/** Comments of SQL, of which each is whole lines. */
function sqlComments(source: string): Prose[] {
  const comments: Prose[] = []
  let isOpen = false
  for (const [index, line] of source.split('\n').entries()) {
    const [, text] = /^\s*--\s?(.*)$/.exec(line) ?? []
    const before = comments.at(-1)
    if (text === undefined) isOpen = false
    else if (isOpen && before) comments[comments.length - 1] = { ...before, text: `${before.text} ${text}` }
    else {
      comments.push({ line: index + 1, text })
      isOpen = true
    }
  }
  return comments
}

/** Titles of tests and groups. A title in a group continues the group's: "a search" > "of several operators". */
function titles(file: ts.SourceFile): Prose[] {
  const found: Prose[] = []
  const visit = (node: ts.Node, isInGroup: boolean): void => {
    const name = ts.isCallExpression(node) ? node.expression.getText(file) : ''
    if (ts.isCallExpression(node) && /^(?:it|test|describe)\b/.test(name)) {
      const [title] = node.arguments
      if (title && ts.isStringLiteralLike(title)) {
        const isContinued = isInGroup && title.text.startsWith('of ')
        found.push({ line: lineAt(file, title.pos), text: isContinued ? title.text : capital(title.text) })
      }
    }
    ts.forEachChild(node, (child) => visit(child, isInGroup || name.startsWith('describe')))
  }
  visit(file, false)
  return found
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Literals of three and more words, with the places of a template as `x`. */
function texts(file: ts.SourceFile): Prose[] {
  const found: Prose[] = []
  const visit = (node: ts.Node): void => {
    const text = ts.isStringLiteralLike(node)
      ? node.text
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('x')
        : ''
    if (/^[\p{L}\d"“(x][^<>{}]*$/u.test(text) && /\S+\s+\S+\s+\S+/.test(text) && !SQL.test(text))
      found.push({ line: lineAt(file, node.getStart(file)), text })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const SQL = /\b(?:select|insert into|update \w+ set|delete from|order by|coalesce|on conflict)\b/

/** Titles, summaries and descriptions of an OpenAPI document. */
function descriptions(source: string): Prose[] {
  return yamlTexts(source, (key) => ['title', 'summary', 'description'].includes(key))
}

/** Texts of a page that is made of YAML; titles of tests are checked in the tests. */
function evidence(source: string): Prose[] {
  return yamlTexts(source, (key) => !['tests', 'fields', 'operations'].includes(key))
}

function yamlTexts(source: string, isProse: (key: string) => boolean): Prose[] {
  const lines = new LineCounter()
  const found: Prose[] = []
  const visit = (node: unknown, key: string): void => {
    if (isMap(node))
      for (const pair of node.items) visit(pair.value, String(isScalar(pair.key) ? pair.key.value : pair.key))
    else if (isSeq(node)) for (const item of node.items) visit(item, key)
    else if (isScalar(node) && typeof node.value === 'string' && isProse(key))
      found.push({ line: lines.linePos((node as Node).range?.[0] ?? 0).line, text: node.value })
  }
  visit(parseDocument(source, { lineCounter: lines }).contents, '')
  return found
}

/** Values of a locale, one on each line. */
function members(source: string): Prose[] {
  return source.split('\n').flatMap((line, index) => {
    const [, value] = /^\s*"[^"]*":\s*("(?:[^"\\]|\\.)*"),?$/.exec(line) ?? []
    return value === undefined ? [] : [{ line: index + 1, text: JSON.parse(value) as string }]
  })
}

/** Headings, paragraphs, list items and table cells of Markdown, without code. */
export function paragraphs(source: string): Prose[] {
  const blank = source.replaceAll(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2 *$|<!--[\s\S]*?-->/gm, (code) =>
    code.replaceAll(/[^\n]/g, ''),
  )
  const found: Prose[] = []
  let isOpen = false
  for (const [index, line] of blank.split('\n').entries()) {
    const line1 = index + 1
    const plain = line.replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '')
    const [, mark, text = ''] = /^\s*(#+ |[-*+] |\d+\. |> )?(.*)$/.exec(plain) ?? []
    const before = found.at(-1)
    if (text.startsWith('|')) {
      for (const cell of text.split(/(?<!\\)\|/)) if (cell.trim() !== '') found.push({ line: line1, text: cell.trim() })
      isOpen = false
    } else if (text.trim() === '') isOpen = false
    else if (mark === undefined && isOpen && before)
      found[found.length - 1] = { ...before, text: `${before.text} ${text}` }
    else {
      found.push({ line: line1, text })
      isOpen = !mark?.startsWith('#')
    }
  }
  return found
}

/**
 * Places whose English breaks a rule, as `file:line: fault: text`.
 * @param program of parsed scripts
 */
export function proseFaults(program: ts.Program): string[] {
  for (const file of program.getSourceFiles()) sources.set(relative(ROOT, file.fileName), file)
  return (Object.keys(PARTS) as Part[]).flatMap(faultsOf)
}

function faultsOf(part: Part): string[] {
  const { files, read } = PARTS[part]
  return globSync(files, { cwd: ROOT, exclude: (name) => GENERATED.test(name) })
    .filter((name) => !GENERATED.test(name))
    .sort()
    .flatMap((name) => read(name, readFileSync(`${ROOT}/${name}`, 'utf8')).map((prose) => ({ name, ...prose })))
    .flatMap(({ name, line, text }) =>
      faultsIn(text).map((fault) => `${name}:${line}: ${fault}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`),
    )
}

// All parts, or the given ones, also those that are not enforced.
if (import.meta.main) {
  const given = process.argv.slice(2)
  for (const part of Object.keys(PARTS) as Part[]) {
    if (given.length > 0 && !given.includes(part)) continue
    const faults = faultsOf(part)
    for (const fault of faults) console.log(fault)
    console.error(`${part}: ${faults.length}`)
  }
}
