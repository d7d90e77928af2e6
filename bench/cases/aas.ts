import { answersOf, type Case } from '../bench.ts'
import type { Size } from '../data.ts'
import { COUNTER, makeRequest, numbered } from '../http.ts'
import { median } from '../pair.ts'

const BYTES = 200 * 1024

/** The owner's environment is rendered for every request; the public one is cached. */
const against = (tier: 'owner' | 'public', size: Size): Case => ({
  name: `aas-${tier}-${size}`,
  ours: `AAS environments of ${size}B passports, ${tier === 'owner' ? 'rendered for the owner' : 'cached'}`,
  against: 'our own JSON-LD of the same passports, for the same caller',
  async prepare({ data, startGateway }) {
    const gateway = await startGateway()
    const caller: Record<string, string> = tier === 'owner' ? { Authorization: data.authorization } : {}
    const requests = (accept: string) =>
      data.passports[size].map((id) => makeRequest('GET', `/passport/${id}`, { ...caller, Accept: accept }))
    const [ours, baseline] = [requests('application/aas+json'), requests('application/ld+json')]
    // The first walk stores the renditions, the second caches them.
    for (const walked of [ours, baseline, ours, baseline]) await answersOf(gateway, walked, 200)
    return {
      baseline: { server: gateway, requests: baseline, status: 200 },
      ours: { server: gateway, requests: ours, status: 200 },
    }
  },
})

const ingest: Case = {
  name: 'aas-ingest-200k',
  figures: [{ name: 'aas-ingest-200k', unit: 'ms' }],
  async run({ data, isQuick, startGateway }) {
    const ingests = isQuick ? 3 : 30
    const gateway = await startGateway()
    const headers = { Authorization: data.authorization, 'Content-Type': 'application/json' }
    const request = makeRequest('POST', '/api/v1/passports/aas/ingest', headers, largeEnvironment())
    const times: number[] = []
    for (let count = 0; count < ingests; count += 1) {
      const start = performance.now()
      await answersOf(gateway, [numbered(request, count)], 201)
      times.push(performance.now() - start)
    }
    // The first third warms up.
    return [median(times.slice(ingests / 3))]
  },
}

function largeEnvironment(): string {
  const property = (idShort: string, value: string, valueType = 'xs:string') => ({
    modelType: 'Property',
    idShort,
    valueType,
    value,
  })
  const submodelElements: object[] = [property('category', 'toys'), property('originCountry', 'DE')]
  const environment = {
    assetAdministrationShells: [
      { assetInformation: { specificAssetIds: [{ name: 'productId', value: `AAS-${COUNTER}` }] } },
    ],
    submodels: [{ idShort: 'ComplianceMetadata', submodelElements }],
  }
  for (let index = 0; JSON.stringify(environment).length < BYTES - 200; index += 1) {
    submodelElements.push(property(`value${index}`, `${index}.5`, 'xs:double'))
  }
  return JSON.stringify(environment)
}

export default [against('owner', '6k'), against('owner', '25k'), against('public', '6k'), ingest]
