import type { MigrationClass } from '../../src/storage/migrate.ts'

/** A migration that removes something declares the release since which it is unused. */
export type MarkedMigration = MigrationClass & { readonly unusedSince?: string }

/** Function bodies run when called, not in the migration. */
const FUNCTION = /create (?:or replace )?(?:function|procedure)[\s\S]*?\$(\w*)\$[\s\S]*?\$\1\$/g
const TAKING: readonly [what: string, pattern: RegExp][] = [
  ['drops', /\bdrop (?!trigger|policy|index|constraint|not null|expression)/],
  ['renames', /\brename\b/],
  ['refuses null', /\bset not null\b/],
  ['changes a type', /\balter column \w+ (?:set data )?type\b/],
  ['adds a column that older versions leave out', /\badd column (?![^,;]*(?:default|generated))[^,;]*\bnot null\b/],
  [
    'adds a rule that older versions do not know',
    /\badd (?:constraint|check|unique|foreign key|primary key|exclude)\b/,
  ],
  ['adds a rule that older versions do not know', /\bcreate unique index\b/],
  ['blocks writers while it builds an index; use create index concurrently:', /\bcreate index (?!concurrently)/],
  ['takes a right', /\brevoke\b(?!.*\bon function\b)/],
  ['deletes', /\b(?:delete from|truncate)\b/],
]

/** Lists removals that a running older version would notice. */
export function takenAway(statements: readonly string[]): string[] {
  const texts = statements.map((text) => text.toLowerCase().replaceAll(FUNCTION, '').replaceAll(/\s+/g, ' '))
  const created = texts.flatMap((text) => [...text.matchAll(/\bcreate table (\w+)/g)].map(([, name]) => name))
  const isNew = (text: string) =>
    created.includes(/\b(?:alter table|index(?: concurrently)?(?: \w+)? on|revoke [\w, ]+ on) (\w+)/.exec(text)?.[1])
  return texts.flatMap((text) => {
    // A longer list of allowed words is a dropped and re-added rule; a rule may come with its columns.
    const isWidened = /\b(?:drop constraint|add column)\b/.test(text)
    return isNew(text)
      ? []
      : TAKING.filter(([what, pattern]) => pattern.test(text) && !(isWidened && what.startsWith('adds a rule'))).map(
          ([what]) => `${what}: ${text.trim().slice(0, 100)}`,
        )
  })
}
