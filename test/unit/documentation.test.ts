import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../../src/root.ts'

const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...pagesOf('docs')]
const MAX_LINES_OF_README = 150

function pagesOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

const textOf = (page: string) => readFileSync(join(ROOT, page), 'utf8')

test('README is short', () => {
  expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES_OF_README)
})

test('README leads to every page, and docs has no other', () => {
  const linked = linksOf('README.md').map(({ path }) => path)
  expect(pagesOf('docs').filter((page) => !linked.includes(page))).toEqual([])
})

test.each(PAGES)('%s leads to places that are there', (page) => {
  const lost = linksOf(page).filter(
    ({ path, anchor }) => !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
  )
  expect(lost).toEqual([])
})

describe('docs/dependencies.md', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(textOf('package.json')) as Record<
    string,
    Record<string, string>
  >
  const names = new Set(textOf('docs/dependencies.md').split(/[\s|,;()]+/))

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
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, path, anchor]) => ({
    path: path === '' ? page : join(dirname(page), path ?? ''),
    anchor,
  }))
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
