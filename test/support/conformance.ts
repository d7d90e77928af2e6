import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { recordedRuns } from './long-runs.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** A page that is made of a list of demands, `docs/NAME.yaml`. */
export interface DemandPage {
  readonly source: string
  readonly page: string
  readonly introduction: string
  /** Heads of the first columns: of the table of counts, and of the tables of demands. */
  readonly heads: readonly [group: string, clause: string, demand: string]
}

/** How each status is called on the page, and what it says, in the order of the columns. */
const STATUSES = {
  met: ['met', 'a test proves it'],
  partly: ['partly', 'partly implemented; the note lists the missing part'],
  open: ['open', 'not implemented'],
  user: ['yours', 'a task of the operator; the gateway supports it'],
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

/** What the source of a page holds. A clause that stands twice in a law is no YAML, and an error. */
export function readLaws({ source }: DemandPage): readonly Law[] {
  return parse(readFileSync(join(ROOT, source), 'utf8')).laws
}

export const demandsOf = ({ clauses }: Law): readonly Demand[] => Object.values(clauses).flat()

/** The page as it has to be for these laws. */
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
  heads: ['Law', 'Clause', 'Requirement'],
  introduction: `# Conformance

Requirements of EU law and of the standards on digital product passports, one verifiable requirement per line, with the test that
proves it. **We claim no presumption of conformity**: only standards cited in the Official Journal of the European Union give it, to
those who apply them completely. No third party has assessed this gateway.

All requirements are paraphrased, as of 22 November 2026. The texts of the standards (EN) are licensed and were not read; their
requirements come from public sources and other implementations. The texts on [EUR-Lex](https://eur-lex.europa.eu/) prevail. Duties of
the Commission, of authorities and of organisations are omitted.

Each line lists tests, operations of [openapi.yaml](../openapi.yaml) and metadata keys. Every listed key is tested: its category
rejects a value of the wrong type, and the public can read it unless the line says "masked".
\`test/unit/conformance.test.ts\` fails if a listed test, operation or key is missing. Tests with third-party software are skipped if
the software is missing, except in CI. Status of a line:`,
}

const ASSURANCE: DemandPage = {
  source: 'docs/assurance.yaml',
  page: 'docs/assurance.md',
  heads: ['Against', 'Name', 'Promise'],
  introduction: `# Assurance

Promises of the gateway against attackers and failures, one per line, with the tests that try to break them. Every test runs in
\`npm run test:all\` and in CI, against a real PostgreSQL and, for crashes, real processes.
\`test/unit/conformance.test.ts\` fails if a listed test is missing. [SECURITY.md](../SECURITY.md) describes mechanisms and limits,
[measurements.md](measurements.md) performance. Status of a line:`,
}

const LONG_RUNS = `The same tests with a longer duration. The command itself records each row (\`--record\`) if nothing failed.
\`npm run fuzz\` sends requests: each must get a response documented in [openapi.yaml](../openapi.yaml), and none a server failure.
\`npm run chaos\` interrupts two gateways, their PostgreSQL and the network between them while four clients write: no acknowledged
write may be lost or repeated, and no event may be missing or orphaned.
\`npm run mutation\` changes one expression at a time in critical code and counts the changes that a test detects; at least four of
five are required (texts and load-time code are excluded). The load is that of the machine in the last 15 minutes.

On 25 November 2026 an independent validator, Prism 5.16.0 (\`prism proxy --errors\`), checked one request to each of the 142
operations, and those to the resolver in six formats, 202 in total. It found no error of the gateway. Known limits of Prism: it
matches \`application/ld+json\` to \`application/linkset+json\` by the suffix, does not parse \`application/did+ld+json\`, follows
redirects itself, and forwards a picture as text.`

export const PAGES = [CONFORMANCE, ASSURANCE] as const

function sectionOf({ law, about, clauses }: Law, [, clause, demand]: DemandPage['heads']): string {
  const rows = Object.entries(clauses).flatMap(([name, demands]) =>
    demands.map((line) => [name, line.demand, STATUSES[line.status][0], evidenceOf(line)]),
  )
  return `## ${law}\n\n${about}\n\n${table([clause, demand, 'Status', 'Evidence'], rows)}`
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

/** What ran for long, as the commands recorded it. */
function longRuns(): string {
  const heads = ['Run', 'Number of trials', 'Date', 'Seed', 'Commit', 'Conditions', 'Failures']
  const rows = recordedRuns().map(({ what, tried, when, seed, commit, conditions, failed }) => {
    return [`\`npm run ${what}\``, tried, when, seed ?? '–', `\`${commit}\``, conditions, failed]
  })
  return `## Long runs\n\n${LONG_RUNS}\n\n${table(heads, rows)}`
}

/** The file of a page, and what it has to hold. */
export const fileOf = (page: DemandPage) => ({
  path: join(ROOT, page.page),
  text: `${[pageOf(page, readLaws(page)), ...(page === ASSURANCE ? [longRuns()] : [])].join('\n\n')}\n`,
})

/** Makes the pages anew. */
export function writePages(): void {
  for (const { path, text } of PAGES.map(fileOf)) writeFileSync(path, text)
}

if (import.meta.main) writePages()
