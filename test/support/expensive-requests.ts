import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { once } from '../../src/domain/once.ts'
import { ContractClient, type RequestOptions } from './contract-client.ts'
import { createPreparedDatabase } from './databases.ts'
import { BASE_URL, createWorkspace, MASTER_KEY, newGtin, startTestGateway, type TestWorkspace } from './gateway.ts'
import { givenUnits } from './given-units.ts'
import type { LongRun } from './long-runs.ts'
import { expectStatus, passportClient } from './passport-client.ts'
import { startProcess } from './process.ts'
import { givenSubjects, sampleCalls } from './sample-calls.ts'

// Searches for the anonymous request that blocks the event loop longest. A workspace publishes passports of odd shapes
// at the size limit, which are then read. A separate process measures the processor time of each tick
// (`turn-meter.mjs`).

export interface Expense {
  readonly milliseconds: number
  readonly request: string
}

/** An expense caused by a passport of this shape; samples have no shape. */
type Found = Expense & { readonly shape?: Shape }

interface Shape {
  readonly kind: keyof typeof KINDS
  readonly category: 'textiles' | 'batteries' | 'toys' | 'construction'
  /** Entries of the metadata or of its list. */
  readonly count: number
  readonly length: number
  readonly alphabet: string
}

/** Maximum create body in UTF-8 bytes, minus the members next to the metadata. */
const MAX_BYTES = 1_000_000
const MAX_MEMBERS = 19_000

const textOf = ({ length, alphabet }: Shape) =>
  alphabet
    .repeat(Math.ceil(length / alphabet.length))
    .slice(0, length)
    .toWellFormed()
const many = <T>({ count }: Shape, entry: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => entry(index))
const nested = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { [`k${levels}`]: nested(levels - 1, value) }
const KINDS = {
  members: (shape: Shape) => Object.fromEntries(many(shape, (index) => [`key${index}`, textOf(shape)])),
  oddNames: (shape: Shape) =>
    Object.fromEntries(many(shape, (index) => [`${textOf(shape).slice(0, 200)} ${index}`, index])),
  list: (shape: Shape) => ({ list: many(shape, () => textOf(shape)) }),
  numbers: (shape: Shape) => ({ list: many(shape, (index) => index * 1.5) }),
  groups: (shape: Shape) => ({ list: many(shape, (index) => ({ name: textOf(shape), share: index })) }),
  links: (shape: Shape) =>
    Object.fromEntries(
      many(shape, (index) => [`key${index}`, `https://example.com/${encodeURIComponent(textOf(shape))}`]),
    ),
  languages: (shape: Shape) =>
    Object.fromEntries(
      many(shape, (index) => [`key${index}`, { en: textOf(shape), de: textOf(shape), fr: `${index}` }]),
    ),
  nested: (shape: Shape) =>
    Object.fromEntries(
      many({ ...shape, count: Math.ceil(shape.count / 56) }, (index) => [`key${index}`, nested(56, textOf(shape))]),
    ),
  one: (shape: Shape) => ({ text: textOf({ ...shape, length: shape.length * shape.count }) }),
} as const

const shapes: fc.Arbitrary<Shape> = fc.record({
  kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  category: fc.constantFrom('textiles', 'batteries', 'toys', 'construction'),
  count: fc.constantFrom(1, 40, 500, 3000, 6000, 9000, MAX_MEMBERS),
  length: fc.constantFrom(1, 8, 100, 690, 4000, 20_000),
  alphabet: fc.constantFrom(
    'x',
    'abcdefghij',
    'ab ',
    '<&">',
    'a\u0301\u0323',
    '\u0645\u0631\u062d ',
    '\u{1f4a9}',
    '\u4e2d\u6587',
    '0',
    '\\"',
    'a.b/c?d=',
    '\n',
  ),
})

/** Metadata, shortened until a gateway accepts it. */
function metadataOf(shape: Shape): object {
  for (let given = { ...shape, length: Math.min(shape.length, Math.ceil(MAX_BYTES / shape.count)) }; ; ) {
    const content = KINDS[given.kind](given)
    const isSmallest = given.count === 1 && given.length === 1
    if (isSmallest || Buffer.byteLength(JSON.stringify(content)) < MAX_BYTES) {
      return { category: shape.category, originCountry: 'PT', ...content }
    }
    given =
      given.length > 8
        ? { ...given, length: Math.ceil(given.length * 0.8) }
        : { ...given, count: Math.ceil(given.count * 0.8), length: Math.max(1, given.length - 1) }
  }
}

/** Measurements that confirm an expense; the minimum counts. */
const CONFIRMED_BY = 6

const FORMS = [
  'application/ld+json',
  'text/html',
  'application/pdf',
  'application/aas+json',
  'application/aas+zip',
  'application/asset-administration-shell-package+xml',
]
const CREDENTIALS = ['application/vc+jwt', 'application/vc+ld+json', 'application/dc+sd-jwt']

const LONG_HEADERS = {
  accept: Array.from({ length: 400 }, (_, index) => `a/b${index};q=0.${index}`).join(),
  'accept-language': Array.from({ length: 300 }, (_, index) => `x-${index};q=0.${index}`).join(),
  'if-none-match': Array.from({ length: 200 }, (_, index) => `"${index}"`).join(),
}

/**
 * Searches until `run` ends.
 * @param confirmAbove milliseconds up to which an expense needs no confirmation
 * @returns expenses by operation, in descending order
 */
export async function searchExpensiveRequests(
  run: LongRun,
  seed: number,
  confirmAbove = 0,
): Promise<ReadonlyMap<string, Expense>> {
  const found = new Map<string, Found>()
  const gateway = await startMetered()
  try {
    await measureSamples(gateway, found)
    for (let round = 0; !run.isOver(); round += 1) {
      const [fresh] = fc.sample(shapes, { seed: seed + round, numRuns: 1 }) as [Shape]
      const best = [...found.values()]
        .sort((a, b) => b.milliseconds - a.milliseconds)
        .flatMap((each) => each.shape ?? [])
      // Every second shape is a mutation of an expensive one.
      const near = best[round % Math.max(1, Math.min(best.length, 6))]
      const key = (['kind', 'category', 'count', 'length', 'alphabet'] as const)[round % 5] as keyof Shape
      const shape = round % 2 === 0 || near === undefined ? fresh : { ...near, [key]: fresh[key] }
      const measured = await measureShape(gateway, shape, run)
      const again = once(() => measureShape(gateway, shape, run))
      for (const [request, milliseconds] of measured) {
        await keepWorst(found, request, milliseconds, shape, async () => (await again()).get(request) ?? 0)
      }
    }
    await confirmWorst(gateway, found, { run, confirmAbove })
  } finally {
    await gateway.end()
  }
  return new Map([...found].sort(([, a], [, b]) => b.milliseconds - a.milliseconds))
}

/** Measures the longest ticks again: a tick can be long by accident. */
async function keepWorst(
  found: Map<string, Found>,
  request: string,
  measured: number,
  shape: Shape,
  again: () => Promise<number>,
): Promise<void> {
  const [operation = ''] = request.split(' ')
  if (measured <= (found.get(operation)?.milliseconds ?? 0)) return
  const milliseconds = Math.min(measured, await again())
  if (milliseconds > (found.get(operation)?.milliseconds ?? 0))
    found.set(operation, { milliseconds, request: `${request}: ${JSON.stringify(shape)}`, shape })
}

/** Measures the most expensive requests again until the worst is confirmed, to exclude other load on the machine. */
async function confirmWorst(
  gateway: Metered,
  found: Map<string, Found>,
  { run, confirmAbove }: { readonly run: LongRun; readonly confirmAbove: number },
): Promise<void> {
  const confirmed = new Set<string>()
  for (;;) {
    const [operation, worst] = [...found].reduce((one, other) =>
      other[1].milliseconds > one[1].milliseconds ? other : one,
    )
    const { milliseconds, request, shape } = worst
    if (shape === undefined || confirmed.has(operation) || milliseconds <= confirmAbove) return
    confirmed.add(operation)
    const [name = ''] = request.split(': {')
    let least = milliseconds
    for (let round = 0; round < CONFIRMED_BY; round += 1) {
      least = Math.min(least, (await measureShape(gateway, shape, run)).get(name) ?? least)
    }
    found.set(operation, { milliseconds: least, request, shape })
  }
}

type Metered = Awaited<ReturnType<typeof startMetered>>

/** A gateway with a workspace in a separate process. */
async function startMetered() {
  const databaseUrl = await createPreparedDatabase(MASTER_KEY)
  const inside = await startTestGateway({ DATABASE_URL: databaseUrl })
  const workspace: TestWorkspace = await createWorkspace(inside)
  const subjects = await givenSubjects(inside, workspace)
  const { json, operations } = inside.container.cradle.contract
  const samples = sampleCalls(subjects)
  const anonymous = [...operations.values()].filter(({ isPublic }) => isPublic).map(({ operationId }) => operationId)
  await inside.stop()
  const running = await startProcess({
    DATABASE_URL: databaseUrl,
    MASTER_KEY,
    BASE_URL,
    RATE_LIMITS: 'off',
    NODE_OPTIONS: `--import=${pathToFileURL(`${import.meta.dirname}/turn-meter.mjs`)}`,
  })
  await running.printed('ready')
  const client = new ContractClient(running.url.replace('localhost', '127.0.0.1'), json)
  let signals = 0
  async function longestTurn(): Promise<number> {
    signals += 1
    running.process.kill('SIGUSR2')
    const text = new RegExp(`turn ${signals}: (\\d+) `)
    return Number(text.exec(await running.printed(text))?.[1]) / 1000
  }
  return {
    workspace,
    samples: anonymous.flatMap((operationId) => {
      const call = samples[operationId]
      return call === undefined ? [] : [[operationId, call] as const]
    }),
    send: (method: string, path: string, options?: RequestOptions) => client.send(method, path, options),
    /**
     * Sends a request.
     * @returns milliseconds of the longest tick
     */
    async measure(method: string, path: string, options?: RequestOptions) {
      await longestTurn()
      const answer = await client.send(method, path, options)
      if (answer.status >= 500 && ![501, 503].includes(answer.status))
        throw new Error(`${method} ${path} answered ${answer.status}.`)
      return { answer, milliseconds: await longestTurn() }
    },
    async end() {
      await running.end('SIGTERM')
      await inside.close()
    },
  }
}

/** Measures the sample of every public operation with ordinary and long headers, after a warm-up. */
async function measureSamples(gateway: Metered, found: Map<string, Expense>): Promise<void> {
  for (const headers of [undefined, {}, LONG_HEADERS]) {
    for (const [operationId, { method, path, json, form }] of gateway.samples) {
      const { milliseconds } = await gateway.measure(method, path, { headers, json, form })
      if (headers === undefined || milliseconds <= (found.get(operationId)?.milliseconds ?? 0)) continue
      const again = await gateway.measure(method, path, { headers, json, form })
      found.set(operationId, { milliseconds: Math.min(milliseconds, again.milliseconds), request: `${method} ${path}` })
    }
  }
}

/**
 * Publishes and seals a passport and reads every representation.
 * @returns milliseconds by request
 */
async function measureShape(gateway: Metered, shape: Shape, run: LongRun): Promise<ReadonlyMap<string, number>> {
  const measured = new Map<string, number>()
  const metadata = metadataOf(shape)
  const productId = newGtin()
  const passports = passportClient(
    { request: gateway.send } as unknown as Parameters<typeof passportClient>[0],
    gateway.workspace.as,
  )
  const measure = async (request: string, method: string, path: string, options?: RequestOptions) => {
    run.count()
    const { answer, milliseconds } = await gateway.measure(method, path, options)
    measured.set(request, milliseconds)
    return answer
  }
  const json = { productId, metadata }
  await measure('validatePassportPublic', 'POST', '/api/v1/passports/validate-only-public', { json })
  const created = await passports.create(json)
  if (created.status !== 201) return measured
  const { id } = created.body.passport
  await passports.seal(id)
  const [unit] = await givenUnits(
    { request: gateway.send } as unknown as Parameters<typeof givenUnits>[0],
    gateway.workspace,
    id,
    ['S-1'],
  )
  for (const accept of FORMS) {
    await measure(`resolvePublicPassport ${accept}`, 'GET', `/passport/${id}?lang=de`, { headers: { accept } })
    await measure(`resolvePublicBatteryUnit ${accept}`, 'GET', `/unit/${unit}?lang=de`, { headers: { accept } })
  }
  for (const accept of ['application/ld+json', 'text/html']) {
    await measure(`resolvePublicPassport version ${accept}`, 'GET', `/passport/${id}?version=1`, {
      headers: { accept },
    })
  }
  for (const accept of CREDENTIALS) {
    await measure(`resolveCredential ${accept}`, 'GET', `/credentials/${id}`, { headers: { accept } })
    await measure(`resolveUnitCredential ${accept}`, 'GET', `/credentials/unit/${unit}`, { headers: { accept } })
  }
  for (const accept of ['application/linkset+json', 'text/html']) {
    await measure(`resolveGs1Gtin ${accept}`, 'GET', `/01/${productId}?linkType=all`, { headers: { accept } })
  }
  await measure('showAccessRequest', 'GET', `/request-access?passport=${id}`)
  await measure('requestAccess', 'POST', `/request-access?passport=${id}`, {
    form: {
      granteeName: textOf(shape).slice(0, 20_000),
      granteeEmail: 'a@b.example',
      purpose: textOf(shape).slice(0, 20_000),
    },
  })
  const { body: payload } = expectStatus(200, await gateway.send('GET', `/passport/${id}`))
  await measure('verifySeal', 'POST', '/api/v1/audit/verify', { json: { payload } })
  // Twice the content that a gateway publishes, not covered by a seal.
  const doubled = { ...payload, metadata: { ...payload.metadata, more: payload.metadata } }
  await measure('verifySeal doubled', 'POST', '/api/v1/audit/verify', { json: { payload: doubled } })
  // The maximum members of a document, more than a gateway publishes.
  for (const count of [24_000, 95_000]) {
    const metadata = KINDS[shape.kind]({ ...shape, count, length: Math.min(shape.length, 8) })
    await measure(`verifySeal ${count}`, 'POST', '/api/v1/audit/verify', {
      json: { payload: { ...payload, metadata } },
    })
  }
  return measured
}
