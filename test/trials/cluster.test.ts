import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clusterLoad, someAddress } from '../support/cluster-load.ts'
import { bearer, newGtin, textile } from '../support/gateway.ts'
import { recordRun } from '../support/long-runs.ts'
import { type ObjectServer, openObjectServer } from '../support/object-server.ts'
import { png } from '../support/pictures.ts'
import { missing } from '../support/reference-tools.ts'

// deploy/cluster with two gateways, as its README starts it. FAILOVERS=5 (npm run failover) kills five leaders.

const SCRIPT = join(import.meta.dirname, '../../deploy/cluster/cluster.mjs')
const FAILOVERS = Number(process.env.FAILOVERS ?? 1)
const POPULAR = 100
/** Patroni replaces a leader after this time. */
const TTL_SECONDS = 10
/** The documented time, from the kill to an acknowledged write. */
const WRITES_AGAIN_WITHIN_MS = 30_000

const packages = execFileSync(process.execPath, [SCRIPT, 'packages'], { encoding: 'utf8' })
  .trim()
  .split(/\s+/)
  .join(' ')
if (packages !== '') missing(packages)

describe.skipIf(packages !== '')('the cluster of deploy/cluster', () => {
  let folder: string
  let address: string
  let origin: string
  let gateways: string[]
  let key: Record<string, string>
  let popular: string[]
  let store: ObjectServer

  const cluster = async (...words: string[]) => {
    const all = [SCRIPT, '--folder', folder, ...words]
    return (await promisify(execFile)(process.execPath, all, { maxBuffer: 2 ** 24 })).stdout
  }
  const partsOf = async () =>
    JSON.parse(await cluster('status', '--json')) as {
      address: string
      origin: string
      parts: { name: string; address: string; state: string }[]
    }
  const leader = async () => (await partsOf()).parts.find(({ state }) => state.startsWith('leader'))
  const create = async (productId = newGtin()) => {
    const answer = await fetch(`${address}/api/v1/passports`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: JSON.stringify({ productId, metadata: textile() }),
    })
    expect(answer.status).toBe(201)
    return ((await answer.json()) as { passport: { id: string } }).passport.id
  }
  const read = async (base: string, id: string) => {
    const answer = await fetch(`${base}/passport/${id}`, {
      headers: { accept: 'application/ld+json', ...someAddress() },
    })
    return { status: answer.status, text: await answer.text() }
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpp-cluster-'))
    store = await openObjectServer()
    const more = join(folder, 'store.env')
    await writeFile(
      more,
      `MEDIA_S3_ENDPOINT=${store.url}
MEDIA_S3_BUCKET=passports
MEDIA_S3_REGION=eu-test-1
MEDIA_S3_ACCESS_KEY=AK
MEDIA_S3_SECRET_KEY=secret
`,
    )
    await cluster('start', '--gateways', '2', '--ttl', String(TTL_SECONDS), '--env', more)
    const started = await partsOf()
    address = started.address
    origin = started.origin
    gateways = started.parts.filter(({ name }) => name.startsWith('gateway')).map((one) => `http://${one.address}`)
    const workspace = JSON.parse(
      await cluster('dpp', 'workspace', 'create', '--name', 'Acme', '--plan', 'enterprise', '--json'),
    )
    const words = ['dpp', 'key', 'create', '--workspace', workspace.id, '--role', 'BRAND_OPERATOR', '--json']
    key = bearer(JSON.parse(await cluster(...words)).key)
    const operator = await fetch(`${address}/api/v1/operators`, {
      method: 'POST',
      headers: { ...key, 'content-type': 'application/json' },
      body: '{"name":"Acme","regId":"REG-1"}',
    })
    expect(operator.status).toBe(201)
  })
  afterAll(async () => {
    await cluster('stop').catch(() => {})
    await store?.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('every part runs, with a synchronous standby, and status names its address', async () => {
    const { parts } = await partsOf()
    expect(parts.map(({ state }) => state.replace(/, .*/, '')).sort()).toEqual(
      [...Array(parts.length - 2).fill('ready'), 'leader', 'synchronous standby'].sort(),
    )
    expect(await cluster('status')).toMatch(new RegExp(`Address +${address}`))
  })

  test('a public read comes from Varnish, and a change shows although it may stay for an hour', async () => {
    const id = await create()
    const hit = async () => {
      const answer = await fetch(`${address}/passport/${id}`, { headers: { accept: 'application/ld+json' } })
      await answer.arrayBuffer()
      return answer.headers.get('x-varnish')?.includes(' ')
    }
    await expect.poll(hit).toBe(true)
    const changed = await fetch(`${address}/api/v1/passports/${id}/status`, {
      method: 'PUT',
      headers: { ...key, 'content-type': 'application/json' },
      body: '{"status":"RECALLED"}',
    })
    expect(changed.status).toBe(200)
    await expect.poll(async () => (await read(address, id)).text).toContain('RECALLED')
  })

  test('pictures are in the object store of --env', async () => {
    const headers = { ...key, 'content-type': 'image/png' }
    const body = new Uint8Array(await png())
    const answer = await fetch(`${address}/api/v1/passports/${await create()}/media`, { method: 'POST', headers, body })
    expect(answer.status).toBe(201)
    const { medium } = (await answer.json()) as { medium: { sizes: { url: string }[] } }
    expect([...store.objects.keys()]).toHaveLength(medium.sizes.length)
    const picture = await fetch(medium.sizes[0]?.url ?? '')
    expect([...store.objects.values()]).toContainEqual(Buffer.from(await picture.arrayBuffer()))
  })

  test('the leader is killed under load: no acknowledged write is lost, popular passports stay readable', {
    timeout: 60_000 + FAILOVERS * 90_000,
  }, async () => {
    // The drill below restores this backup of the first leader, and the archive of the later ones.
    const backedUp = cluster('backup')
    popular = []
    for (let count = 0; count < POPULAR; count += 1) popular.push(await create())
    for (const gateway of gateways) {
      for (const id of popular) expect((await read(gateway, id)).status).toBe(200)
    }
    await backedUp
    const load = clusterLoad({ address, origin, key, popular })
    const pauses: number[] = []
    for (let count = 1; count <= FAILOVERS; count += 1) {
      const before = load.acknowledged.size
      await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + 50)
      const old = await leader()
      await cluster('kill', 'leader')
      const killedAt = performance.now()
      // Writes in flight may still be acknowledged.
      await expect.poll(leader, { timeout: WRITES_AGAIN_WITHIN_MS, interval: 500 }).not.toEqual(old)
      const promoted = load.acknowledged.size
      await expect
        .poll(() => load.acknowledged.size, { timeout: WRITES_AGAIN_WITHIN_MS, interval: 20 })
        .toBeGreaterThan(promoted)
      pauses.push(performance.now() - killedAt)
      expect(pauses.at(-1)).toBeLessThan(WRITES_AGAIN_WITHIN_MS)
      // The next may be killed when the old leader follows the new one.
      if (count < FAILOVERS) await cluster('start')
    }
    await load.stop()
    expect(load.failedReads).toEqual([])
    const { parts } = await partsOf()
    const [, port] = (parts.find(({ state }) => state.startsWith('leader'))?.address ?? '').split(':')
    const { values } = JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8'))
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: Number(port), database: 'dpp' },
      ...{ user: 'postgres', password: values.SUPERUSER_PASSWORD },
    })
    await client.connect()
    const { rowCount } = await client.query('select 1 from passport where product_id = any($1)', [
      [...load.acknowledged],
    ])
    await client.end()
    expect(rowCount).toBe(load.acknowledged.size)
    const seconds = pauses.map((pause) => (pause / 1000).toFixed(1)).join(', ')
    recordRun({
      what: 'failover',
      tried: `leader of deploy/cluster killed ${FAILOVERS} times (ttl ${TTL_SECONDS} s, 2 gateways): ${load.acknowledged.size} acknowledged writes, ${load.refused()} refused, ${load.reads()} reads of ${POPULAR} passports; seconds until writes succeeded again: ${seconds}`,
    })
  })

  test('the restore drill verifies a copy of this moment, while the killed leader returns as standby', async () => {
    await create()
    const [report] = await Promise.all([cluster('drill'), cluster('start')])
    const { parts } = await partsOf()
    expect(parts.filter(({ state }) => /^(?:leader|synchronous standby), running/.test(state))).toHaveLength(2)
    const [, before] = /(\d+) passports at /.exec(report) ?? []
    const [, after] = /(\d+) passports are in the copy/.exec(report) ?? []
    expect(Number(before)).toBeGreaterThan(POPULAR)
    expect(after).toBe(before)
    expect(report).toContain('Failed: 0.')
  })
})
