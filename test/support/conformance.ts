import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'

const ROOT = dirname(dirname(import.meta.dirname))
export const CONFORMANCE_PAGE = join(ROOT, 'docs/conformance.md')

/** How each status is called on the page, and what it says, in the order of the columns. */
const STATUSES = {
  met: ['met', 'a test shows it'],
  partly: ['partly', 'some of it is there, and the note says what is missing'],
  open: ['open', 'it is not there'],
  user: ['yours', 'whoever runs the gateway has to see to it; the gateway allows it'],
} as const
type Status = keyof typeof STATUSES
export const STATUS_NAMES = Object.keys(STATUSES) as readonly Status[]

/** One thing that a reader could check, and what shows it. */
export interface Demand {
  readonly demand: string
  readonly status: Status
  /** As vitest prints them: the file, and the titles that lead to the test, between ` > `. */
  readonly tests?: readonly string[]
  /** Operations of openapi.yaml. */
  readonly operations?: readonly string[]
  /** Metadata keys that the public reads: a category, or `common`, and the path of the key. */
  readonly fields?: readonly string[]
  /** Metadata keys that are masked from the public. */
  readonly restrictedFields?: readonly string[]
  /** What is missing, or what whoever runs the gateway does. */
  readonly note?: string
}

export interface Law {
  readonly law: string
  readonly about: string
  readonly clauses: { readonly [clause: string]: readonly Demand[] }
}

/** What docs/conformance.yaml holds. A clause that stands twice in a law is no YAML, and an error. */
export function readLaws(): readonly Law[] {
  return parse(readFileSync(join(ROOT, 'docs/conformance.yaml'), 'utf8')).laws
}

export const demandsOf = ({ clauses }: Law): readonly Demand[] => Object.values(clauses).flat()

/** The page as it has to be for these laws. */
export function conformancePage(laws: readonly Law[]): string {
  const counted: [name: string, demands: readonly Demand[]][] = laws.map((law) => [law.law, demandsOf(law)])
  const rows = [...counted, ['**All**', laws.flatMap(demandsOf)] as const].map(([name, demands]) => [
    name,
    demands.length,
    ...STATUS_NAMES.map((status) => demands.filter((demand) => demand.status === status).length),
  ])
  const names = STATUS_NAMES.map((status) => STATUSES[status][0])
  return [
    INTRODUCTION,
    STATUS_NAMES.map((status) => `- **${STATUSES[status][0]}**: ${STATUSES[status][1]};`)
      .join('\n')
      .replace(/;$/, '.'),
    table(['Law', 'Clauses', ...names], rows),
    ...laws.map(sectionOf),
  ].join('\n\n')
}

const INTRODUCTION = `<!-- Made of docs/conformance.yaml by \`npm run conformance\`; do not edit. -->

# Conformance

What the law of the European Union and the standards on digital product passports ask of a gateway, one line for each thing that
can be checked, and the test that shows it. **We claim no presumption of conformity**: only standards that are cited in the Official
Journal of the European Union give one, to whoever applies them whole, and nobody but us has assessed this gateway.

Everything is in our own words, of the state of 22 November 2026. The texts of the standards (EN) are licensed and were not read; what is
said of them comes from public sources and from others who implement them. What the texts on
[EUR-Lex](https://eur-lex.europa.eu/) say decides. Left out is what the law asks of the Commission and of authorities, and what only an
organisation can do.

A line names tests, operations of [openapi.yaml](../openapi.yaml) and keys of the metadata. Each key that is named is checked: the
category refuses a value of the wrong type there, and the public reads it, or does not where the line says "masked".
\`test/unit/conformance.test.ts\` fails when a test, an operation or a key that is named here is gone. Tests by software of others are
skipped where that is missing, which CI does not allow. A line is`

function sectionOf({ law, about, clauses }: Law): string {
  const rows = Object.entries(clauses).flatMap(([clause, demands]) =>
    demands.map((demand) => [clause, demand.demand, STATUSES[demand.status][0], evidenceOf(demand)]),
  )
  return `## ${law}\n\n${about}\n\n${table(['Clause', 'What it asks', 'Status', 'Shown by'], rows)}`
}

function evidenceOf({ tests = [], operations = [], fields = [], restrictedFields = [], note }: Demand): string {
  return [
    ...tests.map((test) => {
      const [file = '', ...titles] = test.split(' > ')
      return `[${escaped(titles.join(' › '))}](../${file})`
    }),
    ...operations.map((operation) => `\`${operation}\``),
    ...fields.map((field) => `\`${field}\``),
    ...restrictedFields.map((field) => `\`${field}\` (masked)`),
    ...(note === undefined ? [] : [`_${note}_`]),
  ].join('; ')
}

/** A title as text of a link. */
const escaped = (text: string) => text.replaceAll(/[\\`*_[\]<>|$]/g, '\\$&')

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

if (import.meta.main) writeFileSync(CONFORMANCE_PAGE, `${conformancePage(readLaws())}\n`)
