import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { standard } from '../../../test/support/reference-tools.ts'
import { type Change, startService } from './testing/clean-service.ts'
import { runAgainst } from './testing/run-against.ts'

// Published samples, served in place of the documents of a correct service. Absent samples are skipped.

const service = await startService()
afterEach(() => service.plant(undefined))
afterAll(() => service.close())

const read = (path: string) => readFileSync(standard(path) as string, 'utf8')

const namesIn = (folder: string, anchor: string): string[] => {
  const file = standard(`${folder}/${anchor}`)
  return file === undefined ? [] : readdirSync(dirname(file)).filter((name) => name.endsWith('.json'))
}

/** Serves a text instead of every response of a type. */
const instead =
  (type: string, body: string): Change =>
  (response) =>
    response.status === 200 && response.headers['content-type'] === type ? { ...response, body } : response

/** Failed checks, without those that compare with the passport of the service. */
async function faultsOf(group: string, change: Change, foreign: readonly string[] = []): Promise<string[]> {
  service.plant(change)
  const { results } = await runAgainst(service, { only: [group], grant: undefined })
  return results.flatMap(({ check, verdict }) => (verdict === 'fail' && !foreign.includes(check.id) ? [check.id] : []))
}

describe('environments of the Asset Administration Shell', () => {
  const TEMPLATES = namesIn('aas/environments', 'odal-battery.json')
  const INGEST = namesIn('aas/ingest', 'expected.json').filter((name) => name !== 'expected.json')
  // Faults that the official schemas or aas-core find too (expected.json); others are valid.
  const FAULTY: Readonly<Record<string, string[]>> = {
    '06-no-modeltype-abbreviated.json': ['aas.model-types', 'aas.lists'],
    '07-empty-concept-descriptions.json': ['aas.lists'],
    '11-bad-double-lexical.json': ['aas.values'],
    '12-duplicate-idshort.json': ['aas.unique-id-shorts'],
  }

  test.skipIf(TEMPLATES.length === 0).each(TEMPLATES)('%s is valid', async (name) => {
    const change = instead('application/aas+json', read(`aas/environments/${name}`))
    expect(await faultsOf('aas', change, ['aas.header'])).toEqual([])
  })

  test.skipIf(INGEST.length === 0).each(INGEST)('%s has the faults of the official schemas', async (name) => {
    const change = instead('application/aas+json', read(`aas/ingest/${name}`))
    expect(await faultsOf('aas', change, ['aas.header'])).toEqual(FAULTY[name] ?? [])
  })
})

describe('link sets', () => {
  const NONE = standard('gs1/modelLinkset.json') === undefined
  const ELSEWHERE = ['gs1.anchor-of-link', 'gs1.default-link-responds', 'gs1.links-respond', 'gs1.link-type']
  const serve = (name: string) => faultsOf('gs1', instead('application/linkset+json', read(`gs1/${name}`)), ELSEWHERE)

  test.skipIf(NONE).each([
    ['modelLinkset.json', []],
    ['valid-gs1-example.json', ['gs1.default-link']],
    ['invalid-gs1-example.json', ['gs1.linkset-titles', 'gs1.default-link']],
    ['ExampleLinkset.json', ['gs1.linkset-anchors', 'gs1.linkset-relations', 'gs1.linkset-titles', 'gs1.default-link']],
  ])('%s has the faults %j', async (name, faults) => {
    expect(await serve(name)).toEqual(faults)
  })
})

describe('UNTP credentials', () => {
  const FOLDER = 'untp/0.7.0-prerelease-2026-04/samples/dpp'
  const SAMPLES = namesIn(FOLDER, 'DigitalProductPassport_instance.json').map((name) => `${FOLDER}/${name}`)
  const ALL = standard('untp/0.6.1/untp-dpp-instance.json')
    ? [...SAMPLES, 'untp/0.6.1/untp-dpp-instance.json']
    : SAMPLES

  test.skipIf(ALL.length === 0).each(ALL)('%s is a credential', async (path) => {
    const unsigned = `${encoded('{"alg":"ES256","typ":"vc+jwt","kid":"did:web:sample.example#1"}')}.${encoded(read(path))}.AA`
    const change = instead('application/vc+jwt', unsigned)
    // The sample is not signed.
    const foreign = ['issuer', 'key', 'signature', 'jwt-key'].map((name) => `credentials.${name}`)
    expect(await faultsOf('credentials', change, foreign)).toEqual([])
  })
})

const encoded = (text: string) => Buffer.from(text).toString('base64url')

describe('EN 18223', () => {
  const SAMPLE = 'aas/en18222/basyx-go-sample-dpp.compressed.json'

  test.skipIf(standard(SAMPLE) === undefined)('a sample with a name of the draft is reported', async () => {
    const body = read(SAMPLE)
    const change: Change = (response, { path }) =>
      /^\/v1\/dpps\/[^/]+$/.test(path) && response.status === 200 ? { ...response, body } : response
    const foreign = ['en18223.full-content', 'en18223.full-header']
    expect(await faultsOf('en18223', change, foreign)).toEqual(['en18223.lastUpdated', 'en18223.names'])
  })
})
