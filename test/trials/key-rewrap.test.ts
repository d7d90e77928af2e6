import { createDecipheriv, hkdfSync, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openBackup, sealBackup } from '../../plugins/modules/backup/storage/file.ts'
import type { Cradle } from '../../plugins/modules/verify-all/cradle.ts'
import { loadConfig } from '../../src/start/config.ts'
import { openGateway } from '../../src/start/gateway.ts'
import { existingMasterKeysOf, masterKeysOf } from '../../src/start/master-key.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import {
  BASE_URL,
  createWorkspace,
  startTestGateway,
  superuserUrl,
  type TestGateway,
  type TestWorkspace,
} from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { dpp as run, startDpp } from '../support/process.ts'
import { webhookClient } from '../support/webhook-client.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const FORMER = Buffer.alloc(32, 0x31).toString('base64')
const NEW = Buffer.alloc(32, 0x32).toString('base64')
const BOTH = { MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: FORMER }
/** More than one transaction re-encrypts. */
const KEYS = 250
const POLLED = { timeout: 30_000 }

const databaseUrl = await createPreparedDatabase(FORMER)
const superuser = new pg.Client({ connectionString: await superuserUrl(databaseUrl) })
await superuser.connect()
const receiver = await startReceiver()
const open: TestGateway[] = []
const start = async (env: Record<string, string>) => {
  const started = await startTestGateway({ DATABASE_URL: databaseUrl, ...env })
  open.push(started)
  return started
}
const close = async (gateway: TestGateway) => {
  open.splice(open.indexOf(gateway), 1)
  await gateway.close()
}
afterAll(async () => {
  await Promise.all(open.map((gateway) => gateway.close()))
  await Promise.all([superuser.end(), receiver.close()])
})

const dpp = (env: Record<string, string>, ...args: string[]) =>
  run(args, { DATABASE_URL: databaseUrl, BASE_URL, NODE_NO_WARNINGS: '1', ...env })
const refusal = async (env: Record<string, string>): Promise<string> => {
  const config = loadConfig({ DATABASE_URL: databaseUrl, BASE_URL, LOG_LEVEL: 'silent', ...env })
  const opened = await openGateway(config, { report: () => {}, isServer: false }).catch((error: Error) => error)
  if (opened instanceof Error) return opened.message
  await opened.close()
  return 'none'
}

/** Decrypts with independent code. */
function opens(masterKey: string, info: string, [nonce, ciphertext]: readonly [Buffer, Buffer], aad: string): boolean {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', info, 32))
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 })
  decipher.setAAD(Buffer.from(aad)).setAuthTag(ciphertext.subarray(-16))
  decipher.update(ciphertext.subarray(0, -16))
  try {
    decipher.final()
    return true
  } catch {
    return false
  }
}

/** Secrets of each kind that a key decrypts. */
async function under(masterKey: string) {
  const keys = await superuser.query('select id, label, nonce, ciphertext from local_signing_key')
  const hooks = await superuser.query(
    `select id, tenant_id, unnest(array_remove(array[secret, former_secret], null)) as sealed from webhook_subscription`,
  )
  const mails = await superuser.query(`select data from pgboss.job where name = 'mail'`)
  const split = (sealed: Buffer) => [sealed.subarray(0, 12), sealed.subarray(12)] as const
  const secrets = 'dpp-gateway webhook secrets'
  return {
    keys: keys.rows.filter(({ id, label, nonce, ciphertext }) =>
      opens(masterKey, 'dpp-gateway signing keys', [nonce, ciphertext], `${id}\n${label}`),
    ).length,
    hooks: hooks.rows.filter((row) => opens(masterKey, secrets, split(row.sealed), `${row.tenant_id} ${row.id}`))
      .length,
    mails: mails.rows.filter(({ data: { sealed, kind, tenantId, grantId } }) =>
      opens(masterKey, secrets, split(Buffer.from(sealed, 'base64')), `${kind} ${tenantId} ${grantId}`),
    ).length,
  }
}

let workspace: TestWorkspace
let session: { cookie: string; csrf: string }
let sealedId: string
let working: TestGateway
let all: Awaited<ReturnType<typeof under>>

beforeAll(async () => {
  const first = await start({ MASTER_KEY: FORMER })
  workspace = await createWorkspace(first)
  const { cradle } = first.container
  const passports = passportClient(first, workspace.as)
  sealedId = (await passports.given()).id
  expectStatus(200, await passports.seal(sealedId))
  const webhooks = webhookClient(first, workspace.as)
  const { id } = await webhooks.given(receiver.url)
  const { secret } = expectStatus(200, await webhooks.rotate(id)).body.subscription
  receiver.verifyWith(secret)
  session = await cradle.workspaces.createSession({
    ...{ workspaceId: workspace.id, user: 'anna', role: 'BRAND_OPERATOR', mfa: false },
  })
  const data = { tenantId: workspace.id, grantId: randomUUID(), kind: 'approved' }
  const sealed = cradle.secretBox.seal('a token', `${data.kind} ${data.tenantId} ${data.grantId}`).toString('base64')
  await cradle.boss.send('mail', { ...data, sealed }, { startAfter: 86_400 })
  await Promise.all(Array.from({ length: KEYS }, (_, index) => cradle.signer.createKey(`more ${index}`)))
  all = await under(FORMER)
  expect(all).toEqual({ keys: expect.any(Number), hooks: 2, mails: 1 })

  // Next to a process started with the former key: neither locks the other out.
  working = await start(BOTH)
  await terminate()
  // A connection lost during a query is a 503; a process that is locked out gets only these.
  for (const gateway of [first, working]) {
    await vi.waitFor(async () => expectStatus(200, await passportClient(gateway, workspace.as).list()), POLLED)
  }
  // A gateway is recognised by its queue connection, which it reopens at its next poll.
  const atWork = `select distinct application_name from pg_stat_activity
    where datname = current_database() and usename like 'dpp\\_jobs\\_%' and application_name <> ''`
  await vi.waitFor(async () => expect((await superuser.query(atWork)).rows).toHaveLength(2), POLLED)
  const refused = await dpp(BOTH, 'key', 'rewrap')
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('still uses the previous MASTER_KEY'),
  })
  expect(await under(FORMER)).toEqual(all)
  await close(first)
}, 120_000)

/** Ends every connection, so that running processes must reconnect. */
const terminate = () =>
  superuser.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and usename like 'dpp_%' and pid <> pg_backend_pid()`)

test('the former key is needed, and the new one cannot start without it', async () => {
  expect(await dpp({ MASTER_KEY: NEW }, 'key', 'rewrap')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The previous key is missing. Set MASTER_KEY to the new key'),
  })
  expect(await refusal({ MASTER_KEY: NEW })).toContain(
    'set it as MASTER_KEY_PREVIOUS until dpp key rewrap has finished',
  )
})

describe('everything is re-encrypted while gateways work', () => {
  const failures: string[] = []
  let made = 0
  let isWriting = true
  let writer: Promise<void>

  beforeAll(async () => {
    const other = await start(BOTH)
    const write = async () => {
      for (let turn = 0; isWriting; turn += 1) {
        const gateway = turn % 2 === 0 ? working : other
        const passports = passportClient(gateway, workspace.as)
        const { id } = await passports.given()
        const sealed = await passports.seal(id)
        if (sealed.status !== 200) failures.push(`${sealed.status} ${sealed.text}`)
        if (turn % 10 === 0) await gateway.container.cradle.seals.rotateKeys(workspace.id, { actor: 'test' })
        made += 1
      }
    }
    writer = write().catch((error) => void failures.push(String(error)))
  })
  afterAll(async () => {
    isWriting = false
    await writer
  })

  test('killed halfway it has done half, and neither key alone is enough to start', { timeout: 120_000 }, async () => {
    await superuser.query('begin')
    await superuser.query('select 1 from local_signing_key order by created_at, id limit 1 for update')
    const killed = await startDpp(['key', 'rewrap'], { DATABASE_URL: databaseUrl, NODE_NO_WARNINGS: '1', ...BOTH })
    const isHalfDone = async () => {
      if (killed.process.exitCode !== null) throw new Error(killed.output())
      return (await under(NEW)).keys >= 200
    }
    await vi.waitUntil(isHalfDone, { timeout: 60_000, interval: 200 })
    await killed.end('SIGKILL')
    // An earlier request ends with its connection, which waits for the lock and does not notice the disconnect.
    await superuser.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dpp-gateway rewrap'`,
    )
    await superuser.query('rollback')
    expect((await under(FORMER)).keys).toBeGreaterThan(0)
    expect(await refusal({ MASTER_KEY: FORMER })).toContain('MASTER_KEY differs from the key of other processes')
    expect(await refusal({ MASTER_KEY: NEW })).toContain('as MASTER_KEY_PREVIOUS until dpp key rewrap has finished')
    expect(failures).toEqual([])
  })

  test('run again it does the rest, and counts it', { timeout: 120_000 }, async () => {
    const { code, stdout, stderr } = await dpp(BOTH, 'key', 'rewrap', '--json')
    expect([code, stderr]).toEqual([0, expect.stringContaining('mail: 1, of which 1 were')])
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      signingKeys: { rewrapped: expect.any(Number), shut: 0 },
      webhookSecrets: { count: 1, rewrapped: 1, shut: 0 },
      modules: { mail: { count: 1, rewrapped: 1, shut: 0 } },
      passwordsReplaced: false,
    })
    expect(report.signingKeys.rewrapped).toBeGreaterThan(0)
    const before = made
    await vi.waitUntil(() => made > before + 10, POLLED)
    isWriting = false
    await writer
    expect(failures).toEqual([])
    expect(await under(FORMER)).toEqual({ keys: 0, hooks: 0, mails: 0 })
    const now = await under(NEW)
    expect(now).toEqual({ ...all, keys: now.keys })
    expect(now.keys).toBeGreaterThan(all.keys)
  })

  test('running processes get new connections by the new passwords', { timeout: 60_000 }, async () => {
    await terminate()
    await vi.waitUntil(async () => (await passportClient(working, workspace.as).list()).status === 200, POLLED)
    const passports = passportClient(working, workspace.as)
    expectStatus(200, await passports.seal((await passports.given()).id))
  })
})

test('by the new key alone all seals and keys hold, and sealing, webhooks and sessions work', {
  timeout: 120_000,
}, async () => {
  for (const gateway of [...open]) await close(gateway)
  const gateway = await start({ MASTER_KEY: NEW })
  const wrong: unknown[] = []
  const kinds = new Set<string>()
  for await (const checked of (gateway.container.cradle as unknown as Cradle).installationCheck.all()) {
    kinds.add(checked.kind)
    if (checked.why !== undefined) wrong.push(checked)
  }
  expect([wrong, [...kinds]]).toEqual([[], expect.arrayContaining(['key', 'seal'])])
  const passports = passportClient(gateway, workspace.as)
  const payload = (await passports.get(sealedId)).body
  const { body } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
  expect(body.verified).toBe(true)
  const headers = { cookie: session.cookie, 'x-csrf-token': session.csrf }
  expect((await gateway.request('GET', '/api/v1/passports', { headers })).status).toBe(200)
  const { id } = await passports.given()
  expectStatus(200, await passports.seal(id))
  // The receiver verifies with the secret it received before.
  await vi.waitUntil(
    () => receiver.received.some(({ body }) => body.type === 'passport.sealed' && body.data?.id === id),
    POLLED,
  )
  expect(await refusal({ MASTER_KEY: FORMER })).toContain('MASTER_KEY differs from the key of other processes')
  await close(gateway)
  await vi.waitUntil(async () => {
    // Connections that a gateway could not close in time end with its process, which continues here.
    await terminate()
    return (await refusal({ MASTER_KEY: FORMER })).includes('set the new key as MASTER_KEY')
  }, POLLED)
  expect(await refusal({ MASTER_KEY: NEW })).toBe('none')
})

test('a backup of the former key is read in addition to the new one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-rewrap-'))
  try {
    const file = join(folder, 'backup')
    const head = { version: '1', createdAt: '2026-01-01T00:00:00.000Z', migrations: [] }
    const content = async function* () {
      yield Buffer.from('content')
    }
    const pieces: Buffer[] = []
    for await (const piece of sealBackup(head, FORMER, content())) pieces.push(piece)
    await writeFile(file, Buffer.concat(pieces))
    const plain: Buffer[] = []
    for await (const piece of (await openBackup(file, NEW, FORMER)).plain()) plain.push(piece)
    expect(Buffer.concat(plain).toString()).toBe('content')
    await expect(openBackup(file, NEW)).rejects.toThrow('or set that key as MASTER_KEY_PREVIOUS')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

test('in a folder the replaced key opens what it encrypted, next to the new one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'dpp-rewrap-'))
  try {
    const given = { dataDir, masterKey: undefined, masterKeyPrevious: undefined }
    await expect(existingMasterKeysOf(given)).rejects.toThrow('master.key is missing')
    const first = await masterKeysOf(given)
    expect(first.formerKey).toBeUndefined()
    await rename(join(dataDir, 'master.key'), join(dataDir, 'master.key.previous'))
    const second = await masterKeysOf(given)
    expect(second.formerKey).toBe(first.masterKey)
    expect(second.masterKey).not.toBe(first.masterKey)
    expect(`${second.masterKey}\n`).toBe(await readFile(join(dataDir, 'master.key'), 'utf8'))
    expect(await existingMasterKeysOf(given)).toEqual(second)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
