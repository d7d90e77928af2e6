import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createWorkspace,
  MASTER_KEY,
  newGtin,
  startTestGateway,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { dpp, freePort } from '../support/process.ts'

const isInstalled = spawnSync('varnishd', ['-V']).status === 0
const PASSPORTS = 100
const READS = 3000

describe.skipIf(!isInstalled)(`behind Varnish${isInstalled ? '' : ', which is not installed'}`, () => {
  let gateway: TestGateway
  let workspace: TestWorkspace
  let varnish: ChildProcess
  let origin: string
  let folder: string

  beforeAll(async () => {
    const [port, publicPort] = [await freePort(), await freePort()]
    origin = `http://127.0.0.1:${publicPort}`
    gateway = await startTestGateway({ PORT: String(port), CDN_PURGE_URL: `${origin}/purge`, CDN_MAX_AGE: '3600' })
    workspace = await createWorkspace(gateway)
    folder = await mkdtemp(join(tmpdir(), 'dpp-gateway-varnish-'))
    // Its processes run as another user.
    await chmod(folder, 0o755)
    const readme = await readFile('plugins/modules/cdn/README.md', 'utf8')
    const [vcl = ''] = /```vcl\n([^`]*)```/.exec(readme)?.slice(1) ?? []
    await writeFile(
      join(folder, 'default.vcl'),
      `vcl 4.1;\nbackend default { .host = "127.0.0.1"; .port = "${port}"; }\nacl purgers { "127.0.0.1"; }\n${vcl}`,
    )
    varnish = spawn(
      'varnishd',
      [
        '-F',
        '-n',
        join(folder, 'state'),
        '-a',
        `127.0.0.1:${publicPort}`,
        '-f',
        join(folder, 'default.vcl'),
        '-s',
        'malloc,64m',
      ],
      { stdio: 'ignore' },
    )
    await vi.waitFor(async () => expect((await fetch(`${origin}/health`)).status).toBe(200), { timeout: 10_000 })
  })
  afterAll(async () => {
    varnish?.kill('SIGTERM')
    if (varnish?.exitCode === null) await once(varnish, 'exit')
    await gateway?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const read = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${origin}${path}`, { headers: { accept: 'application/ld+json', ...headers } })
    // Varnish names the request, and the one that stored the object.
    const isHit = answer.headers.get('x-varnish')?.includes(' ') === true
    return { status: answer.status, isHit, headers: answer.headers, text: await answer.text() }
  }
  const given = (metadata: object = textile()) =>
    passportClient(gateway, workspace.as).given({ productId: newGtin(), metadata })

  test('19 of 20 reads of popular passports are answered without the gateway', async () => {
    const ids: string[] = []
    for (let count = 0; count < PASSPORTS; count += 1) ids.push((await given()).id)
    // A purge of a new passport would cost a hit.
    await expect
      .poll(() => gateway.sql(`select id from pgboss.job where name = 'cdn-purge' and state < 'completed'`))
      .toEqual([])
    let hits = 0
    for (let count = 0; count < READS; count += 1) {
      // Zipf with exponent 1: rank r with a probability of about 1 / (r · ln n).
      const rank = Math.floor(PASSPORTS ** ((count * 0.618_034) % 1))
      const { status, isHit } = await read(`/passport/${ids[rank - 1]}`)
      expect(status).toBe(200)
      if (isHit) hits += 1
    }
    expect(hits / READS).toBeGreaterThan(0.95)
  })

  test('languages share an object of a format without languages', async () => {
    const { id } = await given()
    await read(`/passport/${id}`, { 'accept-language': 'de' })
    for (const lang of ['en', 'fr', 'pl', 'sv', 'el']) {
      expect((await read(`/passport/${id}`, { 'accept-language': lang })).isHit).toBe(true)
    }
  })

  test('a recall shows, although the object may be stored for an hour', async () => {
    const { id } = await given()
    for (let count = 0; count < 2; count += 1) await read(`/passport/${id}`)
    expect((await read(`/passport/${id}`)).isHit).toBe(true)
    expectStatus(200, await passportClient(gateway, workspace.as).setStatus(id, 'RECALLED'))
    await expect.poll(async () => (await read(`/passport/${id}`)).text, { timeout: 10_000 }).toContain('RECALLED')
  })

  test('a command queues the purge too', async () => {
    const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, CDN_PURGE_URL: `${origin}/purge` }
    const created = await dpp(['workspace', 'create', '--name', 'Acme', '--country', 'DE', '--with-key'], env)
    expect(created, created.stderr).toMatchObject({ code: 0 })
  })

  test('nothing that a key or token opens is stored', async () => {
    const { id } = await given(battery())
    const open = await read(`/passport/${id}`, workspace.as)
    expect(open.headers.get('x-access-tier')).toBe('owner')
    const closed = await read(`/passport/${id}`)
    expect([closed.headers.get('x-access-tier'), closed.isHit]).toEqual(['public', false])
    expect(closed.text).not.toBe(open.text)
    expect((await read(`/passport/${id}?grant=dpp_li_wrong`)).isHit).toBe(false)
    expect((await read(`/passport/${id}?grant=dpp_li_wrong`)).isHit).toBe(false)
  })
})
