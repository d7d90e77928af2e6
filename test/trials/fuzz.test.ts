import { expect, test, vi } from 'vitest'
import { withFault } from '../support/faults.ts'
import { fuzz, givenPlayer } from '../support/fuzz.ts'
import { recordRun } from '../support/long-runs.ts'
import { useGateway } from '../support/use-gateway.ts'

// `npm run fuzz` sends more or other requests; a failure prints its seed and the steps as a test.
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1500)
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_121)
const MINUTES = Number(process.env.FUZZ_MINUTES ?? Number.POSITIVE_INFINITY)

const { gateway } = await useGateway()

test(`${REQUESTS} requests with seed ${SEED} get documented answers, and none is a failure`, {
  timeout: 0,
}, async () => {
  const logged = vi.spyOn(gateway.container.cradle.log, 'error')
  const { count, result } = await fuzz(gateway, { requests: REQUESTS, seed: SEED, minutes: MINUTES })
  const statuses = [...result].sort().map((pair) => pair.join(' × '))
  console.log(`fuzz: ${statuses.join(', ')}`)
  expect(logged).not.toHaveBeenCalled()
  // Requests rejected early test nothing behind the validation.
  expect((result.get('200') ?? 0) + (result.get('201') ?? 0)).toBeGreaterThan(count / 3)
  expect((await gateway.request('GET', '/health')).status).toBe(200)
  recordRun({ what: 'fuzz', tried: `${count.toLocaleString('en')} requests in sequences`, seed: SEED })
})

test('a failure is found, made smaller, and printed as a test that passes without its cause', async () => {
  const fault = { table: 'webhook_subscription', events: 'update' }
  const found = withFault(gateway, fault, () => fuzz(gateway, { requests: 5000, seed: 2 }))
  const { message } = await found.then(() => new Error('Nothing was found.')).catch((error: Error) => error)
  expect(message).toContain("test('seed 2")
  const steps = JSON.parse(/await play\((.*)\)\n}\)$/s.exec(message)?.[1] ?? '[]')
  expect(steps.at(-1).operationId).toMatch(/Webhook/)
  const { play } = await givenPlayer(gateway)
  await expect(withFault(gateway, fault, () => play(steps))).rejects.toThrow('answered 500')
  await play(steps)
})
