import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, expect, test } from 'vitest'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'

// The tables are on a separate file system, which another process fills.
const folder = await mkdtemp(join(tmpdir(), 'dpp-full-'))
const data = join(folder, 'data')
const tables = join(data, 'postgres', 'base')
const ballast = join(tables, 'of-a-stranger')
const env = { DATA_DIR: data, PORT: String(await freePort()), RATE_LIMITS: 'off', LOG_LEVEL: 'silent' }
let gateway: GatewayProcess | undefined
let isMounted = false

const mayMount = mounts()
if (!mayMount) console.log('full-disk.test.ts is skipped: only a user who may mount a file system can fill one.')

afterAll(async () => {
  await gateway?.end('SIGTERM')
  if (isMounted) execFileSync('umount', ['--lazy', tables])
  await rm(folder, { recursive: true, force: true })
})

function mounts(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder])
    return true
  } catch {
    return false
  }
}

async function start(): Promise<string> {
  gateway = await startProcess(env)
  const output = await gateway.printed('Stop with Ctrl-C')
  return `Bearer ${/dpp_key_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}/.exec(output)?.[0]}`
}

/** Moves the tables to a nearly full file system. */
async function moveTables(): Promise<void> {
  const before = join(folder, 'base')
  await rename(tables, before)
  await mkdir(tables)
  const [kilobytes] = execFileSync('du', ['-sk', before]).toString().split('\t')
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${Number(kilobytes) + 32 * 1024}k`, 'tmpfs', tables])
  isMounted = true
  execFileSync('cp', ['-a', `${before}/.`, tables])
}

async function fill(): Promise<void> {
  const zeros = function* () {
    for (;;) yield Buffer.alloc(65_536)
  }
  await expect(pipeline(Readable.from(zeros()), createWriteStream(ballast))).rejects.toMatchObject({ code: 'ENOSPC' })
}

interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they hold.
  readonly body: any
}

async function ask(path: string, headers: Record<string, string>, body?: object): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST'
  const answer = await fetch(`${gateway?.url}${path}`, {
    method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

test.skipIf(!mayMount)(
  'a full disk rejects writes temporarily; reads continue, and writes once there is space',
  {
    timeout: 240_000,
  },
  async () => {
    await preparedDataDir(data)
    await moveTables()
    const as = { authorization: await start() }
    const { facilities } = (await ask('/api/v1/facilities', as)).body
    let count = 0
    const create = () => {
      count += 1
      const metadata = { category: 'toys', originCountry: 'CZ', remarks: `${count} `.repeat(1500) }
      return ask('/api/v1/passports', as, { productId: `FULL-${count}`, facilityId: facilities[0].id, metadata })
    }
    const acknowledged: string[] = []
    const created = ({ status, body }: Answer) => {
      expect(status).toBe(201)
      acknowledged.push(body.passport.id)
    }
    created(await create())

    await fill()
    let refused: Answer | undefined
    // Free space in pages is used first.
    while (refused === undefined && count < 5000) {
      const answer = await create()
      if (answer.status === 201) created(answer)
      else refused = answer
    }
    expect(refused).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) })
    expect(refused?.body.message).not.toMatch(/disk|space|relation|base\//i)
    expect((await create()).status).toBe(503)
    for (const id of [acknowledged[0], acknowledged.at(-1)]) {
      const { status, body } = await ask(`/api/v1/passports/${id}`, as)
      expect([status, body.productId]).toEqual([200, expect.stringMatching(/^FULL-/)])
      expect((await fetch(`${gateway?.url}/passport/${id}`, { headers: { accept: 'text/html' } })).status).toBe(200)
    }
    expect((await ask('/health', {})).status).toBe(200)

    await rm(ballast)
    await expect.poll(async () => (await create()).status, { timeout: 30_000 }).toBe(201)
    for (const id of acknowledged) expect((await ask(`/api/v1/passports/${id}`, as)).status).toBe(200)
    expect(await gateway?.end('SIGTERM')).toBe(0)
  },
)
