import { answersOf, assertEqual, type Bench, type Case, pairOf } from '../bench.ts'
import type { Size } from '../data.ts'
import { type BenchRequest, makeRequest } from '../http.ts'
import type { BareHttpOptions } from '../limits/bare-http.ts'
import type { Server } from '../processes.ts'

/** Compares a gateway with node:http that returns its finished responses in turn. */
async function againstBare({ startLimit }: Bench, gateway: Server, requests: readonly BenchRequest[], status = 200) {
  const answers = await answersOf(gateway, requests, status)
  const bare = await startLimit('bare-http', {
    answers: answers.map(({ status, rawHeaders, body }) => ({ status, headers: rawHeaders, body })),
  } satisfies BareHttpOptions)
  assertEqual(answers, await answersOf(bare, requests, status))
  return pairOf(bare, gateway, requests, status)
}

const AGAINST = 'node:http with the same finished responses in turn'

const cached = (representation: string, accept: string, size: Size, encoding?: 'br'): Case => ({
  name: `resolve-${representation}-${size}${encoding === undefined ? '' : `-${encoding}`}`,
  ours: `cached public resolve, ${representation} of ${size}B passports${encoding === undefined ? '' : ', in Brotli'}`,
  against: AGAINST,
  async prepare(bench) {
    const headers = { Accept: accept, ...(encoding && { 'Accept-Encoding': encoding }) }
    const requests = bench.data.passports[size].map((id) => makeRequest('GET', `/passport/${id}`, headers))
    return againstBare(bench, await bench.startGateway(), requests)
  },
})

interface Link {
  readonly name: string
  readonly ours: string
  readonly status: number
  /** Path after the GTIN. */
  readonly rest: string
  readonly env?: Readonly<Record<string, string>>
}

/** Links of all products; if `rest` contains the case's name, each product has a unit of that serial number. */
const link = ({ name, ours, status, rest, env = {} }: Link): Case => ({
  name,
  ours,
  against: AGAINST,
  async prepare(bench) {
    const gateway = await bench.startGateway(env)
    const ids = bench.data.passports['6k']
    const read = ids.map((id) => makeRequest('GET', `/passport/${id}`))
    const gtins = (await answersOf(gateway, read, 200)).map(({ body }) => JSON.parse(String(body)).productId as string)
    if (rest.includes(name))
      await answersOf(
        gateway,
        ids.map((id) => serialisation(bench, id, name)),
        201,
      )
    return againstBare(
      bench,
      gateway,
      gtins.map((gtin) => makeRequest('GET', `/01/${gtin}${rest}`)),
      status,
    )
  },
})

const serialisation = ({ data }: Bench, passportId: string, serialNumber: string): BenchRequest =>
  makeRequest(
    'POST',
    `/api/v1/passports/${passportId}/units`,
    { Authorization: data.authorization, 'Content-Type': 'application/json' },
    JSON.stringify({ serialNumber }),
  )

/** A 304 must not cost more than the 200. */
const notModified: Case = {
  name: 'not-modified',
  ours: '304 for a cached JSON-LD document of 6 KB',
  against: 'our own cached 200',
  async prepare({ data, startGateway }) {
    const gateway = await startGateway()
    const accept = { Accept: 'application/ld+json' }
    const paths = data.passports['6k'].map((id) => `/passport/${id}`)
    const full = paths.map((path) => makeRequest('GET', path, accept))
    const answers = await answersOf(gateway, full, 200)
    const conditional = paths.map((path, index) =>
      makeRequest('GET', path, { ...accept, 'If-None-Match': answers[index]?.headers.etag ?? '' }),
    )
    for (const [index, { headers }] of (await answersOf(gateway, conditional, 304)).entries()) {
      // A 304 has no representation headers (RFC 9110, 15.4.5).
      const { 'content-length': _length, 'content-type': _type, ...expected } = answers[index]?.headers ?? {}
      if (JSON.stringify(headers) !== JSON.stringify(expected)) throw new Error('The headers of 304 and 200 differ.')
    }
    return {
      baseline: { server: gateway, requests: full, status: 200 },
      ours: { server: gateway, requests: conditional, status: 304 },
    }
  },
}

export default [
  cached('jsonld', 'application/ld+json', '6k'),
  cached('jsonld', 'application/ld+json', '25k'),
  cached('html', 'text/html', '6k'),
  cached('html', 'text/html', '25k'),
  cached('html', 'text/html', '25k', 'br'),
  notModified,
  link({ name: 'resolve-gtin', ours: 'GS1 Digital Link of a product, without a redirect', status: 200, rest: '' }),
  link({
    name: 'redirect-gtin',
    ours: 'the same with redirects',
    status: 307,
    rest: '',
    env: { RESOLVER_REDIRECTS: 'on' },
  }),
  link({
    name: 'redirect-serial',
    ours: 'GS1 Digital Link of a unit, which redirects',
    status: 302,
    rest: '/21/redirect-serial',
  }),
  link({
    name: 'linkset',
    ours: 'the linkset of a unit and its product',
    status: 200,
    rest: '/21/linkset?linkType=linkset',
  }),
]
