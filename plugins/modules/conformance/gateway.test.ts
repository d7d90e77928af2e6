import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadContexts } from '../../../src/plugin/loader.ts'
import { METADATA } from '../../../test/support/credentials.ts'
import { createWorkspace, newGln, newGtin, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { freePort } from '../../../test/support/process.ts'
import { inDays } from '../../../test/support/sample-calls.ts'
import { linesOf, skippedLines, summaryOf } from './report.ts'
import { type Run, runChecks } from './run.ts'

// The command against the gateway itself, over HTTP.

let gateway: TestGateway
let base: string
let link: string
let grant: string

beforeAll(async () => {
  const port = await freePort()
  base = `http://localhost:${port}`
  gateway = await startTestGateway({ PORT: String(port), BASE_URL: base })
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { body } = await gateway.request('POST', '/api/v1/facilities', {
    headers: workspace.as,
    json: { gln: newGln(), name: 'Works 1', country: 'PT' },
  })
  const passport = await passports.given({
    productId: newGtin(),
    metadata: { ...METADATA.batteries, detailedPerformance: { powerW: 7654321, remark: 'restricted remark' } },
    facilityId: body.facility.id,
  })
  await gateway.request('POST', `/api/v1/passports/${passport.id}/seal`, { headers: workspace.as })
  link = `${base}/01/${passport.productId}`
  const issued = await gateway.request('POST', '/api/v1/grants', {
    headers: workspace.as,
    json: { granteeName: 'Repairer', scopeType: 'PASSPORT', passportId: passport.id, expiresAt: inDays(2) },
  })
  grant = issued.body.token
})
afterAll(() => gateway.close())

const run = (more: object = {}): Promise<Run> =>
  runChecks({
    url: link,
    allowLocalhost: true,
    isWriting: true,
    contexts: loadContexts([]),
    tell: () => {},
    ...more,
  })

const faultsOf = ({ results }: Run) => results.filter(({ verdict }) => verdict === 'fail').flatMap(linesOf)

describe('the gateway', () => {
  test('fails no check, for the public and with a token', async () => {
    const found = await run({ grant })
    console.log(
      found.results
        .filter(({ verdict }) => verdict === 'warn')
        .flatMap(linesOf)
        .join('\n'),
    )
    console.log(skippedLines(found.results).join('\n'), summaryOf(found))
    expect(faultsOf(found)).toEqual([])
  })
})
