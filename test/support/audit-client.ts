import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll } from 'vitest'
import type { AuditEntry, ChainPlace } from '../../src/audit/audit-chain.ts'
import { PLATFORM, recordAudit } from '../../src/audit/audit-statements.ts'
import { superuserUrl } from './gateway.ts'
import { expectStatus } from './passport-client.ts'
import { useGateway } from './use-gateway.ts'

export async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const value of values) list.push(value)
  return list
}

export async function useAuditTrail() {
  const { gateway } = await useGateway()
  const { auditTrail, database } = gateway.container.cradle
  const superuser = new pg.Client({ connectionString: await superuserUrl(gateway.databaseUrl) })
  await superuser.connect()
  afterAll(() => superuser.end())

  const logOf = (headers: Record<string, string>, query = '') =>
    gateway.request('GET', `/api/v1/audit/log${query}`, { headers })
  const entriesOf = async (headers: Record<string, string>, query = ''): Promise<AuditEntry[]> =>
    expectStatus(200, await logOf(headers, query)).body.entries
  const verdictOf = async (workspaceId: string, noted: readonly ChainPlace[] = []) => {
    const [verdict] = await all(auditTrail.verify(workspaceId, noted))
    if (verdict === undefined) throw new Error('There is no verdict.')
    return verdict
  }
  const faultsOf = async (workspaceId: string, noted: readonly ChainPlace[] = []) =>
    (await verdictOf(workspaceId, noted)).faults.map(({ fault }) => fault)
  /** A workspace whose chain has `count` entries. */
  async function givenTrail(count: number): Promise<string> {
    const id = randomUUID()
    await superuser.query(
      `insert into workspace (id, name, legal_name, plan) values ($1, 'Trail', 'Trail', 'enterprise')`,
      [id],
    )
    for (let index = 1; index <= count; index += 1) {
      await database.transaction(id, async (tx) =>
        recordAudit(tx, PLATFORM, 'operator.created', `S-${index}`, {
          text: `ä"\\\n\u2028${index}`,
          b: [1, { z: 1, a: null }],
        }),
      )
    }
    await all(auditTrail.verify(id))
    return id
  }

  return { gateway, superuser, logOf, entriesOf, verdictOf, faultsOf, givenTrail }
}
