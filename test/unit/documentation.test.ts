import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'

const INDEX = 'docs/README.md'
const MAX_LINES_OF_README = 150
const MAX_WORDS = 1500
/** Made by `npm run conformance`, of any length. */
const GENERATED = ['docs/reference/conformance.md', 'docs/reference/assurance.md']
const FILES = filesOf('.')
const NAMES = new Set(FILES.map((path) => basename(path)))
const PAGES = FILES.filter((path) => path.endsWith('.md'))
/** Citations of a file by its folder, of a test by its kind, and of any file by its name. */
const IN_FOLDER = /^(?:\.ci|bench|contexts|deploy|docs|locales|migrations|optional|plugins|schemas|src|test)\/[\w./-]*$/
const OF_TEST = /^(?:browser|conformance|contract|modules|representations|sweeps|trials|unit)\/[\w/-]+$/
const BY_NAME = /^(?:[\w-]+\/)*[\w.-]+\.(?:css|eta|js|md|mjs|py|sql|svg|ts|yaml)$/
/** Files that a reader makes. */
const READERS = ['index.ts', 'generated.ts', 'openapi.yaml']

function filesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isFile()) return [path]
    const isOurs = entry.isDirectory() && !['.git', '.data', 'node_modules', 'dist'].includes(entry.name)
    return isOurs && path !== '.ci/node' ? filesOf(path) : []
  })
}

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')
/** The page without its fences. */
const proseOf = (page: string) => textOf(page).replaceAll(/^```.*\n[\s\S]*?^```$/gm, '')

test('README is short', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES_OF_README)
})

describe('the index', () => {
  test('lists every page of docs', () => {
    const linked = linksOf(INDEX).map(({ path }) => path)
    const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== INDEX)
    expect(pages.length).toBeGreaterThan(20)
    expect(pages.filter((page) => !linked.includes(page))).toEqual([])
  })

  test('names the audience of each page, in one line', () => {
    const rows = [...textOf(INDEX).matchAll(/^\| \[.*$/gm)].map(([row]) => row)
    expect(rows.filter((row) => !/^\| \[[^\]]+\]\([^)]+\) +\| [a-z ]+: [^|]+\|$/.test(row))).toEqual([])
  })
})

describe.each(PAGES)('%s', (page) => {
  test('has links to existing files and headings', () => {
    const lost = linksOf(page).filter(
      ({ path, anchor }) => !existsSync(join(ROOT, path)) || (anchor !== undefined && !hasAnchor(path, anchor)),
    )
    expect(lost).toEqual([])
  })

  test.skipIf(GENERATED.includes(page))('has at most 1,500 words', () => {
    expect(textOf(page).trim().split(/\s+/).length).toBeLessThanOrEqual(MAX_WORDS)
  })

  test('cites existing files, lines, tests and scripts', () => {
    const spans = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)
    expect(spans.filter((span) => isMissing(span, page))).toEqual([])
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const run = [...textOf(page).matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(([, script = '']) => script)
    expect(run.filter((script) => scripts[script] === undefined)).toEqual([])
  })
})

test('a citation of a missing file, line or test is found', () => {
  const missing = ['src/nothing.ts', 'src/root.ts:1000', 'contract/nothing', 'nothing.ts', 'storage/nothing.ts']
  expect(missing.filter((span) => !isMissing(span, 'README.md'))).toEqual([])
  const present = ['src/root.ts', 'src/root.ts:1', 'unit/documentation', 'root.ts', 'npm start', 'a/b']
  expect(present.filter((span) => isMissing(span, 'README.md'))).toEqual([])
})

describe('docs/reference/dependencies.md', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as Record<
    string,
    Record<string, string>
  >
  const names = new Set(textOf('docs/reference/dependencies.md').split(/[\s|,;()]+/))

  test.each(
    Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }).filter(
      (name) => !name.startsWith('@types/'),
    ),
  )('has a reason for %s', (name) => {
    // The first package of a scope has its name, the others follow.
    const [, rest = name] = name.split(/^@[^/]+\//)
    expect(names.has(name) || names.has(rest)).toBe(true)
  })
})

/** Links into the repository, with their anchors. */
function linksOf(page: string): { path: string; anchor: string | undefined }[] {
  const LINK = /(?:\]\(|\b(?:src|href)=")(?!https?:|mailto:)([^)"#\s]*)(?:#([^)"\s]+))?[)"]/g
  return [...textOf(page).matchAll(LINK)].map(([, path, anchor]) => ({
    path: path === '' ? page : join(dirname(page), path ?? ''),
    anchor,
  }))
}

function hasAnchor(path: string, anchor: string): boolean {
  const [, line] = /^L(\d+)$/.exec(anchor) ?? []
  return line === undefined ? anchorsOf(path).includes(anchor) : hasLine(path, Number(line))
}

/** Anchors of the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
}

const hasLine = (path: string, line: number) => textOf(path).split('\n').length >= line

/** True if a code span names a file, a line or a test that does not exist. */
function isMissing(span: string, page: string): boolean {
  const [, path = span, line] = /^(.+):(\d+)$/.exec(span) ?? []
  const isTest = OF_TEST.test(path)
  if (READERS.includes(path) || !(isTest || IN_FOLDER.test(path) || BY_NAME.test(path))) return false
  const places = ['', 'src', dirname(page), 'test', 'plugins'].map((folder) => join(folder, path))
  const found = places
    .flatMap((place) => (isTest ? [`${place}.test.ts`, place] : [place]))
    .find((place) => existsSync(join(ROOT, place)))
  if (found === undefined) return path.includes('/') || !NAMES.has(path)
  return line !== undefined && (!statSync(join(ROOT, found)).isFile() || !hasLine(found, Number(line)))
}
