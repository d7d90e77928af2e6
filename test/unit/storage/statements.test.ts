import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../../src')

test('no two statements have one name: a connection keeps what it has prepared under it', () => {
  const sources = ['storage', 'read-model'].flatMap((folder) =>
    readdirSync(join(SRC, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(SRC, folder, file), 'utf8')),
  )
  const names = sources.flatMap((source) =>
    [...source.matchAll(/name: '([a-z-]+)',\s*text:/g)].map(([, name]) => name as string),
  )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
