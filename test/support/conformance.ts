import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { recordedRuns } from './long-runs.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** A page generated from a list of demands, `docs/NAME.yaml`. */
export interface DemandPage {
  readonly source: string
  readonly page: string
  readonly introduction: string
  /** Column heads of the table of counts and the tables of demands. */
  readonly heads: readonly [group: string, clause: string, demand: string]
}

/** Heading and meaning of each status, in column order. */
const STATUSES = {
  met: ['met', 'a test shows it'],
  partly: ['partly', 'some of it is there, and the note says what is missing'],
  open: ['open', 'it is not there'],
  user: ['yours', 'whoever runs the gateway has to see to it; the gateway allows it'],
} as const
type Status = keyof typeof STATUSES
export const STATUS_NAMES = Object.keys(STATUSES) as readonly Status[]

/** One verifiable requirement and its evidence. */
export interface Demand {
  readonly demand: string
  readonly status: Status
  /** Full test names as vitest prints them: the file and the titles, separated by ` > `. */
  readonly tests?: readonly string[]
  readonly operations?: readonly string[]
  /** Public metadata keys: a category, or `common`, and the path. */
  readonly fields?: readonly string[]
  /** Metadata keys masked from the public. */
  readonly restrictedFields?: readonly string[]
  /** A gap, or a duty of the operator. */
  readonly note?: string
}

export interface Law {
  readonly law: string
  readonly about: string
  readonly clauses: { readonly [clause: string]: readonly Demand[] }
}

/** Parses the source of a page. A repeated clause is a YAML error. */
export function readLaws({ source }: DemandPage): readonly Law[] {
  return parse(readFileSync(join(ROOT, source), 'utf8')).laws
}

export const demandsOf = ({ clauses }: Law): readonly Demand[] => Object.values(clauses).flat()

function pageOf({ source, introduction, heads }: DemandPage, laws: readonly Law[]): string {
  const counted: [name: string, demands: readonly Demand[]][] = laws.map((law) => [law.law, demandsOf(law)])
  const rows = [...counted, ['**All**', laws.flatMap(demandsOf)] as const].map(([name, demands]) => [
    name,
    demands.length,
    ...STATUS_NAMES.map((status) => demands.filter((demand) => demand.status === status).length),
  ])
  const names = STATUS_NAMES.map((status) => STATUSES[status][0])
  return [
    `<!-- Made of ${source} by \`npm run conformance\`; do not edit. -->`,
    introduction,
    STATUS_NAMES.map((status) => `- **${STATUSES[status][0]}**: ${STATUSES[status][1]};`)
      .join('\n')
      .replace(/;$/, '.'),
    table([heads[0], 'Lines', ...names], rows),
    ...laws.map((law) => sectionOf(law, heads)),
  ].join('\n\n')
}

const CONFORMANCE: DemandPage = {
  source: 'docs/conformance.yaml',
  page: 'docs/conformance.md',
  heads: ['Law', 'Clause', 'What it asks'],
  introduction: `# Conformance

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
skipped where that is missing, which CI does not allow. A line is`,
}

const ASSURANCE: DemandPage = {
  source: 'docs/assurance.yaml',
  page: 'docs/assurance.md',
  heads: ['Against', 'Name', 'What is promised'],
  introduction: `# Assurance

What the gateway promises against attackers and failures, one line for each, and the tests that try to break it. Every test runs in
\`npm run test:all\`, which CI runs, against a real PostgreSQL and, where a process has to die, real processes.
\`test/unit/conformance.test.ts\` fails when a test that is named here is gone. [SECURITY.md](../SECURITY.md) says how each promise is
kept and where it ends; [measurements.md](measurements.md) says how fast. A line is`,
}

const LONG_RUNS = `The same tests for longer, each row written by the command itself (\`--record\`) after nothing failed. \`npm run fuzz\` sends
requests, each of which must get an answer that [openapi.yaml](../openapi.yaml) documents, and none a failure; \`npm run chaos\` lets two
gateways, their PostgreSQL and the way between them fail in turn while four clients write: nothing that was acknowledged may be lost or
done twice, and no event may be missing or be of nothing.
\`npm run mutation\` changes one thing at a time in code whose mistakes would do the most harm and say the least, and counts how many
changes a test notices, which four of five have to be (texts and what runs once at loading are left alone). The load is that of the
machine in the last 15 minutes.

On 25 November 2026 a judge of others stood between the callers and the gateway, Prism 5.16.0 (\`prism proxy --errors\`): a request of
each of the 142 operations, and those of the resolver in six forms, 202 in all. Nothing that it found was ours: it takes
\`application/ld+json\` for \`application/linkset+json\`, because it goes by what follows the plus, does not read
\`application/did+ld+json\`, follows redirects itself, and sends a picture on as text.`

export const PAGES = [CONFORMANCE, ASSURANCE] as const

function sectionOf({ law, about, clauses }: Law, [, clause, demand]: DemandPage['heads']): string {
  const rows = Object.entries(clauses).flatMap(([name, demands]) =>
    demands.map((line) => [name, line.demand, STATUSES[line.status][0], evidenceOf(line)]),
  )
  return `## ${law}\n\n${about}\n\n${table([clause, demand, 'Status', 'Shown by'], rows)}`
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

const escaped = (text: string) => text.replaceAll(/[\\`*_[\]<>|$]/g, '\\$&')

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** Table of the recorded long runs. */
function longRuns(): string {
  const heads = ['What', 'How often it was tried', 'When', 'Seed', 'Commit', 'Conditions', 'What failed']
  const rows = recordedRuns().map(({ what, tried, when, seed, commit, conditions, failed }) => {
    return [`\`npm run ${what}\``, tried, when, seed ?? '–', `\`${commit}\``, conditions, failed]
  })
  return `## Long runs\n\n${LONG_RUNS}\n\n${table(heads, rows)}`
}

export const fileOf = (page: DemandPage) => ({
  path: join(ROOT, page.page),
  text: `${[pageOf(page, readLaws(page)), ...(page === ASSURANCE ? [longRuns()] : [])].join('\n\n')}\n`,
})

export function writePages(): void {
  for (const { path, text } of PAGES.map(fileOf)) writeFileSync(path, text)
}

if (import.meta.main) writePages()
