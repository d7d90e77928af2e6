import { afterAll, expect, test } from 'vitest'
import { startDemoGateway } from '../support/demo-gateway.ts'
import { demoPassports, enClient } from '../support/en-client.ts'
import { expectStatus } from '../support/passport-client.ts'

const MIN_READS = 10_000

const { gateway, as, close } = await startDemoGateway()
afterAll(close)
const en = enClient(gateway)

interface Place {
  readonly segments: readonly (string | number)[]
  readonly value: unknown
}

function* placesIn(value: unknown, segments: Place['segments'] = []): Iterable<Place> {
  if (segments.length > 0) yield { segments, value }
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value))
    yield* placesIn(inner, [...segments, Array.isArray(value) ? Number(key) : key])
}

type Spelling = (segment: string | number) => string

/** Spellings of a segment of a path (RFC 9535). */
const SPELLINGS: readonly (readonly [name: string, Spelling])[] = [
  ['normalized', (one) => (typeof one === 'number' ? `[${one}]` : `['${one.replace(/['\\]/g, '\\$&')}']`)],
  ['quoted', (one) => `[${JSON.stringify(one)}]`],
  ['dotted', (one) => (/^[A-Za-z_]\w*$/.test(String(one)) ? `.${one}` : `[ ${JSON.stringify(one)} ]`)],
]

interface Subject {
  readonly id: string
  readonly places: readonly Place[]
  /** Values that the public sees, by their place. */
  readonly shown: ReadonlyMap<string, string>
  isSecretIn(text: string): boolean
}

const keyOf = ({ segments }: Place) => JSON.stringify(segments)

async function readSubject(id: string): Promise<Subject> {
  const places = [...placesIn(expectStatus(200, await en.read(id, '', as)).body)]
  const answer = await en.read(id)
  // Drafts are absent as a whole.
  const visible = [...placesIn(answer.status === 404 ? {} : expectStatus(200, answer).body)]
  const shown = new Map(visible.map((place) => [keyOf(place), JSON.stringify(place.value)]))
  const texts = [...shown.values()].join('\n')
  // Long enough to be recognized in other responses.
  const secrets = places
    .filter((place) => !shown.has(keyOf(place)) && typeof place.value === 'string' && place.value.length > 5)
    .map(({ value }) => JSON.stringify(value))
    .filter((text) => !texts.includes(text))
  return { id, places, shown, isSecretIn: (text) => secrets.some((secret) => text.includes(secret)) }
}

const subjects = await Promise.all((await demoPassports(gateway, as)).map(readSubject))

test.each(SPELLINGS)('no %s path of any demo passport shows a restricted value to the public', async (_, spelling) => {
  const reads = subjects.flatMap(({ id, places, shown, isSecretIn }) =>
    places.flatMap((place) =>
      ['', '?representation=full'].map((query) => async () => {
        const expected = shown.get(keyOf(place))
        const path = `$${place.segments.map(spelling).join('')}`
        const { status, text } = await en.element(id, path, query)
        const isRight = expected === undefined ? status === 404 : status === 200 && (query !== '' || text === expected)
        return isRight && !isSecretIn(text) ? [] : [[id, path, query, status]]
      }),
    ),
  )
  expect(reads.length).toBeGreaterThan(1000)
  const faults: unknown[] = []
  for (let at = 0; at < Math.max(MIN_READS / SPELLINGS.length, reads.length); at += 20) {
    const some = Array.from({ length: 20 }, (_, index) => reads[(at + index) % reads.length])
    faults.push(...(await Promise.all(some.map((read) => read?.()))).flat())
  }
  expect(faults).toEqual([])
  const masked = subjects.flatMap(({ places, shown }) => places.filter((place) => !shown.has(keyOf(place))))
  expect(masked.length).toBeGreaterThan(100)
})
