import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/start/config.ts'
import { openGateway } from '../../src/start/gateway.ts'
import { ROLES, roleName, urlAs } from '../../src/storage/database-roles.ts'
import { connected } from '../support/databases.ts'
import { createDatabase, MASTER_KEY, superuserUrl } from '../support/gateway.ts'
import { DENIED, outcome } from '../support/role-outcomes.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway } = await useGateway()

describe('one cluster', () => {
  test('serves two gateways with databases of two owners, started concurrently, and isolates them', async () => {
    const name = `owner_${randomBytes(4).toString('hex')}`
    const foreignUrl = await connected(await superuserUrl(gateway.databaseUrl), async (client) => {
      await client.query(`create role ${name} login createrole password 'p'`)
      await client.query(`create database ${name} owner ${name}`)
      return urlAs(gateway.databaseUrl.replace(/[^/]*$/, name), { name, password: 'p' })
    })
    const urls = [await createDatabase(), foreignUrl]
    const started = await Promise.all(
      urls.map((url) =>
        openGateway(loadConfig({ DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: 'silent' }), {
          report: () => {},
          isServer: true,
        }),
      ),
    )
    for (const { container } of started) {
      const { id } = await container.cradle.workspaces.create({ name: 'W', withKey: true })
      await container.cradle.workspaces.createSession({ workspaceId: id, user: 'u', role: 'AUDITOR', mfa: false })
      await container.cradle.database.ping()
    }
    const elsewhere = gateway.urlOf('app').replace(/\/[^/?]*\?/, `/${name}?`)
    await connected(elsewhere, async (client) => {
      for (const table of ['passport', 'workspace', 'node_key'])
        expect(await outcome(client, `select 1 from ${table}`)).toBe(DENIED)
    })
    await Promise.all(started.map(({ close }) => close()))
  })

  test('takes databases with names that are odd, or longer than a role name may be', async () => {
    const databases = ['a', 'b'].map((end) => `"100%" ${'lång-name '.repeat(3)}${randomBytes(2).toString('hex')}${end}`)
    const names = databases.flatMap((long) => ROLES.map((role) => roleName(role, long)))
    expect(new Set(names).size).toBe(names.length)
    for (const long of names) expect(Buffer.byteLength(long)).toBeLessThanOrEqual(63)
    const [long = ''] = databases
    await connected(await superuserUrl(gateway.databaseUrl), (client) =>
      client.query(`create database ${pg.escapeIdentifier(long)} owner dpp_owner`),
    )
    const url = gateway.databaseUrl.replace(/[^/]*$/, encodeURIComponent(long))
    const opened = await openGateway(loadConfig({ DATABASE_URL: url, MASTER_KEY, LOG_LEVEL: 'silent' }), {
      report: () => {},
      isServer: true,
    })
    await opened.container.cradle.database.ping()
    await opened.close()
  })
})
