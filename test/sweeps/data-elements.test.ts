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

/** Spellings of a path (RFC 9535). */
const SPELLINGS: readonly ((segment: string | number) => string)[] = [
  (segment) => (typeof segment === 'number' ? `[${segment}]` : `['${segment.replace(/['\\]/g, '\\$&')}']`),
  (segment) => `[${JSON.stringify(segment)}]`,
  (segment) =>
    typeof segment === 'string' && /^[A-Za-z_]\w*$/.test(segment) ? `.${segment}` : `[ ${JSON.stringify(segment)} ]`,
]

test('no path of any demo passport shows a restricted value to the public', async () => {
  const faults: unknown[] = []
  let [reads, masked] = [0, 0]

  async function check(
    id: string,
    { segments }: Place,
    shown: ReadonlyMap<string, string>,
    isSecretIn: (text: string) => boolean,
  ) {
    const expected = shown.get(JSON.stringify(segments))
    const requests = SPELLINGS.flatMap((spelling) =>
      ['', '?representation=full'].map((query) => [`$${segments.map(spelling).join('')}`, query] as const),
    )
    for (const [path, query] of requests) {
      const { status, text } = await en.element(id, path, query)
      reads += 1
      if (expected === undefined) masked += 1
      const isRight =
        status === (expected === undefined ? 404 : 200) && (query !== '' || status === 404 || text === expected)
      if (!isRight || isSecretIn(text)) faults.push([id, path, query, status])
    }
  }

  const crawls = []
  for (const id of await demoPassports(gateway, as)) {
    const owned = [...placesIn(expectStatus(200, await en.read(id, '', as)).body)]
    const answer = await en.read(id)
    // Drafts are absent as a whole.
    const places = [...placesIn(answer.status === 404 ? {} : expectStatus(200, answer).body)]
    const shown = new Map(places.map(({ segments, value }) => [JSON.stringify(segments), JSON.stringify(value)]))
    const texts = [...shown.values()].join('\n')
    // Values that only the owner reads, long enough to be recognized in other responses.
    const secrets = owned
      .filter(
        ({ segments, value }) => !shown.has(JSON.stringify(segments)) && typeof value === 'string' && value.length > 5,
      )
      .map(({ value }) => JSON.stringify(value))
      .filter((text) => !texts.includes(text))
    const isSecretIn = (text: string) => secrets.some((secret) => text.includes(secret))
    expect(isSecretIn(answer.text)).toBe(false)
    crawls.push(...owned.map((place) => () => check(id, place, shown, isSecretIn)))
  }
  expect(crawls.length).toBeGreaterThan(500)
  while (reads < MIN_READS) {
    for (let at = 0; at < crawls.length; at += 20) await Promise.all(crawls.slice(at, at + 20).map((crawl) => crawl()))
  }
  expect(faults).toEqual([])
  expect(masked).toBeGreaterThan(500)
})
