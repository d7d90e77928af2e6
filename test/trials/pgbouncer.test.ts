import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ROLES } from '../../src/storage/database-roles.ts'
import {
  createWorkspace,
  newGtin,
  startTestGateway,
  superuserUrl,
  type TestGateway,
  type TestWorkspace,
  textile,
} from '../support/gateway.ts'
import { battery, expectStatus, passportClient } from '../support/passport-client.ts'
import { freePort } from '../support/process.ts'

// Behind PgBouncer each transaction of the application's and the lookup role may use another connection of PostgreSQL;
// the other roles use sessions. Before version 1.21 it does not support prepared statements.

const [, version] = /PgBouncer (\d+\.\d+)/.exec(String(spawnSync('pgbouncer', ['--version']).stdout)) ?? []

describe.skipIf(version === undefined)(`behind PgBouncer ${version ?? ', which is not installed'}`, () => {
  let direct: TestGateway
  let pooled: TestGateway
  const poolers: ChildProcess[] = []
  let folder: string
  let workspaces: TestWorkspace[]

  beforeAll(async () => {
    direct = await startTestGateway()
    folder = await mkdtemp(join(tmpdir(), 'dpp-pgbouncer-'))
    const port = await startPooler()
    const url = new URL(direct.databaseUrl)
    url.port = String(port)
    pooled = await startTestGateway({ DATABASE_URL: url.href })
    workspaces = await Promise.all([createWorkspace(pooled), createWorkspace(pooled), createWorkspace(pooled)])
  })
  afterAll(async () => {
    await pooled?.close()
    for (const pooler of poolers) {
      pooler.kill('SIGTERM')
      if (pooler.exitCode === null) await once(pooler, 'exit')
    }
    await direct?.close()
    await rm(folder, { recursive: true })
  })

  async function startPooler(mode = 'session'): Promise<number> {
    const { hostname, port, pathname, username, password } = new URL(direct.databaseUrl)
    const urls = [
      ...ROLES.map((role) => direct.urlOf(role)),
      await superuserUrl(direct.databaseUrl),
      direct.inspectorUrl,
    ]
    const logins = urls.map((url) => new URL(url).searchParams)
    const users = [
      [username, password].map(decodeURIComponent),
      ...logins.map((login) => [login.get('user') ?? '', login.get('password') ?? '']),
    ]
    const pooledUsers = logins.map((login) => login.get('user') ?? '').filter((name) => /^dpp_(app|lookup)/.test(name))
    const listenPort = await freePort()
    const file = join(folder, `pgbouncer-${mode}.ini`)
    await writeFile(
      file,
      `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[users]
${pooledUsers.map((name) => `${name} = pool_mode=transaction`).join('\n')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = ${mode}
default_pool_size = 3
`,
    )
    await writeFile(join(folder, 'users'), users.map(([name, secret]) => `"${name}" "${secret}"`).join('\n'))
    // It refuses to run as root.
    const isRoot = process.getuid?.() === 0
    if (isRoot)
      for (const name of ['', `pgbouncer-${mode}.ini`, 'users']) await chown(join(folder, name), 65_534, 65_534)
    await chmod(folder, 0o755)
    const pooler = spawn('pgbouncer', ['-q', file], {
      stdio: 'ignore',
      ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
    })
    await vi.waitFor(
      async () => {
        const client = new pg.Client({
          host: '127.0.0.1',
          port: listenPort,
          user: users[0]?.[0],
          database: pathname.slice(1),
        })
        await client.connect().finally(() => client.end().catch(() => {}))
      },
      { timeout: 10_000, interval: 50 },
    )
    poolers.push(pooler)
    return listenPort
  }

  test('many concurrent requests each use their own workspace, and keep it', async () => {
    const rounds = Array.from({ length: 60 }, (_, index) => workspaces[index % 3] as TestWorkspace)
    const answers = await Promise.all(
      rounds.map(async (workspace) => {
        const passports = passportClient(pooled, workspace.as)
        const created = await passports.create({ productId: newGtin(), metadata: battery() })
        const { id } = expectStatus(201, created).body.passport
        expectStatus(200, await passports.update(id, { metadata: battery({ modelIdentifier: 'M' }) }))
        expectStatus(200, await passports.seal(id))
        const { body } = expectStatus(200, await passports.get(id))
        expect(body.modelIdentifier).toBe('M')
        const { body: me } = await pooled.request('GET', '/api/v1/whoami', { headers: workspace.as })
        expect(me.tenant.id).toBe(workspace.id)
        return { workspace, id }
      }),
    )
    for (const workspace of workspaces) {
      const listed = await passportClient(pooled, workspace.as).list('?limit=100')
      const own = answers.filter((answer) => answer.workspace === workspace).map(({ id }) => id)
      expect(listed.body.passports.map(({ id }: { id: string }) => id).sort()).toEqual(own.sort())
    }
  })

  test('statements of one connection are prepared again on another, in transactions too', async () => {
    const [workspace] = workspaces as [TestWorkspace]
    const key = { ...workspace.as, 'idempotency-key': 'once' }
    const json = { productId: newGtin(), metadata: textile() }
    const send = () => pooled.request('POST', '/api/v1/passports', { headers: key, json })
    const first = expectStatus(201, await send())
    const again = expectStatus(201, await send())
    expect([again.headers['idempotent-replayed'], again.body]).toEqual(['true', first.body])
    expectStatus(409, await pooled.request('POST', '/api/v1/passports', { headers: workspace.as, json }))
  })

  test('review-3-scale S12: a pool by transaction for the owner ends the start with one sentence', async () => {
    const url = new URL(direct.databaseUrl)
    url.port = String(await startPooler('transaction'))
    await expect(startTestGateway({ DATABASE_URL: url.href })).rejects.toThrow(
      /^DATABASE_URL: a pooler shares connections of the user \w+ between sessions, .* set pool_mode = session/,
    )
  })

  test('a change by another process is noticed immediately', async () => {
    const [workspace] = workspaces as [TestWorkspace]
    const { id } = await passportClient(pooled, workspace.as).given({ metadata: textile() })
    for (let count = 0; count < 3; count += 1) await pooled.request('GET', `/passport/${id}`)
    expectStatus(200, await passportClient(direct, workspace.as).setStatus(id, 'RECALLED'))
    const status = async () => (await pooled.request('GET', `/passport/${id}`)).body.status
    await expect.poll(status, { timeout: 1000, interval: 10 }).toBe('RECALLED')
  })
})
