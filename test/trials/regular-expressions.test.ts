import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import typescript from 'typescript'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ROOT } from '../../src/root.ts'

// A pattern above linear time lets one request block the process. So every pattern of the product runs on texts of 40
// KB derived from it.

/** Processor time of one text: seconds for a quadratic pattern, a few milliseconds for a linear one. */
const MAX_CPU_MS = 200

/** Patterns that never see foreign text, with their input. */
const OWN_TEXTS: Readonly<Record<string, string>> = {
  'plugins/representations/html/templates.ts \\/\\*[\\s\\S]*?\\*\\/': 'the style sheet of this repository',
  'plugins/representations/html/templates.ts  \\+ (?=[^{}]*\\{)': 'the same',
}

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
}

/** Regular expressions in a script, literal and built from literal texts. */
function* inScript(place: string, script: string): Iterable<Pattern> {
  const found: Pattern[] = []
  const textOf = (node: typescript.Node | undefined): string | undefined => {
    if (node === undefined) return ''
    if (typescript.isStringLiteralLike(node)) return node.text
    if (!typescript.isTemplateExpression(node)) return undefined
    return node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join('')
  }
  const visit = (node: typescript.Node): void => {
    if (node.kind === typescript.SyntaxKind.RegularExpressionLiteral) {
      const [, source = '', flags = ''] = /^\/(.*)\/([a-z]*)$/s.exec(node.getText()) ?? []
      found.push({ place, source, flags })
    }
    const isMade = typescript.isNewExpression(node) || typescript.isCallExpression(node)
    if (isMade && node.expression.getText() === 'RegExp') {
      const source = textOf(node.arguments?.[0])
      if (source === undefined) throw new Error(`${place}: ${node.getText()} is made of what cannot be read here.`)
      found.push({ place, source, flags: textOf(node.arguments?.[1]) ?? '' })
    }
    node.forEachChild(visit)
  }
  visit(typescript.createSourceFile(place, script, typescript.ScriptTarget.Latest, true))
  yield* found
}

/**
 * Values of `pattern`, names of `patternProperties` and patterns of `format` in a JSON Schema or an OpenAPI document.
 */
function* inSchema(place: string, value: unknown): Iterable<Pattern> {
  if (typeof value !== 'object' || value === null) return
  const { pattern, patternProperties = {} } = value as { pattern?: unknown; patternProperties?: object }
  if (typeof pattern === 'string') yield { place, source: pattern, flags: 'u' }
  for (const source of Object.keys(patternProperties)) yield { place, source, flags: 'u' }
  const { format } = value as { format?: unknown }
  const known = typeof format === 'string' ? fullFormats[format as keyof typeof fullFormats] : undefined
  if (known instanceof RegExp) yield { place: `${place} ${format}`, source: known.source, flags: known.flags }
  for (const inner of Object.values(value)) yield* inSchema(place, inner)
}

/** Patterns that code builds from parts when it is loaded. */
async function whenLoaded(place: string): Promise<Pattern[]> {
  const found: Pattern[] = []
  const own = globalThis.RegExp
  globalThis.RegExp = new Proxy(own, {
    construct(target, [source, flags = '']) {
      found.push({ place, source: String(source), flags })
      return new target(source, flags)
    },
  })
  try {
    await import(join(ROOT, place))
  } finally {
    globalThis.RegExp = own
  }
  return found
}

const ASSEMBLED = ['plugins/representations/aas/xsd.ts']

async function allPatterns(): Promise<Pattern[]> {
  const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
  const found: Pattern[] = []
  const isOurs = (file: string) => !/\.test\.ts$|\/testing\.ts$|\.d\.ts$|^src\/generated\//.test(file)
  for (const file of globSync(['src/**/*.ts', 'src/**/*.js', '{plugins,optional}/**/*.ts', 'plugins/**/scripts/*.js'], {
    cwd: ROOT,
  }).filter(isOurs)) {
    found.push(...inScript(file, read(file)))
  }
  for (const file of globSync(['schemas/*.json', '{plugins,optional}/**/schemas/*.json'], { cwd: ROOT })) {
    found.push(...inSchema(file, JSON.parse(read(file))))
  }
  for (const file of globSync('plugins/categories/*/schema.ts', { cwd: ROOT })) {
    found.push(...inSchema(file, await import(join(ROOT, file))))
  }
  for (const file of globSync(['openapi.yaml', 'plugins/modules/*/openapi.yaml'], { cwd: ROOT })) {
    found.push(...inSchema(file, parse(read(file))))
  }
  for (const file of ASSEMBLED) found.push(...(await whenLoaded(file)))
  // Duplicates take the same time.
  return [...new Map(found.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern])).values()]
}

const nameOf = ({ place, source }: Pattern) => `${place} ${source}`

/** Names of the patterns that take too long or throw. A silent pattern is abandoned after `maxWaitMs`. */
async function slowOf(patterns: readonly Pattern[], maxWaitMs: number): Promise<string[]> {
  const slow: string[] = []
  let next = 0
  while (next < patterns.length) {
    const worker = new Worker(join(import.meta.dirname, '../support/regular-expression-worker.ts'), {
      workerData: { patterns, from: next, maxCpuMs: MAX_CPU_MS },
    })
    next = await new Promise<number>((resolve, reject) => {
      let begun = next
      let timer: NodeJS.Timeout
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          slow.push(`${nameOf(patterns[begun] as Pattern)}: without an end`)
          resolve(begun + 1)
        }, maxWaitMs)
      }
      worker.on('error', reject)
      worker.on('message', ({ begun: index, ended, slowest, error }) => {
        wait()
        if (index !== undefined) begun = index
        if (slowest > MAX_CPU_MS || error !== undefined) {
          slow.push(`${nameOf(patterns[ended] as Pattern)}: ${error ?? `${Math.round(slowest)} ms`}`)
        }
        if (ended === patterns.length) {
          clearTimeout(timer)
          resolve(ended)
        }
      })
    })
    await worker.terminate()
  }
  return slow
}

test('no regular expression of the product needs more than linear time', { timeout: 600_000 }, async () => {
  const patterns = await allPatterns()
  expect(patterns.length).toBeGreaterThan(150)
  const tested = patterns.filter((pattern) => OWN_TEXTS[nameOf(pattern)] === undefined)
  expect(patterns.length - tested.length, 'an exception that no pattern needs').toBe(Object.keys(OWN_TEXTS).length)
  expect(await slowOf(tested, 20_000)).toEqual([])
})

test('the judge finds what is quadratic or worse, by every method', { timeout: 600_000 }, async () => {
  const bad = ['([A-Z]+)([A-Z][a-z])', '/+$', '^(a|a?)+$', '\\s*kg\\s*(?:x)?\\s*$', '\\d+:', '<a>.*</a>', '(.*)=(.*);$']
  const patterns = bad.map((source) => ({ place: 'here', source, flags: '' }))
  expect((await slowOf(patterns, 600)).map((found) => found.split(': ').slice(0, -1).join(': '))).toEqual(
    patterns.map(nameOf),
  )
})
