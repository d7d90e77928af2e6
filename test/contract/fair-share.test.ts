import pg from 'pg'
import { expect, test } from 'vitest'
import { connectionShares } from '../../src/storage/connection-shares.ts'
import type { Answer } from '../support/contract-client.ts'
import { createWorkspace, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { useGateway } from '../support/use-gateway.ts'

// Long enough for a request to get a connection on a busy machine.
const { gateway, workspace: greedy } = await useGateway({}, { bounds: { connectionWait: 2000 } })
const other = await createWorkspace(gateway)
const WORKSPACE_CONNECTIONS = connectionShares(gateway.container.cradle.config).workspace

/** A test connection that sees rows of `greedy`, in a transaction that ends with it. */
async function transaction(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: gateway.inspectorUrl })
  await client.connect()
  await client.query('begin')
  await client.query(`select set_config('app.tenant', $1, true)`, [greedy.id])
  return client
}

const BULKS = 40
const ROWS = 20
const bulk = (number: number) =>
  gateway.request('POST', '/api/v1/passports/bulk', {
    headers: greedy.as,
    json: {
      passports: Array.from({ length: ROWS }, (_, row) => ({ productId: `B-${number}-${row}`, metadata: textile() })),
    },
  })

test('40 bulks of one workspace use half of the connections at most, and do not keep another waiting', async () => {
  const { database } = gateway.container.cradle
  const answers: Answer[] = []
  const connections = new Set<number>()
  let isDone = false
  const watch = () => {
    connections.add(database.connectionsOf(greedy.id))
    if (!isDone) setImmediate(watch)
  }
  watch()
  // Every passport references the row of its workspace: while it is locked no bulk can finish.
  const holder = await transaction()
  await holder.query('select 1 from workspace where id = $1 for update', [greedy.id])
  const bulks = Array.from({ length: BULKS }, (_, number) => bulk(number).then((answer) => answers.push(answer)))
  await expect.poll(() => database.connectionsOf(greedy.id)).toBe(WORKSPACE_CONNECTIONS)
  expect((await passportClient(gateway, other.as).create({ productId: 'OTHER', metadata: textile() })).status).toBe(201)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(0)
  // Connections by the server: those of `greedy`, and the remainder.
  const [busy] = await gateway.sql<{ count: number }>(
    `select count(*)::int from pg_stat_activity
     where datname = current_database() and usename like 'dpp\\_app%' and state <> 'idle'`,
  )
  expect(busy?.count).toBeLessThanOrEqual(WORKSPACE_CONNECTIONS + 1)
  await holder.end()
  await Promise.all(bulks)
  isDone = true
  expect(Math.max(...connections)).toBe(WORKSPACE_CONNECTIONS)
  for (const { status, text } of answers) expect([201, 503], text).toContain(status)
  const served = answers.filter(({ status }) => status === 201).length
  expect(served).toBeGreaterThan(0)
  const [row] = await gateway.sqlAs<{ count: number }>(
    greedy.id,
    'select count(*)::int from passport where tenant_id = $1',
    [greedy.id],
  )
  expect(row?.count).toBe(served * ROWS)
  await expect.poll(() => database.connectionsOf(greedy.id)).toBe(0)
})

test('a workspace with waiting connections is asked to retry, and another is served meanwhile', async () => {
  const { database } = gateway.container.cradle
  const passports = passportClient(gateway, greedy.as)
  const { id } = await passports.given()
  const holder = await transaction()
  await holder.query('select 1 from passport where id = $1 for update', [id])
  const waiting = Array.from({ length: WORKSPACE_CONNECTIONS }, () => passports.update(id, { metadata: textile() }))
  await expect.poll(() => database.connectionsOf(greedy.id)).toBe(WORKSPACE_CONNECTIONS)
  const refused = passports.get(id)
  expect((await passportClient(gateway, other.as).create({ productId: 'MEANWHILE', metadata: textile() })).status).toBe(
    201,
  )
  const { status, headers, body } = await refused
  expect([status, headers['retry-after']]).toEqual([503, '2'])
  expect(body).toMatchObject({ success: false, error: 'Service Unavailable' })
  await holder.end()
  for (const answer of await Promise.all(waiting)) expect([answer.status, answer.text]).toEqual([200, answer.text])
  expect((await passports.get(id)).status).toBe(200)
})
