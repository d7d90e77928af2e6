import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fingerprint, generationsOf, RENDERING } from '../../../src/renditions/generation.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dpp-generation-'))
  await write('index.ts', 'one')
  await write('locales/en.json', '{}')
})
afterEach(() => rm(folder, { recursive: true }))

async function write(name: string, text: string) {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), text)
}
type Plugins = Parameters<typeof generationsOf>[1]
const plugin = (kind: 'representation' | 'category' | 'module', name: string, place = name) => ({
  ...{ kind, name },
  folder: join(folder, place),
})
const plugins = (): Plugins => ({ list: [{ kind: 'representation' as const, name: 'x', folder }], modules: [] })
const generation = (given = plugins(), name = 'x') => generationsOf('https://dpp.example', given)(name)

describe('the generation of renditions', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['an edit', () => write('index.ts', 'two')],
    ['another text', () => write('locales/en.json', '{"a":"b"}')],
    ['a file more', () => write('locales/de.json', '{}')],
    ['another name', () => rename(join(folder, 'index.ts'), join(folder, 'index.js'))],
  ]
  test.each(changes)('is another after %s in a plugin', async (_, change) => {
    const before = generation()
    expect(generation()).toBe(before)
    await change()
    expect(generation()).not.toBe(before)
  })

  test('is that of an address', () => {
    expect(generationsOf('https://other.example', plugins())('x')).not.toBe(generation())
  })

  test('stays after a change of tests, of what is installed, and of what does not belong to it', async () => {
    const before = generation()
    await write('index.test.ts', 'a test')
    await write('node_modules/package/index.js', 'a package')
    await write('locales/deep/x.test.ts', 'another')
    expect(generation()).toBe(before)
  })
})

describe('a release that changes', () => {
  const given = (): Plugins => ({
    list: [
      plugin('representation', 'page'),
      plugin('representation', 'data'),
      plugin('category', 'toys'),
      plugin('module', 'silent'),
      plugin('module', 'media'),
    ],
    modules: [
      { name: 'silent', folder: join(folder, 'silent'), isRendered: false },
      { name: 'media', folder: join(folder, 'media'), isRendered: true },
    ],
  })
  /** Names of the formats that are rendered again. */
  async function rendered(change: () => Promise<unknown>) {
    const formats = ['page', 'data', 'of a module']
    const before = formats.map((name) => generation(given(), name))
    await change()
    return formats.filter((name, index) => generation(given(), name) !== before[index])
  }

  test.each([
    ['the page', 'page/index.ts', ['page', 'of a module']],
    ['its texts', 'page/locales/de.json', ['page', 'of a module']],
    ['a category', 'toys/index.ts', ['page', 'data', 'of a module']],
    ['a module with a part of passports', 'media/parts.ts', ['page', 'data', 'of a module']],
    ['a module that adds nothing to passports', 'silent/index.ts', ['of a module']],
  ])('%s renders only what depends on it', async (_, file, formats) => {
    expect(await rendered(() => write(file, 'two'))).toEqual(formats)
  })
})

test('the code that renders imports nothing of src that the generation does not cover, except statements and types', () => {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file) || !existsSync(file)) return
    seen.add(file)
    const imported = /^(?:import|export)(?! type)[^'"]*?from '(\.[^']+)'/gm
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported)) visit(join(dirname(file), path))
  }
  for (const file of globSync([
    'src/renditions/*.ts',
    'src/plugin/index.ts',
    'plugins/{representations,categories}/*/index.ts',
  ])) {
    visit(file)
  }
  const covered = new RegExp(`^src/(?:${RENDERING.join('|')})/`)
  expect([...seen].filter((file) => file.startsWith('src/') && !covered.test(file)).sort()).toEqual([
    'src/resolution/candidates.ts',
    'src/root.ts',
    'src/storage/database-errors.ts',
    'src/storage/statement.ts',
    'src/workspaces/company-prefix-statements.ts',
  ])
})

test('a fingerprint is that of the files, and not of the place where they are or of how often they are named', async () => {
  const other = await mkdtemp(join(tmpdir(), 'dpp-generation-'))
  try {
    await mkdir(join(other, 'locales'))
    await writeFile(join(other, 'locales/en.json'), '{}')
    await writeFile(join(other, 'index.ts'), 'one')
    expect(fingerprint('', [other, join(other, 'index.ts'), join(other, 'none')])).toBe(
      fingerprint('', [folder, join(folder, 'index.ts'), folder]),
    )
  } finally {
    await rm(other, { recursive: true })
  }
})
