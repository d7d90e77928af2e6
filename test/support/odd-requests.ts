import { expect } from 'vitest'
import type { Answer } from './contract-client.ts'
import type { TestGateway } from './gateway.ts'
import { type Call, givenSubjects, sampleCalls } from './sample-calls.ts'
import { servedContract } from './served-contract.ts'
import { testPlugins } from './test-plugins.ts'
import { useGateway } from './use-gateway.ts'

const AT_ONCE = 20
const TABLES = ['passport', 'operator', 'facility', 'passport_history', 'audit_inbox']

export const { document, operations } = await servedContract({ PLUGINS: testPlugins() })

export const withBody = [...operations.values()]
  .filter(({ bodyType }) => bodyType === 'application/json')
  .map(({ operationId }) => operationId)

/** Sends a request for each item, 20 concurrently: the gateway batches their credential lookups. */
export async function sendAll<Item>(items: readonly Item[], send: (item: Item) => Promise<Answer>) {
  const answers: (readonly [Item, Answer])[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    const some = items.slice(at, at + AT_ONCE)
    answers.push(...(await Promise.all(some.map(async (item) => [item, await send(item)] as const))))
  }
  return answers
}

/** Starts a gateway for requests that must change nothing. */
export async function useUnchangedGateway() {
  const { gateway, workspace } = await useGateway()
  // Keeps audit entries in the counted table.
  await gateway.container.cradle.auditChaining.stop()
  const subjects = await givenSubjects(gateway, workspace)
  let known = await storedBy(gateway, workspace.id)
  return {
    gateway,
    workspace,
    subjects,
    callOf(operationId: string): Call {
      const call = sampleCalls(subjects)[operationId]
      if (call === undefined) throw new Error(`test/support/sample-calls.ts has no call of ${operationId}.`)
      return call
    },
    /** Makes the present state the reference. */
    async allowChanges(): Promise<void> {
      known = await storedBy(gateway, workspace.id)
    },
    /** Checks that the workspace is unchanged since the last call of this function or of `allowChanges`. */
    async expectNothingStored(): Promise<void> {
      const before = known
      known = await storedBy(gateway, workspace.id)
      expect(known).toEqual(before)
    },
  }
}

/** Counts the rows of the workspace and reads the times of the last changes. */
async function storedBy(gateway: TestGateway, workspaceId: string): Promise<object> {
  // The gateway writes reads to the audit within a second.
  await gateway.container.cradle.protectedReadAudit.flush()
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`).join(', ')
  const changes = `(select max(updated_at) from passport) as changed, (select max(updated_at) from facility) as moved`
  const [row] = await gateway.sqlAs<Record<string, unknown>>(workspaceId, `select ${counts}, ${changes}`)
  return { ...row }
}
