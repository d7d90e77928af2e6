import { globSync, readFileSync } from 'node:fs'

/** A statement has a name and a text; functions that make several take the name as first argument. */
const NAMED =
  /\bname: (['`])((?:\$\{[^}]*\}|[^'`$\n])+)\1,\s+(?:isPrepared: \w+,\s+)?text\b|\b(?:pageOf|totalOf|hold|find|readinessOf)\('([a-z]+(?:-[a-z]+)+)'/g

/** Names of the core's statements by file below `src`, as written there. */
export function namedStatements(): ReadonlyMap<string, readonly string[]> {
  const files = globSync('src/**/*.ts').filter(
    (file) => !file.includes('/generated/') && !file.startsWith('src/testing/'),
  )
  const named = files.map((file) => {
    const names = [...readFileSync(file, 'utf8').matchAll(NAMED)].map(([, , name, argument]) => name ?? argument ?? '')
    return [file.replace('src/', ''), names.toSorted()] as const
  })
  return new Map(named.filter(([, names]) => names.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
