import { expect, test, vi } from 'vitest'
import { recordRun } from '../support/long-runs.ts'
import { exchangeWell, fuzzRaw } from '../support/raw-fuzz.ts'
import { useGateway } from '../support/use-gateway.ts'

// `npm run fuzz` sends more or other requests; a failure prints its seed and the bytes as a test.
const REQUESTS = Number(process.env.RAW_FUZZ_REQUESTS ?? 2000)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122)
const MINUTES = Number(process.env.FUZZ_MINUTES ?? Number.POSITIVE_INFINITY)

const { gateway, workspace } = await useGateway(
  { TRUST_PROXY: '1', WORKSPACE_HOST_SUFFIX: '.example.test' },
  { bounds: { headersTimeout: 1000, requestTimeout: 1000, checkInterval: 100, lingerTimeout: 100 } },
)

test(`${REQUESTS} damaged requests with seed ${SEED}: no failure, and nothing but answers of ours`, {
  timeout: 0,
}, async () => {
  const logged = vi.spyOn(gateway.container.cradle.log, 'error')
  const { count, result } = await fuzzRaw(gateway, workspace, { requests: REQUESTS, seed: SEED, minutes: MINUTES })
  console.log(
    `raw fuzz: ${[...result]
      .sort()
      .map((pair) => pair.join(' × '))
      .join(', ')}`,
  )
  expect(logged).not.toHaveBeenCalled()
  // Unparsable requests test nothing behind the parser.
  expect((result.get(200) ?? 0) + (result.get(204) ?? 0)).toBeGreaterThan(count / 20)
  expect(result.get(400) ?? 0).toBeGreaterThan(count / 20)
  const { client } = gateway
  expect((await client.request('GET', '/health')).status).toBe(200)
  await expect
    .poll(() => new Promise((resolve) => gateway.server.getConnections((_, count) => resolve(count))), {
      timeout: 10_000,
    })
    .toBe(0)
  expect(gateway.container.cradle.bodyBudget.inFlight()).toBe(0)
  recordRun({ what: 'fuzz', tried: `${count.toLocaleString('en')} damaged requests on raw sockets`, seed: SEED })
})

test.each([
  'OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n',
  'OPTIONS *?x HTTP/1.1\r\nHost: h\r\n\r\n',
  'GET * HTTP/1.1\r\nHost: h\r\n\r\n',
])('%j is answered, and by no failure', async (bytes) => {
  expect(await exchangeWell(gateway.origin, bytes)).toHaveLength(1)
})
