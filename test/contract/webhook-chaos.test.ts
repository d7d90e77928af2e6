import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { pgCtl } from '../../src/storage/embedded-postgres/cluster.ts'
import { openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'
import { prepare } from '../../src/storage/embedded-postgres/place.ts'
import { openProxy } from '../support/faults.ts'
import { createWorkspace, MASTER_KEY, newGtin, startTestGateway, textile } from '../support/gateway.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

// Everything fails in turn while four clients write: nothing that was acknowledged is lost, nobody is told of what was not
// written, and everybody is told of everything at least once.

const SECONDS = Number(process.env.CHAOS_SECONDS ?? 30)
const WRITERS = 4
/** For restarts, and until what was left behind is delivered. */
const REST_SECONDS = 120

/** What clients were told, and only that. */
interface Acknowledged {
  readonly created: Set<string>
  readonly sealed: Set<string>
}

test('nothing is lost, whatever fails', { timeout: (SECONDS + 2 * REST_SECONDS) * 1000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dpp-chaos-'))
  await chmod(dataDir, 0o711)
  const options = { dataDir, log: () => {} }
  const postgres = await openEmbeddedPostgres(options)
  const place = await prepare(dataDir, options)
  const receiver = await startReceiver()
  const proxy = await openProxy(postgres.url)
  const opened = () => startTestGateway({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' }, { clusterDir: dataDir })
  const running: GatewayProcess[] = []
  try {
    const before = await opened()
    const workspace = await createWorkspace(before)
    const { secret } = await webhookClient(before, workspace.as).given(receiver.url)
    receiver.verifyWith(secret)
    await before.close()

    const port = await freePort()
    const start = async () => {
      const env = { DATABASE_URL: proxy.url, MASTER_KEY, PORT: String(port), LOG_LEVEL: 'silent', RATE_LIMITS: 'off' }
      running.push(await startProcess({ ...env, BASE_URL: 'https://dpp.example.test', WEBHOOK_ALLOW_PRIVATE: 'on' }))
      await running.at(-1)?.printed('is ready')
    }
    await start()
    const writing = writers(`http://localhost:${port}`, workspace.as)
    const faults: (() => Promise<unknown>)[] = [
      () => pgCtl(place, ['restart', '-m', 'immediate', '-w', '-l', place.logFile]),
      async () => proxy.cut(),
      async () => {
        proxy.silence()
        await pause(2500)
        proxy.cut()
      },
      async () => {
        await running.at(-1)?.end('SIGKILL')
        await start()
      },
    ]
    const until = performance.now() + SECONDS * 1000
    for (let count = 0; performance.now() < until; count += 1) {
      await faults[count % faults.length]?.()
      // Each fault meets a gateway that works.
      await writing.next()
    }
    const { created, sealed } = await writing.stop()
    expect(created.size).toBeGreaterThan(0)
    expect(sealed.size).toBeGreaterThan(0)

    const after = await opened()
    const told = (type: string) =>
      new Set(receiver.received.filter(({ body }) => body.type === type).map(({ body }) => body.data.id))
    const missing = () => [
      ...[...created].filter((id) => !told('passport.ingested').has(id)),
      ...[...sealed].filter((id) => !told('passport.sealed').has(id)),
    ]
    await expect.poll(missing, { timeout: REST_SECONDS * 1000, interval: 200 }).toEqual([])

    const stored = await after.sqlAs<{ id: string; productId: string; isSealed: boolean }>(
      workspace.id,
      'select p.id, p.product_id as "productId", exists (select from seal s where s.passport_id = p.id) as "isSealed" from passport p',
    )
    const ids = stored.map(({ id }) => id)
    // A write that was sent again was done once.
    expect(new Set(stored.map(({ productId }) => productId)).size).toBe(stored.length)
    expect(created.size).toBe(stored.length)
    expect([...created].filter((id) => !ids.includes(id))).toEqual([])
    const withSeal = new Set(stored.filter(({ isSealed }) => isSealed).map(({ id }) => id))
    expect([...sealed].filter((id) => !withSeal.has(id))).toEqual([])
    // Nobody was told of what is not there.
    expect([...told('passport.ingested')].filter((id) => !ids.includes(id))).toEqual([])
    expect([...told('passport.sealed')].filter((id) => !withSeal.has(id))).toEqual([])
    // What came more than once came under one id.
    const byContent = Map.groupBy(receiver.received, ({ text }) => text)
    for (const same of byContent.values()) expect(new Set(same.map(({ id }) => id)).size).toBe(1)
    await after.close()
  } finally {
    await Promise.all(running.map((each) => each.end('SIGKILL')))
    await receiver.close()
    await proxy.close()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

/** Clients that create and seal, each as often as it takes to be told how it went, until they are told to stop. */
function writers(origin: string, headers: Record<string, string>) {
  const acknowledged: Acknowledged = { created: new Set(), sealed: new Set() }
  let isStopped = false
  let wake = () => {}

  /** The answer once it is one: what was not answered, or with a status of passing failures, is sent again. */
  async function insist(path: string, key: string, json?: object) {
    for (;;) {
      const answer = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': key },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(10_000),
      })
        .then(async (response) => ({ status: response.status, body: JSON.parse(await response.text()) }))
        .catch(() => undefined)
      const isPassing = answer === undefined || answer.status === 503 || answer.status === 409
      if (!isPassing) return answer
      await pause(50)
    }
  }

  const work = Array.from({ length: WRITERS }, async () => {
    while (!isStopped) {
      const productId = newGtin()
      const created = await insist('/api/v1/passports', productId, { productId, metadata: textile() })
      expect([created.status, created.body]).toEqual([201, created.body])
      const { id } = created.body.passport
      acknowledged.created.add(id)
      const sealed = await insist(`/api/v1/passports/${id}/seal`, id)
      expect([sealed.status, sealed.body]).toEqual([200, sealed.body])
      acknowledged.sealed.add(id)
      wake()
    }
  })
  return {
    /** The next passport that was created and sealed. */
    next: () =>
      new Promise<void>((resolve) => {
        wake = resolve
      }),
    stop: async () => {
      isStopped = true
      await Promise.all(work)
      return acknowledged
    },
  }
}
