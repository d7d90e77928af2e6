import { execFileSync } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PluginError } from '../../src/plugin/locate.ts'
import { ROOT } from '../../src/root.ts'
import { ConfigError, loadConfig } from '../../src/start/config.ts'
import { startGateway } from '../../src/start/gateway.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import { createDatabase, createWorkspace, MASTER_KEY, startTestGateway, superuserUrl } from '../support/gateway.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { dpp, freePort, type GatewayProcess, paste, startProcess } from '../support/process.ts'

let dataDir: string
let gateway: GatewayProcess
let env: Record<string, string>
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dpp-start-up-'))
  env = { DATA_DIR: dataDir, PORT: String(await freePort()), RATE_LIMITS: 'off', LOG_LEVEL: 'trace' }
  gateway = await startProcess(env)
  await gateway.printed('Stop with Ctrl-C')
  key = KEY.exec(gateway.output())?.[0] ?? ''
})
afterAll(async () => {
  await gateway.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

const KEY = /dpp_key_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}/
const commands = () =>
  gateway
    .output()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '))

describe('npm start on an empty folder', () => {
  test('prints a tour whose every line works when pasted', async () => {
    const [read, create, seal, batteries, ...more] = commands()
    expect(more).toEqual([])
    expect(JSON.parse(await paste(read ?? '')).proof.merkleRoot).toMatch(/^[0-9a-f]{64}$/)
    const exported = gateway
      .output()
      .split('\n')
      .find((line) => line.trim().startsWith('export KEY='))
    expect(exported).toContain(key)
    const withKey = (command = '') => paste(`${exported}; ${command}`)
    expect(JSON.parse(await withKey(create))).toMatchObject({ success: true, passport: { productId: 'TOUR-1' } })
    expect(JSON.parse(await withKey(seal))).toMatchObject({ success: true, passport: { productId: 'TOUR-1' } })
    expect(JSON.parse(await withKey(batteries))).toMatchObject({ success: true, total: 5 })
    const page = /(http:\S+)\s+\(open it in a browser\)/.exec(gateway.output())?.[1] ?? ''
    const html = await (await fetch(page, { headers: { accept: 'text/html' } })).text()
    expect(html).toContain('Nordlicht Drive 64')
  })

  test('shows a seal that openssl accepts', async () => {
    const passport = JSON.parse(await paste(commands()[0] ?? ''))
    const folder = await mkdtemp(join(tmpdir(), 'dpp-openssl-'))
    await writeFile(join(folder, 'key.pem'), `${passport.proof.publicKeyPem}\n`)
    await writeFile(join(folder, 'seal.der'), Buffer.from(passport.digitalSeal, 'base64'))
    await writeFile(join(folder, 'root.txt'), passport.proof.merkleRoot)
    const verdict = execFileSync(
      'openssl',
      ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'seal.der', 'root.txt'],
      { cwd: folder },
    )
    expect(verdict.toString()).toContain('Verified OK')
    await rm(folder, { recursive: true })
  })

  test('prints the key once, and in no line of the log at any level', async () => {
    await fetch(`${gateway.url}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })
    const lines = gateway.output().split('\n')
    expect(lines.filter((line) => line.startsWith('{')).length).toBeGreaterThan(0)
    expect(lines.filter((line) => line.includes(key))).toEqual([`    export KEY=${key}`])
  })

  test('keeps the master key readable for its owner only', async () => {
    expect((await stat(join(dataDir, 'master.key'))).mode & 0o777).toBe(0o600)
    expect(Buffer.from(await readFile(join(dataDir, 'master.key'), 'utf8'), 'base64')).toHaveLength(32)
  })

  test('makes two operators, a facility and a battery, a textile and a draft electronics passport', async () => {
    const get = async (path: string) =>
      (await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<
        Record<string, never>
      >
    expect(await get('/api/v1/operators')).toMatchObject({ count: 2 })
    expect(await get('/api/v1/facilities')).toMatchObject({ count: 1 })
    const { passports } = (await get('/api/v1/passports')) as unknown as {
      passports: { category: string; status: string; digitalSeal: unknown }[]
    }
    const of = (category: string) => passports.find((passport) => passport.category === category)
    expect(of('batteries')).toMatchObject({ status: 'ACTIVE', digitalSeal: expect.any(String) })
    expect(of('electronics')).toMatchObject({ status: 'DRAFT' })
  })

  test('makes batteries with a year of measurements: one was made of another, and one was recycled', async () => {
    interface Answered {
      readonly units: { readonly id: string; readonly serialNumber: string }[]
      readonly dynamicData: { readonly recordedAt: string }[]
      readonly currentState: object
      readonly batteryStatus: string
    }
    const get = async (path: string): Promise<Answered> => {
      const answer = await fetch(`${gateway.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
      return answer.json() as Promise<Answered>
    }
    const { units } = await get('passports/09506000134352/units')
    const of = async (serial: string) => {
      const unit = units.find(({ serialNumber }) => serialNumber === serial)
      return { unit, document: await get(`units/${unit?.id}`) }
    }
    const inUse = (await of('ND64-00417')).document
    const times = inUse.dynamicData.map(({ recordedAt }) => Date.parse(recordedAt))
    expect(times).toHaveLength(55)
    expect(Math.round((Math.max(...times) - Math.min(...times)) / 86_400_000)).toBe(371)
    expect(inUse.currentState).toMatchObject({ stateOfHealth: expect.closeTo(97.4, 0), cycleCount: 262 })
    expect(inUse).toMatchObject({
      batteryStatus: 'original',
      condition: { negativeEvents: { value: [{ kind: 'deep-discharge' }] } },
      valuesAtStatusChanges: [
        { batteryStatus: 'original', values: { ratedCapacityAh: 180, expectedLifetimeYears: 15 } },
      ],
    })
    const [first, second] = [await of('ND64-00102'), await of('ND64-R0102')]
    expect(first.unit).toMatchObject({ status: 'REPURPOSED', ceasedAt: null })
    expect(second.unit).toMatchObject({ status: 'IN_SERVICE', predecessorUnitId: first.unit?.id })
    expect(second.document).toMatchObject({ batteryStatus: 'repurposed' })
    expect((await of('ND64-00007')).unit).toMatchObject({ status: 'RECYCLED', ceasedAt: expect.any(String) })
  })

  test('makes a battery, and units of it, of which the report on completeness finds nothing missing', async () => {
    const address = `${gateway.url}/api/v1/passports/09506000134352/completeness`
    const report = await (await fetch(address, { headers: { authorization: `Bearer ${key}` } })).json()
    expect(report).toMatchObject({
      kind: 'ev',
      isComplete: true,
      missing: [],
      // One of the five is recycled.
      units: { total: 5, examined: 4, incomplete: 0 },
    })
    expect(report).toHaveProperty('counts.mandatory.due', expect.any(Number))
    const { mandatory, conditional, pending } = (report as { counts: Record<string, { due: number }> }).counts
    for (const count of [mandatory, conditional, pending]) expect(count?.due).toBeGreaterThan(3)
  })

  test('prints a link that shows the year of one of them', async () => {
    const [, link = ''] = /^ +(http:\S+\?grant=dpp_li_\w+)$/m.exec(gateway.output()) ?? []
    const page = await fetch(link.replace(/^http:..[^/]+/, gateway.url), { headers: { accept: 'text/html' } })
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('ND64-00417')
    expect(text.match(/<svg class="plot/g)?.length ?? 0).toBeGreaterThanOrEqual(3)
  })

  test('works next to the command line, with immediate effect', async () => {
    const workspace = JSON.parse((await dpp(['workspace', 'create', '--name', 'Beside', '--json'], env)).stdout)
    const created = JSON.parse(
      (await dpp(['key', 'create', '--workspace', workspace.id, '--role', 'AUDITOR', '--json'], env)).stdout,
    )
    const whoami = () => fetch(`${gateway.url}/api/v1/whoami`, { headers: { authorization: `Bearer ${created.key}` } })
    expect((await whoami()).status).toBe(200)
    expect(await dpp(['key', 'revoke', created.id], env)).toMatchObject({ code: 0 })
    expect((await whoami()).status).toBe(401)
  })
})

describe('kill -9', () => {
  test('loses no acknowledged write, and the next start prints the tour without the key, which still works', async () => {
    const before = key
    const created = await fetch(`${gateway.url}/api/v1/passports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${before}`, 'content-type': 'application/json' },
      body: JSON.stringify({ productId: 'SURVIVOR', metadata: { category: 'toys', originCountry: 'CZ' } }),
    })
    expect(created.status).toBe(201)
    await gateway.end('SIGKILL')
    // Written by an earlier version.
    await writeFile(join(dataDir, 'demo.json'), JSON.stringify({ key: before, batteryGtin: '09506000134352' }))
    gateway = await startProcess(env)
    await gateway.printed('Stop with Ctrl-C')
    expect(gateway.output()).not.toMatch(KEY)
    const lines = gateway.output().match(/^ +export .*$/gm) ?? []
    const made = await paste(`${lines.join('\n')}\necho $BASE $KEY`, env)
    expect(made).toMatch(new RegExp(`^${gateway.url} ${KEY.source}\n$`))
    const again = await fetch(`${gateway.url}/api/v1/operators`, {
      headers: { authorization: `Bearer ${KEY.exec(made)?.[0]}` },
    })
    expect(await again.json()).toMatchObject({ count: 2 })
    const found = await fetch(`${gateway.url}/api/v1/passports/SURVIVOR`, {
      headers: { authorization: `Bearer ${before}` },
    })
    expect(await found.json()).toMatchObject({ productId: 'SURVIVOR', category: 'toys' })
  })
})

describe('the demo', () => {
  test('is completed by the next start if the process is stopped meanwhile, without an error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-demo-'))
    try {
      await preparedDataDir(folder)
      const stopped = await startProcess({ DATA_DIR: folder })
      await stopped.printed('Creating the demo workspace')
      expect(await stopped.end('SIGTERM')).toBe(0)
      expect(stopped.output()).not.toMatch(/Error|^ +at /m)
      const next = await startProcess({ DATA_DIR: folder })
      expect(await next.printed('Stop with Ctrl-C')).toMatch(KEY)
      expect(await next.end('SIGTERM')).toBe(0)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('is not made without a module that creates it, which the start says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-no-demo-'))
    try {
      await preparedDataDir(folder)
      const PLUGINS = ['categories', 'representations', 'signers'].map((name) => join(ROOT, 'plugins', name)).join()
      const started = await startProcess({ DATA_DIR: folder, PLUGINS })
      expect(await started.printed('No demo workspace')).not.toMatch(KEY)
      expect(await started.end('SIGTERM')).toBe(0)
      expect((await readdir(folder)).filter((name) => name.startsWith('demo'))).toEqual([])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('has a key that ends, and of which nothing is kept but what every key has', async () => {
    const [shown] = JSON.parse((await dpp(['key', 'list', '--json'], env)).stdout).keys ?? []
    const days = (Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)) / 86_400_000
    expect([shown.name, Math.round(days)]).toEqual(['demo', 30])
    expect(await readFile(join(dataDir, 'demo.json'), 'utf8')).not.toMatch(KEY)
  })

  test.each([
    [{}, true],
    [{ HOST: '127.0.0.1' }, true],
    [{ HOST: '127.8.9.10' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '::' }, false],
    [{ HOST: '192.168.1.10' }, false],
    [{ HOST: '127.0.0.1.example.com' }, false],
    [{ HOST: '0.0.0.0', DEMO: 'on' }, true],
    [{ HOST: '127.0.0.1', DEMO: 'off' }, false],
    [{ DATABASE_URL: 'postgres://u@h/d', MASTER_KEY: Buffer.alloc(32).toString('base64') }, false],
  ] as [Record<string, string>, boolean][])(
    'is made where only this machine can reach it: %j %s',
    (variables, isMade) => {
      expect(loadConfig(variables).demo).toBe(isMade)
    },
  )
})

/** Message of a failed start. Runs in this process: starting one takes seconds and prints the same. */
async function refusal(env: Record<string, string>): Promise<string> {
  let error: unknown
  try {
    const started = await startGateway(loadConfig({ PORT: '0', LOG_LEVEL: 'fatal', ...env }), () => {})
    await started.close()
  } catch (reason) {
    error = reason
  }
  if (!(error instanceof ConfigError || error instanceof PluginError)) throw error ?? new Error('It has started.')
  expect(error.message).not.toContain('\n')
  return error.message
}

describe('failures of the start', () => {
  test('is printed in one line, with exit code 1', async () => {
    const started = await startProcess({ DATA_DIR: dataDir, PORT: env.PORT ?? '' })
    const code = await new Promise((resolve) => started.process.once('exit', resolve))
    // Lines outside the log.
    const lines = started.output().match(/^[^{].*$/gm)
    expect([code, lines]).toEqual([1, [expect.stringMatching(/^dpp-gateway cannot start\. PORT: \d+ .* is in use/)]])
  })

  test.each([
    [
      'DATABASE_URL without MASTER_KEY',
      () => ({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
      /without MASTER_KEY/,
    ],
    ['a short MASTER_KEY', () => ({ MASTER_KEY: 'c2hvcnQ=' }), /Invalid MASTER_KEY: set 32 bytes in Base64/],
    [
      'a plugin that is not there',
      () => ({ PLUGINS: 'plugins,./no-such-plugin' }),
      /"\.\/no-such-plugin" is neither a folder .* nor an installed package/,
    ],
    ['no signer', () => ({ PLUGINS: 'plugins/representations' }), /unknown signer "local"/],
    ['trust in every proxy', () => ({ TRUST_PROXY: 'true' }), /Invalid TRUST_PROXY "true"/],
    [
      'trust in no address',
      () => ({ TRUST_PROXY: '10.0.0.0/8, gateway' }),
      /Invalid TRUST_PROXY "10.0.0.0\/8, gateway"/,
    ],
    [
      'a strange BASE_URL',
      () => ({ BASE_URL: 'ftp://x' }),
      /Invalid BASE_URL "ftp:\/\/x": set an http or https address/,
    ],
    ['an origin that is none', () => ({ CORS_ORIGINS: 'app.example' }), /Invalid CORS_ORIGINS entry "app.example"/],
    [
      'an endless goodbye',
      () => ({ DRAIN_SECONDS: '601' }),
      /Invalid DRAIN_SECONDS "601": set an integer from 0 to 600/,
    ],
    [
      'an address of another machine',
      () => ({ HOST: '192.0.2.1' }),
      /HOST: 192\.0\.2\.1 is not an address of this machine\. Set/,
    ],
    [
      'a folder that cannot be written, as in a container without DATABASE_URL',
      () => ({ DATA_DIR: '/dev/null/data' }),
      /DATA_DIR: \/dev\/null\/data cannot be written \(ENOTDIR\)\. Set DATABASE_URL and MASTER_KEY to use a PostgreSQL server/,
    ],
  ])('%s is said in one line', async (_, variables, message) => {
    expect(await refusal({ DATA_DIR: dataDir, ...variables() })).toMatch(message)
  })

  test.skipIf(process.getuid?.() === 0)('a folder of another user is reported in one line', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dpp-closed-'))
    await chmod(folder, 0o500)
    for (const DATA_DIR of [folder, join(folder, 'data')]) {
      expect(await refusal({ DATA_DIR })).toContain(`DATA_DIR: ${DATA_DIR} cannot be written (EACCES).`)
    }
    await rm(folder, { recursive: true })
  })
})

describe('a database that cannot be used is named in one line, with what to do, and without its password', () => {
  const other = Buffer.alloc(32, 8).toString('base64')
  let url: URL
  let superuser: pg.Client

  beforeAll(async () => {
    url = new URL(await createPreparedDatabase(MASTER_KEY))
    superuser = new pg.Client({ connectionString: await superuserUrl(url.href) })
    await superuser.connect()
  })
  afterAll(() => superuser.end())

  async function refusalBy(DATABASE_URL: string, key = MASTER_KEY): Promise<string> {
    const refusalText = await refusal({ DATABASE_URL, MASTER_KEY: key })
    const { password } = URL.canParse(DATABASE_URL) ? new URL(DATABASE_URL) : { password: 'secret' }
    if (password !== '') expect(refusalText).not.toContain(password)
    expect(refusalText).not.toContain(key)
    return refusalText
  }
  const changed = (change: (url: URL) => void) => {
    const copy = new URL(url)
    change(copy)
    return copy.href
  }
  const ways: Record<string, [() => string, RegExp]> = {
    'nobody listens': [
      () =>
        changed((url) => {
          url.port = '1'
        }),
      /127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.* Start the server/,
    ],
    'no such host': [
      () =>
        changed((url) => {
          url.hostname = 'nowhere.invalid'
        }),
      /nowhere\.invalid:\d+ cannot be reached: .* Correct the host/,
    ],
    'a wrong password': [
      () =>
        changed((url) => {
          url.password = 'wr0ng-pa55'
        }),
      /password authentication failed for user .* Correct user and password/,
    ],
    'no password': [
      () =>
        changed((url) => {
          url.password = ''
        }),
      /Add the password to the address: postgres:\/\/user:password@host/,
    ],
    'no such user': [
      () =>
        changed((url) => {
          url.username = 'nobody'
        }),
      /password authentication failed for user "nobody"\. Correct/,
    ],
    'no such database': [
      () =>
        changed((url) => {
          url.pathname = '/none'
        }),
      /database "none" does not exist\. Create the database/,
    ],
    'a password that is not encoded': [() => 'postgres://u:secret#1@127.0.0.1/d', /Invalid URL\. Percent-encode/],
  }

  test.each(Object.keys(ways))('%s', async (name) => {
    const [address, message] = ways[name] as (typeof ways)[string]
    const refusalText = await refusalBy(address())
    expect(refusalText).toMatch(/DATABASE_URL: PostgreSQL at /)
    expect(refusalText).toMatch(message)
  })

  test('a user that does not own the database', async () => {
    // Own database: its roles belong to their creator.
    const foreign = new URL(await createDatabase())
    const guest = `guest_${foreign.pathname.slice(1)}`
    await superuser.query(`create role ${guest} login createrole password 'guest-pass'`)
    foreign.username = guest
    foreign.password = 'guest-pass'
    const refusalText = await refusalBy(foreign.href)
    expect(refusalText).toMatch(
      /DATABASE_URL: its user lacks a privilege .* As a superuser run: (?:alter database|alter role|grant)/,
    )
  })

  test('another MASTER_KEY, next to processes with theirs and after them', { timeout: 120_000 }, async () => {
    const running = await startTestGateway({ DATABASE_URL: url.href })
    await createWorkspace(running)
    const beside = await refusalBy(url.href, other)
    expect(beside).toContain('MASTER_KEY differs from the key of other processes on this database.')
    await running.close()
    expect(await refusalBy(url.href, other)).toContain('MASTER_KEY does not decrypt any signing key in this database')
    const again = await startTestGateway({ DATABASE_URL: url.href })
    expect((await createWorkspace(again)).key).toMatch(KEY)
    await again.close()
  })
})

describe('a master.key that was there before', () => {
  let folder: string
  const file = () => join(folder, 'master.key')
  const key = `${Buffer.alloc(32, 5).toString('base64')}\n`

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpp-master-key-'))
    await chmod(folder, 0o711)
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  async function outputOfCommand(): Promise<string> {
    const { code, stderr } = await dpp(['key', 'list'], { DATA_DIR: folder })
    expect(code).not.toBe(0)
    expect(stderr).not.toMatch(/\n\s+at /)
    return stderr
  }

  test('is rejected if others may read it, with the command that fixes it', async () => {
    for (const mode of [0o640, 0o604]) {
      await writeFile(file(), key)
      await chmod(file(), mode)
      const refusalText = await outputOfCommand()
      expect(refusalText).toContain(`chmod 600 ${file()}`)
      expect(refusalText).not.toContain(key.trim())
    }
    expect(await readdir(folder)).toEqual(['master.key'])
  })

  test.skipIf(process.getuid?.() !== 0)('is rejected if another user created it', async () => {
    await writeFile(file(), key, { mode: 0o600 })
    await chown(file(), 4711, 4711)
    expect(await outputOfCommand()).toContain(
      `belongs to user 4711 and is not trusted. If it is yours, run: chown 0 ${file()}`,
    )
  })

  test('and the password of PostgreSQL are held to the same', async () => {
    await writeFile(join(folder, 'postgres.password'), 'secret\n')
    await chmod(join(folder, 'postgres.password'), 0o644)
    const { code, stderr } = await dpp(['key', 'list'], { DATA_DIR: folder })
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('chmod 600')])
    expect(code).not.toBe(0)
  })
})

test('SIGTERM stops the gateway and its PostgreSQL, with exit code 0', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dpp-stop-'))
  await preparedDataDir(folder)
  const stopped = await startProcess({ DATA_DIR: folder, DEMO: 'off' })
  await stopped.printed('is ready at')
  expect(stopped.output()).not.toContain('export KEY')
  // Without a demo there is no timestamp authority.
  expect((await readdir(folder)).filter((name) => name.startsWith('demo'))).toEqual([])
  expect(await stopped.end('SIGTERM')).toBe(0)
  await expect(stat(join(folder, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
  await rm(folder, { recursive: true, force: true })
})
