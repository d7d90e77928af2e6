import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FACTORIES } from '../../src/start/container.ts'

const SRC = join(import.meta.dirname, '../../src')

const modules = FACTORIES.flatMap((folder) =>
  readdirSync(join(SRC, folder))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => ({
      place: `${folder}/${file}`,
      // The name under which awilix registers the module.
      name: file.slice(0, -'.ts'.length).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
      source: readFileSync(join(SRC, folder, file), 'utf8'),
    })),
).filter(({ source }) => source.includes('export default'))

test('a factory has the name of its file, and no two have the same', () => {
  expect(modules.length).toBeGreaterThan(25)
  const names = modules.map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  for (const { place, name, source } of modules) {
    expect([place, /export default function (\w+)/.exec(source)?.[1]]).toEqual([place, name])
  }
})

test('a factory adds what it makes to the cradle, under that name', () => {
  for (const { place, name, source } of modules) {
    const [, declared] = /declare module '\.\.\/cradle\.ts' \{\s+interface Cradle \{\s+(\w+):/.exec(source) ?? []
    expect([place, declared]).toEqual([place, name])
  }
})
