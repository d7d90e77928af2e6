import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MASTER_KEY, newGtin, textile } from '../support/gateway.ts'
import { eventsOf } from '../support/passport-client.ts'
import { type GatewayProcess, startProcess } from '../support/process.ts'
import { useGateway } from '../support/use-gateway.ts'

const CREATE = '/api/v1/passports'
const BULK = '/api/v1/passports/bulk'

const { gateway: own, workspace: owner } = await useGateway()

const content = (more: object = {}) => ({ productId: newGtin(), metadata: textile(), ...more })

describe('two processes on one database', () => {
  const settings = { MASTER_KEY, RATE_LIMITS: 'off', DEMO: 'off' }
  let processes: GatewayProcess[]

  const start = async () => {
    const one = await startProcess({ ...settings, DATABASE_URL: own.databaseUrl })
    await one.printed('is ready at')
    return one
  }
  const post = ({ url }: GatewayProcess, path: string, json: unknown, key?: string) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        ...owner.as,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(json),
    })
  const everyOther = <T>(times: number, act: (gateway: GatewayProcess, index: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, index) => act(processes[index % 2] as GatewayProcess, index)))

  beforeAll(async () => {
    processes = await Promise.all([start(), start()])
  })
  afterAll(() => Promise.all(processes.map((one) => one.end('SIGTERM'))))

  test('create the same product 50 times concurrently: one 201 and 49 conflicts', async () => {
    const json = content()
    const answers = await everyOther(50, async (one) => {
      const response = await post(one, CREATE, json)
      return { status: response.status, body: (await response.json()) as { code?: string; passport?: { id: string } } }
    })
    const created = answers.filter(({ status }) => status === 201)
    expect(created).toHaveLength(1)
    expect(answers.filter(({ status, body }) => status === 409 && body.code === 'PASSPORT_DUPLICATE')).toHaveLength(49)
    expect(await eventsOf(own, created[0]?.body.passport?.id ?? '')).toEqual(['passport.ingested'])
  })

  test.each([
    [CREATE, () => content()],
    [BULK, () => ({ passports: Array.from({ length: 20 }, () => content()) })],
  ])('50 requests with one key at %s: one execution, one answer', async (path, make) => {
    const json = make()
    const before = await own.sqlAs(owner.id, 'select 1 from passport')
    const answers = await everyOther(50, async (one) => {
      const response = await post(one, path, json, `shared ${path}`)
      return {
        status: response.status,
        text: await response.text(),
        isReplay: response.headers.get('idempotent-replayed') === 'true',
      }
    })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
    const after = await own.sqlAs(owner.id, 'select 1 from passport')
    expect(after.length - before.length).toBe(path === BULK ? 20 : 1)
  })

  test('killed in the middle of a bulk: all rows or none, and the same key answers', async () => {
    // Wide rows in many small steps leave time for the kill, whose place is random.
    for (let round = 0; round < 3; round += 1) {
      const victim = await start()
      const passports = Array.from({ length: 200 }, () => content({ metadata: textile({ note: 'x'.repeat(3000) }) }))
      const request = post(victim, BULK, { passports }, `killed ${round}`).catch(() => undefined)
      await own.sql('select pg_sleep($1)', [round * 0.05])
      await victim.end('SIGKILL')
      await request
      const stored = () =>
        own.sqlAs(owner.id, 'select 1 from passport where product_id = any($1)', [
          passports.map(({ productId }) => productId),
        ])
      expect([0, 200]).toContain((await stored()).length)
      const retried = await post(processes[0] as GatewayProcess, BULK, { passports }, `killed ${round}`)
      const { insertedCount } = (await retried.json()) as { insertedCount: number }
      expect([retried.status, insertedCount]).toEqual([201, 200])
      expect(await stored()).toHaveLength(200)
    }
  })
})
