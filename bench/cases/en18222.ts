import { answersOf, type Case } from '../bench.ts'
import type { Size } from '../data.ts'
import { makeRequest } from '../http.ts'

const byId = (size: Size): Case => ({
  name: `en-18222-${size}`,
  ours: `anonymous reads of ${size}B passports by EN 18222, cached`,
  against: 'our own public JSON-LD of the same passports',
  async prepare({ data, startGateway }) {
    const gateway = await startGateway()
    const baseline = data.passports[size].map((id) =>
      makeRequest('GET', `/passport/${id}`, { Accept: 'application/ld+json' }),
    )
    const byUuid = data.passports[size].map((id) => makeRequest('GET', `/v1/dpps/${id}`))
    const ours = (await answersOf(gateway, byUuid, 200)).map(({ body }) => {
      const { digitalProductPassportId } = JSON.parse(String(body))
      return makeRequest('GET', `/v1/dpps/${encodeURIComponent(digitalProductPassportId)}`)
    })
    // The first walk stores the renditions, the second caches them.
    for (const walked of [ours, baseline, ours, baseline]) await answersOf(gateway, walked, 200)
    return {
      baseline: { server: gateway, requests: baseline, status: 200 },
      ours: { server: gateway, requests: ours, status: 200 },
    }
  },
})

export default [byId('6k'), byId('25k')]
