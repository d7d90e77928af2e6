import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('no two statements have the same name: a connection prepares each once', () => {
  const names = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/name: '([a-z-]+)',\s*text:/g)].map(([, name]) => name),
  )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
