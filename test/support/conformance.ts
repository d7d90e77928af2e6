import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { recordedRuns } from './long-runs.ts'

const ROOT = dirname(dirname(import.meta.dirname))

/** A page generated from a list of demands, `docs/reference/NAME.yaml`. */
export interface DemandPage {
  readonly source: string
  readonly page: string
  readonly introduction: string
  /** First column head of the table of counts. */
  readonly group: string
}

/** Label and meaning of each status, in the order of the columns. */
const STATUSES = {
  met: ['met', 'shown by a test'],
  partly: ['partly', 'the note lists what is missing'],
  open: ['open', 'not implemented'],
  user: ['yours', 'supported by the gateway, done by the operator'],
} as const
type Status = keyof typeof STATUSES
export const STATUS_NAMES = Object.keys(STATUSES) as readonly Status[]

/** One verifiable requirement with its evidence. */
export interface Demand {
  readonly demand: string
  readonly status: Status
  /** File and titles as printed by vitest, separated by ` > `. */
  readonly tests?: readonly string[]
  /** Operation ids of openapi.yaml. */
  readonly operations?: readonly string[]
  /** Public metadata keys: a category or `common`, and the path of the key. */
  readonly fields?: readonly string[]
  /** Metadata keys masked from the public. */
  readonly restrictedFields?: readonly string[]
  /** Missing part, or task of the operator. */
  readonly note?: string
}

export interface Law {
  readonly law: string
  readonly about: string
  readonly clauses: { readonly [clause: string]: readonly Demand[] }
}

/** Reads the source of a page. A repeated clause within a law is invalid YAML, and an error. */
export function readLaws({ source }: DemandPage): readonly Law[] {
  return parse(readFileSync(join(ROOT, source), 'utf8')).laws
}

export const demandsOf = ({ clauses }: Law): readonly Demand[] => Object.values(clauses).flat()

function pageOf({ source, introduction, group }: DemandPage, laws: readonly Law[]): string {
  const counted: [name: string, demands: readonly Demand[]][] = laws.map((law) => [law.law, demandsOf(law)])
  const rows = [...counted, ['**All**', laws.flatMap(demandsOf)] as const].map(([name, demands]) => [
    name,
    demands.length,
    ...STATUS_NAMES.map((status) => demands.filter((demand) => demand.status === status).length),
  ])
  const names = STATUS_NAMES.map((status) => STATUSES[status][0])
  return [
    `<!-- Generated from ${source} by \`npm run conformance\`; do not edit. -->`,
    introduction,
    STATUS_NAMES.map((status) => `- **${STATUSES[status][0]}**: ${STATUSES[status][1]};`)
      .join('\n')
      .replace(/;$/, '.'),
    table([group, 'Lines', ...names], rows),
    ...laws.map(sectionOf),
  ].join('\n\n')
}

const CONFORMANCE: DemandPage = {
  source: 'docs/reference/conformance.yaml',
  page: 'docs/reference/conformance.md',
  group: 'Law',
  introduction: `# Conformance

Requirements of European Union law and of the standards on digital product passports for a gateway, each with its tests. **We claim
no presumption of conformity**: only standards cited in the Official Journal give one, to operators that apply them completely, and
no third party has assessed this gateway.

Requirements are paraphrased, as of 22 November 2026; the texts on [EUR-Lex](https://eur-lex.europa.eu/) prevail. The standards (EN) are
licensed and were not read: their requirements come from public sources and other implementers. Duties of the Commission and of
authorities, and purely organisational duties, are omitted.

A line has its status, its requirement and its evidence: tests, operations of [openapi.yaml](../../openapi.yaml) and metadata keys. For
each key a test checks that wrong types are rejected, and that it is public or masked as stated. \`test/unit/conformance.test.ts\` fails
if a test, operation or key no longer exists. Statuses:`,
}

const ASSURANCE: DemandPage = {
  source: 'docs/reference/assurance.yaml',
  page: 'docs/reference/assurance.md',
  group: 'Against',
  introduction: `# Assurance

Guarantees against attackers and failures, and the tests that try to break them, all in \`npm run test:all\` and CI, with a real
PostgreSQL and real processes. [SECURITY.md](../../SECURITY.md) describes defences and limits. Statuses:`,
}

const LONG_RUNS = `Long runs of the same tests, recorded by the command (\`--record\`). \`npm run fuzz\`: every request gets a documented response
and no internal error. \`npm run chaos\`: faults in two gateways, PostgreSQL and the network under four writing clients; no acknowledged
write is lost or repeated, and every event is delivered. \`npm run failover\`: the leader of \`deploy/cluster\` is killed under load; no acknowledged write is lost, and 100
popular passports stay readable. \`npm run mutation\`: code changes that tests must detect, at least 80 %. The load is the
15-minute average.

On 25 November 2026 Prism 5.16.0 (\`prism proxy --errors\`) validated 202 requests to all 142 operations and found no error of the gateway;
it confuses \`application/linkset+json\` with \`application/ld+json\`, does not parse \`application/did+ld+json\`, follows redirects and forwards
pictures as text.`

export const PAGES = [CONFORMANCE, ASSURANCE] as const

function sectionOf({ law, about, clauses }: Law): string {
  const lists = Object.entries(clauses).map(([name, demands]) => [`**${name}**`, ...demands.map(lineOf)].join('\n'))
  return [`## ${law}`, about, ...lists].join('\n\n')
}

const lineOf = (line: Demand) => `- ${STATUSES[line.status][0]}: ${[line.demand, evidenceOf(line)].join(' ').trim()}`

function evidenceOf({ tests = [], operations = [], fields = [], restrictedFields = [], note }: Demand): string {
  const evidence = [
    ...tests.map((test) => {
      const [file = '', ...titles] = test.split(' > ')
      return `[${escaped(shortTitle(titles))}](../../${file})`
    }),
    ...operations.map((operation) => `\`${operation}\``),
    ...fields.map((field) => `\`${field}\``),
    ...restrictedFields.map((field) => `\`${field}\` (masked)`),
  ]
  return [...(note === undefined ? [] : [`_${note}_`]), evidence.join('; ')].join(' ')
}

/** Title of the test itself, with its group if the title has only placeholders. */
const shortTitle = (titles: readonly string[]) =>
  titles.slice(titles.findLastIndex((title) => /[a-z]{3}/.test(title.replaceAll(/\$\{.*?\}/g, '')))).join(' › ')

/** Escapes a title for use as link text. */
const escaped = (text: string) => text.replaceAll(/[\\`*_[\]<>|$]/g, '\\$&')

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function longRuns(): string {
  const heads = ['Command', 'Runs', 'Date', 'Seed', 'Commit', 'Conditions', 'Failures']
  const rows = recordedRuns().map(({ what, tried, when, seed, commit, conditions, failed }) => {
    return [`\`npm run ${what}\``, tried, when, seed ?? '–', `\`${commit}\``, conditions, failed]
  })
  return `## Long runs\n\n${LONG_RUNS}\n\n${table(heads, rows)}`
}

/** Path and expected content of a page. */
export const fileOf = (page: DemandPage) => ({
  path: join(ROOT, page.page),
  text: `${[pageOf(page, readLaws(page)), ...(page === ASSURANCE ? [longRuns()] : [])].join('\n\n')}\n`,
})

/** Regenerates the pages. */
export function writePages(): void {
  for (const { path, text } of PAGES.map(fileOf)) writeFileSync(path, text)
}

if (import.meta.main) writePages()
