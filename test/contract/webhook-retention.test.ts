import pg from 'pg'
import { expect, test } from 'vitest'
import { WEBHOOK_DAYS, WEBHOOK_RETENTION } from '../../src/webhooks/webhook-retention.ts'
import { runJob } from '../support/jobs.ts'
import { givenDelivery } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace } = await useGateway()

/**
 * Stores a delivery of an event of this age.
 * @returns its id
 */
async function given(days: number): Promise<string> {
  const { deliveryId } = await givenDelivery(gateway, workspace.id, { keepsOthers: true })
  await gateway.sqlAs(
    workspace.id,
    `update webhook_event set created_at = now() - $2 * interval '1 day'
     where id = (select event_id from webhook_delivery where id = $1)`,
    [deliveryId, days],
  )
  return deliveryId
}
const idsOf = async (table: string) =>
  (await gateway.sqlAs<{ id: string }>(workspace.id, `select id from ${table} order by id`)).map(({ id }) => id)

test('events that are too old are deleted with their deliveries, and younger ones stay', async () => {
  const young = [await given(0), await given(WEBHOOK_DAYS - 1)]
  await given(WEBHOOK_DAYS + 1)
  await given(400)
  await runJob(gateway, WEBHOOK_RETENTION)
  await expect.poll(() => idsOf('webhook_delivery'), { timeout: 25_000 }).toEqual(young.toSorted())
  expect(await idsOf('webhook_event')).toHaveLength(2)
  expect(await idsOf('webhook_subscription')).toHaveLength(4)
  const due = await gateway.sql('select cron from pgboss.schedule where name = $1', [WEBHOOK_RETENTION])
  expect(due).toEqual([{ cron: '37 3 * * *' }])
})

test('the deleting role cannot delete younger ones, nor see them', async () => {
  await given(WEBHOOK_DAYS - 1)
  const jobs = new pg.Client({ connectionString: gateway.urlOf('jobs') })
  await jobs.connect()
  expect((await jobs.query('select 1 from webhook_event')).rowCount).toBe(0)
  expect((await jobs.query('delete from webhook_event')).rowCount).toBe(0)
  for (const table of ['webhook_subscription', 'webhook_delivery']) {
    await expect(jobs.query(`select 1 from ${table}`)).rejects.toThrow('permission denied')
  }
  await jobs.end()
})
