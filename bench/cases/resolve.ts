import { answersOf, assertEqual, type Case, pairOf } from '../bench.ts'
import type { Size } from '../data.ts'
import { wireRequest } from '../http.ts'
import type { BareHttpOptions } from '../limits/bare-http.ts'

const cached = (representation: string, accept: string, size: Size): Case => ({
  name: `resolve-${representation}-${size}`,
  ours: `cached public resolve, ${representation} of ${size}B passports`,
  against: 'node:http giving the same finished answers in turn',
  async prepare({ data, startGateway, startLimit }) {
    const requests = data.passports[size].map((id) => wireRequest('GET', `/passport/${id}`, { Accept: accept }))
    const gateway = await startGateway()
    const answers = await answersOf(gateway, requests, 200)
    const bare = await startLimit('bare-http', {
      answers: answers.map(({ status, rawHeaders, body }) => ({ status, headers: rawHeaders, body })),
    } satisfies BareHttpOptions)
    assertEqual(answers, await answersOf(bare, requests, 200))
    return pairOf(bare, gateway, requests)
  },
})

/** A 304 saves bytes; it must not cost more than the answer that it saves. */
const notModified: Case = {
  name: 'not-modified',
  ours: '304 for a cached JSON-LD document of 6 KB',
  against: 'our own cached 200',
  async prepare({ data, startGateway }) {
    const gateway = await startGateway()
    const accept = { Accept: 'application/ld+json' }
    const paths = data.passports['6k'].map((id) => `/passport/${id}`)
    const full = paths.map((path) => wireRequest('GET', path, accept))
    const answers = await answersOf(gateway, full, 200)
    const conditional = paths.map((path, index) =>
      wireRequest('GET', path, { ...accept, 'If-None-Match': answers[index]?.headers.etag ?? '' }),
    )
    for (const [index, { headers }] of (await answersOf(gateway, conditional, 304)).entries()) {
      // What describes the content goes with the content (RFC 9110, 15.4.5).
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
  notModified,
]
