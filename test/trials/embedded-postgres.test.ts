import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/storage/embedded-postgres/index.ts'

const source = new URL('../../src/storage/embedded-postgres/', import.meta.url)
const installed = new URL('../../node_modules/', import.meta.url)
const children: ChildProcess[] = []
/** A folder with a new, stopped cluster. Copying it takes a tenth of the CPU of `initdb`. */
let newCluster: string
let root: string
let dataDir: string
let messages: string[]
let module: string

beforeAll(async () => {
  newCluster = await mkdtemp(join(tmpdir(), 'dpp-new-cluster-'))
  await chmod(newCluster, 0o711)
  await (await openEmbeddedPostgres({ dataDir: newCluster, log() {}, fast: true })).stop()
})
afterAll(() => rm(newCluster, { recursive: true, force: true }))

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'dpp-postgres-'))
  // mkdtemp sets 0700, and as root the server runs as another user; closed folders have their own tests.
  await chmod(root, 0o711)
  dataDir = join(root, 'data')
  messages = []
  module = new URL('index.ts', source).href
})

afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  const pid = await serverPid()
  if (pid !== undefined && serverRunsHere(await commandOf(pid))) {
    process.kill(pid, 'SIGQUIT')
    process.kill(pid, 'SIGCONT')
    await gone(pid)
  }
  await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
})

/** Copies a new cluster into the test's folder. */
async function givenCluster(): Promise<void> {
  await mkdir(dataDir)
  execFileSync('cp', ['-a', `${newCluster}/.`, dataDir])
}

const open = () => openEmbeddedPostgres({ dataDir, log: (message) => messages.push(message), fast: true })
const pidFile = () => join(dataDir, 'postgres', 'postmaster.pid')
const serverRunsHere = (command: string) => command.includes('postgres') && command.includes(dataDir)

async function serverPid(): Promise<number | undefined> {
  const text = await readFile(pidFile(), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : Number(text.split('\n')[0])
}

const commandOf = (pid: number) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')

async function gone(pid: number): Promise<void> {
  for (let tries = 0; tries < 100 && (await commandOf(pid)) !== ''; tries++) await sleep(50)
}

async function query<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Another process that opens the same cluster, runs `sql`, prints one line and stays. */
async function openInChild(sql = 'select 1'): Promise<{ child: ChildProcess; url: string; adopted: boolean }> {
  const script = `
    import pg from ${JSON.stringify(import.meta.resolve('pg'))}
    import { openEmbeddedPostgres } from ${JSON.stringify(module)}
    const { url, adopted } = await openEmbeddedPostgres({ dataDir: process.argv[1], log() {}, fast: true })
    const client = new pg.Client(url)
    await client.connect()
    await client.query(process.argv[2])
    await client.end()
    console.log(JSON.stringify({ url, adopted }))
    setInterval(() => {}, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir, sql], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, MASTER_KEY: 'canary' },
  })
  children.push(child)
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`The child exited with code ${code}.`))),
  ])
  return { child, ...JSON.parse(line as string) }
}

async function killHard(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

describe('openEmbeddedPostgres', () => {
  it('creates a UTF-8 cluster whose login role owns the database and is bound by row-level security', async () => {
    const server = await open()
    expect(server.adopted).toBe(false)
    expect(messages).toEqual([`Creating a PostgreSQL cluster in ${join(dataDir, 'postgres')}`])
    const rows = await query(
      server.url,
      `select rolname, rolsuper, rolbypassrls, rolcreaterole, datname, datdba = r.oid as is_owner, datlocale,
              pg_encoding_to_char(encoding) as encoding, current_setting('listen_addresses') as addresses
         from pg_roles r, pg_database where rolname = current_user and datname = current_database()`,
    )
    expect(rows).toEqual([
      {
        rolname: 'dpp_owner',
        rolsuper: false,
        rolbypassrls: false,
        rolcreaterole: true,
        datname: 'dpp',
        is_owner: true,
        datlocale: 'C.UTF-8',
        encoding: 'UTF8',
        addresses: '127.0.0.1',
      },
    ])
    await server.stop()
    expect(await serverPid()).toBeUndefined()
  })

  it('keeps the passwords from other users, and requires one', async () => {
    await givenCluster()
    const server = await open()
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
    const url = new URL(server.url)
    url.password = 'wrong'
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
    url.username = 'postgres'
    await expect(query(url.href, 'select 1')).rejects.toThrow('password authentication failed')
    await server.stop()
  })

  it('keeps the data over a restart', async () => {
    await givenCluster()
    const first = await open()
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    const second = await open()
    expect(second.adopted).toBe(false)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  it('gives further databases to the same role', async () => {
    await givenCluster()
    const server = await open()
    const url = await server.createDatabase('another one')
    expect(await server.createDatabase('another one')).toBe(url)
    expect(url).toBe(server.urlFor('another one'))
    expect(await query(url, 'select current_user, current_database()')).toEqual([
      { current_user: 'dpp_owner', current_database: 'another one' },
    ])
    await server.stop()
  })

  it('adopts the server of a process that was killed', async () => {
    await givenCluster()
    const orphaned = await openInChild('create table kept as select 42 as answer')
    expect(orphaned.adopted).toBe(false)
    await killHard(orphaned.child)
    const server = await open()
    expect(server.adopted).toBe(true)
    expect(server.url).toBe(orphaned.url)
    expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await server.stop()
    expect(await serverPid()).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('does not hand the secrets of the gateway to the server', async () => {
    await givenCluster()
    await openInChild()
    const environment = await readFile(`/proc/${await serverPid()}/environ`, 'utf8')
    expect(environment).toContain('PATH=')
    expect(environment).not.toContain('MASTER_KEY')
  })

  it('starts when the pid file names a dead process', async () => {
    await givenCluster()
    const first = await open()
    await query(first.url, 'set synchronous_commit = on; create table kept as select 42 as answer')
    const pid = (await serverPid()) as number
    process.kill(pid, 'SIGKILL')
    await gone(pid)
    expect(await serverPid()).toBe(pid)
    const second = await open()
    expect(second.adopted).toBe(false)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    await second.stop()
  })

  it('starts when the pid file names a process that is something else', async () => {
    await givenCluster()
    const first = await open()
    const text = await readFile(pidFile(), 'utf8')
    await first.stop()
    // The server's user counts: PostgreSQL takes any process of that user for another postmaster.
    const owner = await stat(join(dataDir, 'postgres'))
    const identity = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}
    const stranger = spawn('sleep', ['60'], { ...identity, cwd: '/' })
    children.push(stranger)
    await writeFile(pidFile(), text.replace(/^\d+/, String(stranger.pid)))
    const second = await open()
    expect(second.adopted).toBe(false)
    expect(stranger.exitCode).toBeNull()
    await second.stop()
  })

  it.runIf(process.platform === 'linux')(
    'replaces a server that hangs',
    async () => {
      await givenCluster()
      const orphaned = await openInChild('create table kept as select 42 as answer')
      const pid = (await serverPid()) as number
      process.kill(pid, 'SIGSTOP')
      await killHard(orphaned.child)
      const server = await open()
      expect(server.adopted).toBe(false)
      expect(messages).toEqual([`PostgreSQL (process ${pid}) does not respond; replacing it`])
      expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
      await server.stop()
    },
    60_000,
  )

  it('lets two processes create the same cluster concurrently', async () => {
    const [one, two] = await Promise.all([openInChild(), openInChild()])
    expect(one.url).toBe(two.url)
    expect([one.adopted, two.adopted].sort()).toEqual([false, true])
  })

  it('survives the death of a process that was just creating the cluster', async () => {
    const script = `(await import(${JSON.stringify(module)})).openEmbeddedPostgres({ dataDir: process.argv[1], log() {} })`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir], { stdio: 'ignore' })
    children.push(child)
    const halfMade = async () =>
      (await readdir(dataDir).catch(() => [])).find((name) => name.startsWith('postgres.tmp'))
    while (!existsSync(join(dataDir, (await halfMade()) ?? 'none', 'PG_VERSION'))) await sleep(5)
    await killHard(child)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    const server = await open()
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })

  it('leaves the server running for another process, and stops it after the last', async () => {
    await givenCluster()
    const one = await open()
    const two = await open()
    await one.stop()
    await one.stop()
    expect(await query(two.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await two.stop()
    expect(await serverPid()).toBeUndefined()
  })

  it('leaves the server running while another client is connected', async () => {
    await givenCluster()
    const server = await open()
    const client = new pg.Client(server.url)
    await client.connect()
    await server.stop()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    const again = await open()
    expect(again.adopted).toBe(true)
    await again.stop()
    expect(await serverPid()).toBeUndefined()
  })

  it('counts a process whose connection was cut as present again', async () => {
    await givenCluster()
    const staying: EmbeddedPostgres = await open()
    const superuser = new URL(staying.urlFor('postgres'))
    superuser.username = 'postgres'
    superuser.password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim()
    const cut = await query<{ pid: number }>(
      superuser.href,
      `select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dpp-gateway presence'`,
    )
    expect(cut).toHaveLength(1)
    const holders = `select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock' and granted`
    await expect
      .poll(() => query(superuser.href, `${holders} and pid <> ${cut[0]?.pid}`), { timeout: 10_000 })
      .toHaveLength(1)
    const passing = await open()
    await passing.stop()
    expect(await query(staying.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await staying.stop()
    expect(await serverPid()).toBeUndefined()
  })

  it('shows why the server did not start', async () => {
    await givenCluster()
    const opening = openEmbeddedPostgres({ dataDir, log() {}, settings: { shared_buffers: 'plenty' } })
    await expect(opening).rejects.toThrow(/PostgreSQL did not start .*invalid value for parameter "shared_buffers"/s)
  })

  describe('for root, in a folder that only root may enter', () => {
    const isRoot = process.getuid?.() === 0
    const capability = ['--inh-caps', '+dac_read_search', '--ambient-caps', '+dac_read_search']
    const isCapable = isRoot && spawnSync('setpriv', [...capability, 'true']).status === 0
    let closed: string

    beforeEach(async ({ skip }) => {
      skip(!isRoot, 'needs root')
      closed = join(root, 'closed')
      await mkdir(closed, { mode: 0o700 })
      dataDir = join(closed, 'data')
    })

    afterEach(() => {
      vi.unstubAllEnvs()
    })

    it('creates, restarts, adopts and stops a server, and leaves the folder closed', async ({ skip }) => {
      skip(!isCapable, 'needs setpriv and CAP_DAC_READ_SEARCH')
      const first = await open()
      await query(first.url, 'create table kept as select 42 as answer')
      await first.stop()
      expect(await serverPid()).toBeUndefined()
      const orphaned = await openInChild()
      expect(orphaned.adopted).toBe(false)
      await killHard(orphaned.child)
      const server = await open()
      expect(server.adopted).toBe(true)
      expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
      await server.stop()
      expect(await serverPid()).toBeUndefined()
      expect((await stat(closed)).mode & 0o777).toBe(0o700)
    })

    it('runs programs that lie there, too, as another user with one capability', async ({ skip }) => {
      skip(!isCapable, 'needs setpriv and CAP_DAC_READ_SEARCH')
      const modules = join(closed, 'node_modules')
      await mkdir(modules)
      for (const name of ['embedded-postgres', '@embedded-postgres']) {
        execFileSync('cp', ['-a', fileURLToPath(new URL(name, installed)), modules])
      }
      await symlink(new URL('pg', installed), join(modules, 'pg'))
      await cp(source, join(closed, 'source'), { recursive: true })
      module = pathToFileURL(join(closed, 'source', 'index.ts')).href
      const { url } = await openInChild()
      expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
      const pid = (await serverPid()) as number
      expect(await commandOf(pid)).toContain(modules)
      const status = await readFile(`/proc/${pid}/status`, 'utf8')
      const { uid } = await stat(join(dataDir, 'postgres'))
      expect(uid).not.toBe(0)
      expect(status).toContain(`Uid:\t${uid}\t${uid}\t${uid}\t${uid}\n`)
      const CAP_DAC_READ_SEARCH = 2
      for (const set of ['Inh', 'Prm', 'Eff', 'Amb']) {
        expect(status).toContain(`Cap${set}:\t${(1 << CAP_DAC_READ_SEARCH).toString(16).padStart(16, '0')}\n`)
      }
    })

    it('names the folder when setpriv does not help', async () => {
      const bin = join(root, 'bin')
      await mkdir(bin)
      await writeFile(join(bin, 'setpriv'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      vi.stubEnv('PATH', `${bin}:${process.env.PATH}`)
      await expect(open()).rejects.toThrow(
        new RegExp(`may not enter ${closed}, so it cannot store its data in ${dataDir}. Set DATA_DIR .* DATABASE_URL`),
      )
    })
  })
})
