import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createDatabase } from '../../../test/support/gateway.ts'
import { freePort, dpp as run } from '../../../test/support/process.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway } = await useGateway()
const env = {
  DATABASE_URL: gateway.databaseUrl,
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  BASE_URL: `http://localhost:${new URL(gateway.origin).port}`,
}

interface Finding {
  readonly check: string
  readonly state: string
  readonly message: string
}

/** Findings by check. */
async function examine(more: Record<string, string> = {}) {
  const { stdout, stderr, code } = await run(['doctor', '--json'], { ...env, ...more })
  expect(stderr).toBe('')
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] }
  expect(healthy).toBe(code === 0)
  return { code, found: Object.fromEntries(findings.map(({ check, ...rest }) => [check, rest])), text: stdout }
}

describe('dpp doctor', () => {
  test('finds nothing wrong with a gateway at work, and says so in lines', async () => {
    const { stdout, stderr, code } = await run(['doctor'], env)
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const states = stdout.split('\n').map((line) => line.split('\t').slice(0, 2).join(' '))
    expect(states).toEqual(
      expect.arrayContaining([
        'database ok',
        'connections ok',
        'clock ok',
        'schema ok',
        'roles ok',
        'signer ok',
        'queue ok',
        'gateway ok',
      ]),
    )
    expect(stdout).toContain('address\twarning\tBASE_URL is http://localhost:')
    expect(stdout.trimEnd()).toMatch(/\nNo errors, 1 warning\.$/)
  })

  test('warns of more connections than PostgreSQL admits', async () => {
    const { code, found } = await examine({ DATABASE_CONNECTIONS: '5000' })
    expect(code).toBe(0)
    expect(found.connections).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/Raise max_connections/),
    })
  })

  test('names a variable that cannot be read, and does not repeat what is secret in it', async () => {
    const { code, found, text } = await examine({ TSA_URL: 'https://user:hunter2@tsa.example' })
    expect(code).toBe(1)
    expect(found.variables).toEqual({
      state: 'wrong',
      message: 'Invalid TSA_URL: set an http or https address without credentials.',
    })
    expect(text).not.toContain('hunter2')
  })

  test('tells another MASTER_KEY from the one in use, and changes no password of a role', async () => {
    const { code, found } = await examine({ MASTER_KEY: Buffer.alloc(32, 8).toString('base64') })
    expect({ code, ...found['master key'] }).toEqual({
      code: 1,
      state: 'wrong',
      message: expect.stringMatching(/^MASTER_KEY is not the key of dpp_app_test_/),
    })
    expect((await examine()).code).toBe(0)
  })

  test('says why the database is not reached, without its password', async () => {
    const url = `postgres://gateway:hunter2@127.0.0.1:${await freePort()}/dpp`
    const { code, found, text } = await examine({ DATABASE_URL: url })
    expect({ code, ...found.database }).toEqual({
      code: 1,
      state: 'wrong',
      message: expect.stringContaining('Start the server, or correct host and port.'),
    })
    expect(text).not.toContain('hunter2')
  })

  test('leaves an empty database empty', async () => {
    const empty = await createDatabase()
    for (let times = 0; times < 2; times += 1) {
      const { code, found } = await examine({ DATABASE_URL: empty })
      expect({ code, ...found.schema }).toEqual({
        code: 0,
        state: 'warning',
        message: 'The database is empty. Start the gateway or run dpp migrate to create the schema.',
      })
    }
  })

  test('tells migrations that are to be made from those of a newer version', async () => {
    const [last] = await gateway.sql<{ name: string }>(
      `delete from dpp_migration where id = (select max(id) from dpp_migration) returning name`,
    )
    const name = String(last?.name)
    expect((await examine()).found.schema).toEqual({
      state: 'warning',
      message: `1 migrations are pending, such as ${name}. Start the gateway or run dpp migrate.`,
    })
    await gateway.sql('insert into dpp_migration (name) values ($1), ($2)', [name, 'of-tomorrow'])
    const { code, found } = await examine()
    await gateway.sql('delete from dpp_migration where name = $1', ['of-tomorrow'])
    expect({ code, ...found.schema }).toEqual({
      code: 1,
      state: 'wrong',
      message: expect.stringContaining('such as of-tomorrow. Run the version that created it'),
    })
  })

  test('reports a schema that was changed by hand', async () => {
    await gateway.sql('alter table passport add column added text')
    const { code, found } = await examine()
    await gateway.sql('alter table passport drop column added')
    expect({ code, ...found.schema }).toEqual({
      code: 1,
      state: 'wrong',
      message:
        'The schema was changed manually: Column passport.added is unknown. Revert the changes, or restore a backup.',
    })
  })

  /** Starts first: the check waits 5 s for a silent gateway. */
  const ofOthers = (async () => {
    const sockets: Socket[] = []
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as { port: number }
    const closed = await freePort()
    const result = await examine({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'passports@example.test',
      REDIS_URL: `redis://:hunter2@127.0.0.1:${closed}`,
      BASE_URL: `http://127.0.0.1:${port}`,
    })
    for (const socket of sockets) socket.destroy()
    silent.close()
    return { ...result, port, closed }
  })()

  test('says what of others is set up, and whether it is there', async () => {
    const { code, found, port, closed } = await ofOthers
    expect(code).toBe(1)
    expect(found.mail).toEqual({ state: 'ok', message: `127.0.0.1:${port} accepts connections.` })
    expect(found['shared limits']).toEqual({
      state: 'wrong',
      message: expect.stringMatching(
        new RegExp(`^REDIS_URL: 127\\.0\\.0\\.1:${closed} cannot be reached: .*ECONNREFUSED`),
      ),
    })
    expect(found.timestamps).toEqual({ state: 'skipped', message: 'Off: TSA_URL is not set.' })
    expect(found.gateway).toEqual({
      state: 'warning',
      message: expect.stringContaining('Start it, or correct the network route to it.'),
    })
  })
})
