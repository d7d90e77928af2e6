import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { namedStatements } from '../support/named-statements.ts'

test('docs/reference/statements.md lists every named statement of the core by subject, and no other', () => {
  const listed = new Map<string, string[]>()
  for (const [, subject = '', names = ''] of readFileSync('docs/reference/statements.md', 'utf8').matchAll(
    /^\| `(\w+)` \| (.*) \|$/gm,
  )) {
    listed.set(subject, [
      ...(listed.get(subject) ?? []),
      ...names.split('`, `').map((name) => name.replaceAll('`', '')),
    ])
  }
  const inCode = new Map<string, string[]>()
  for (const [file, names] of namedStatements()) {
    const [subject = ''] = file.split('/')
    inCode.set(subject, [...(inCode.get(subject) ?? []), ...names])
  }
  const sorted = (map: ReadonlyMap<string, readonly string[]>) =>
    Object.fromEntries([...map].map(([subject, names]) => [subject, names.toSorted()]))
  expect(sorted(listed)).toEqual(sorted(inCode))
  expect(Object.values(sorted(inCode)).flat().length).toBeGreaterThan(100)
})
