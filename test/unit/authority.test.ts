import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ROOT = dirname(dirname(import.meta.dirname))
/** The pages that list cited texts. */
const LISTS = ['specification', 'traps', 'standards', 'law'].map((name) => `docs/reference/${name}.md`)
const PAGE = LISTS.map((path) => readFileSync(join(ROOT, path), 'utf8')).join('\n')
/** Product sources, without tests and example data, which may name other standards. */
const PRODUCT = /^(src\/|schemas\/|plugins\/(?!modules\/demo\/|.*\.test\.ts)|docs\/|[^/]+\.(md|yaml)$)/
const SOURCES = readSources()

describe('the lists of cited texts have', () => {
  test('traps, and no uncited ones', () => {
    const lists = cited(/\btraps? (\d+(?:(?:, | and )\d+)*)/gi).flatMap((list) => list.split(/, | and /))
    const listed = [...section('Traps').matchAll(/^(\d+)\. /gm)].map(([, number = '']) => number)
    expect(ordered(lists)).toEqual(ordered(listed))
  })

  test('sections of the specification', () => {
    const lists = cited(/\bspecification(?:'s)? (?:section )?(\d+(?:\.\d+)?(?:(?:, | and )\d+(?:\.\d+)?)*)/gi)
    expect(missing(lists.flatMap((list) => list.split(/, | and /)))(firstCells(ownTexts()))).toEqual([])
  })

  test('decisions', () => {
    expect(missing(cited(/\bdecisions on ((?:grant requests|digital links)|\w+)/g))(firstCells(ownTexts()))).toEqual([])
  })

  test('RFCs', () => {
    const numbers = [...PAGE.matchAll(/\| (\d{4}) +(?=\|)/g)].map(([, number]) => number)
    expect(missing(cited(/\bRFC (\d+)/g))(numbers)).toEqual([])
  })

  test('acts of the European Union', () => {
    const acts = cited(/(?:\(E[CU]\) (?:No )?|Directive )(\d+\/\d+)/g)
    expect(missing(acts)(cited(/(?:\(E[CU]\)|Directive) (\d+\/\d+)/g, section('Law of the European Union')))).toEqual(
      [],
    )
  })

  test('review-3-claims 8.1, 8.2: articles of these acts', () => {
    const texts = [...SOURCES.values()].join('\n')
    // An act by its number, and the clauses of its section in docs/reference/conformance.yaml.
    const sections = readFileSync(join(ROOT, 'docs/reference/conformance.yaml'), 'utf8').split(/\n {2}- law: /)
    const lacking = [
      ...section('Law of the European Union').matchAll(/^\| [^|]*?(\d+\/\d+)[^|]*\|([^|]*)\|/gm),
    ].flatMap(([, act = '', about = '']) => {
      const inTexts = [...texts.matchAll(new RegExp(`\\) (?:No )?${act}, (?:Article|Articles|Art\\.) (\\d+a?)`, 'g'))]
      const clauses = sections
        .filter((text) => text.slice(0, 100).includes(`) ${act}:`))
        .flatMap((text) => [...text.matchAll(/^ {6}(Art\..*):$/gm)])
      const inClauses = clauses.flatMap(([, clause = '']) => [
        ...clause.matchAll(/(?:Art\. |, | and )(\d+a?)(?=[(,: ]|$)/g),
      ])
      const named = new Set([...inTexts, ...inClauses].map(([, number = '']) => number))
      return [...named].filter((number) => !isListed(about, number)).map((number) => `${act}, Article ${number}`)
    })
    expect(lacking).toEqual([])
  })

  test('addresses, each of a form that can be right', () => {
    const addresses = [...PAGE.matchAll(/<(\S+?)>(?= *\|)/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(80)
    expect(
      addresses.filter(
        (address) =>
          !/^https:\/\/[a-z0-9.-]+\.[a-z]+\/\S*$|^https?:\/\/data\.europa\.eu\/eli\/[a-z_]+\/\d{4}\/\d+\/oj$/.test(
            address,
          ),
      ),
    ).toEqual([])
    const acts = [
      ...section('Law of the European Union').matchAll(
        /^\| (\w+) [^|]*?(\d+)\/(\d+)[^|]*\|.*\/eli\/([a-z_]+)\/(\d+)\/(\d+)\/oj/gm,
      ),
    ]
    expect(acts.length).toBeGreaterThan(20)
    const kinds: Record<string, RegExp> = { Regulation: /^reg/, Directive: /^dir/, Decision: /^dec/ }
    const wrong = acts.filter(([, kind = '', one = '', other = '', type = '', year = '', number = '']) => {
      const isSame = (one === year && other === number) || (one === number && other === year)
      return !isSame || kinds[kind]?.test(type) !== true
    })
    expect(wrong.map(([row]) => row)).toEqual([])
  })

  test('eIDAS, by the number of its act', () => {
    expect(cited(/\b(eIDAS)\b/g)).toEqual(['eIDAS'])
    expect(section('Law of the European Union')).toContain('(eIDAS)')
  })

  test.each([
    ['Internet-Drafts', /\b(draft-ietf-[a-z-]+[a-z])/g],
    ['parts of the Asset Administration Shell', /\b(IDTA[- ]\d{5})/g],
    ['ISO standards', /\b(ISO(?:\/IEC)? \d+(?:-\d)?)/g, PRODUCT],
    ['European standards', /\b(EN (?:\d{3} )?\d{2,5}(?:-\d)?)(?![\d')\]])/g, PRODUCT],
    ['specifications of projects', /\b(CIRPASS-2|Standard Webhooks|DIN DKE SPEC \d+)/g],
    ['standards of others', /\b(X\.\d{3}|IEEE P1363|NIST SP [\w-]+|PKCS ?#\d+|CVE-[\d-]+|BCP \d+|UAX #\d+|WCAG)/g],
    [
      'standards of the W3C and others by name',
      /\b(VC-JOSE-COSE|ECDSA Cryptosuites|Bitstring Status List|Controlled Identifiers|DID Core|did:web method specification|CSP Level \d|XML Schema 1\.1|JSON-LD 1\.1|WHATWG URL|ECMAScript|OpenAPI 3\.1|JSON Schema 2020-12|GS1 General Specifications|GS1 Digital Link|GS1-Conformant Resolver|GS1 Barcode Syntax Engine|Token Status List|Rec 20)/g,
    ],
  ])('%s', (_, pattern, places = /^/) => {
    const names = cited(pattern, SOURCES, places)
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !section('Standards').includes(name))).toEqual([])
  })
})

/** True if a list such as "Articles 3, 7 and 75 to 78" contains the article. */
function isListed(about: string, number: string): boolean {
  const list = /Articles? ([\da]+(?:(?:, | and | to )[\da]+(?:\([^)]*\))*)*)/.exec(about)?.[1] ?? ''
  const parts = list.split(/, | and /)
  return parts.some((part) => {
    const [from = '', to = from] = part.split(' to ')
    return part === number || (Number(from) <= Number(number) && Number(number) <= Number(to))
  })
}

/** Hand-written files of the repository by path, with comments as running text. */
function readSources(): ReadonlyMap<string, string> {
  const inFolders = ['src', 'plugins', 'optional', 'migrations', 'schemas', 'test', 'bench', 'docs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const paths = [...inFolders, ...readdirSync(ROOT)]
    .filter((path) => /\.(ts|mjs|mts|py|html|eta|yaml|md|json)$/.test(path))
    .filter(
      (path) =>
        !LISTS.includes(path) &&
        !/\/(generated|locales|results)\/|seal-vectors\.json$|authority\.test\.ts$|CHANGELOG\.md$|openapi\.examples\.yaml$/.test(
          path,
        ),
    )
  return new Map(paths.map((path) => [path, runningText(readFileSync(join(ROOT, path), 'utf8'))]))
}

/** A citation may be split over two lines of a comment. */
function runningText(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*|\/\/|#|--)?[ \t]*/g, ' ')
}

/** Distinct matches of the first group of `pattern`. */
function cited(pattern: RegExp, texts: ReadonlyMap<string, string> | string = SOURCES, places = /^/): string[] {
  const found =
    typeof texts === 'string' ? [texts] : [...texts].filter(([path]) => places.test(path)).map(([, text]) => text)
  return [...new Set(found.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')))].sort()
}

function section(title: string): string {
  const parts = PAGE.split(/\n##? /).filter((part) => part.startsWith(`${title}\n`))
  if (parts.length === 0) throw new Error(`No section "${title}" in ${LISTS.join(', ')}.`)
  return parts.join('\n')
}

function ownTexts(): string {
  return section("The project's own texts")
}

/** First cell of every table row in `text`. */
function firstCells(text: string): string[] {
  return [...text.matchAll(/^\| *([^|]*?) *\|/gm)]
    .map(([, cell]) => cell ?? '')
    .filter((cell) => !/^(:?-+:?|Trap|Specification|Decisions on)$/.test(cell))
}

const missing = (names: readonly string[]) => (listed: readonly (string | undefined)[]) =>
  names.filter((name) => !listed.includes(name))

const ordered = (numbers: readonly string[]) => [...new Set(numbers)].map(Number).sort((a, b) => a - b)
