import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fingerprint, generationOf } from '../../../src/renditions/generation.ts'

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
const plugins = () => ({ list: [{ kind: 'representation' as const, name: 'x', folder }] })
const generation = () => generationOf('https://dpp.example', plugins())

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
    expect(generationOf('https://other.example', plugins())).not.toBe(generation())
  })

  test('stays after a change of tests, of what is installed, and of what does not belong to it', async () => {
    const before = generation()
    await write('index.test.ts', 'a test')
    await write('node_modules/package/index.js', 'a package')
    await write('locales/deep/x.test.ts', 'another')
    expect(generation()).toBe(before)
  })
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
