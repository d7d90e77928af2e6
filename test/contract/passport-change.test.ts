import { afterAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/contract-client.ts'
import { createPreparedDatabase } from '../support/databases.ts'
import { MASTER_KEY, newGtin, textile } from '../support/gateway.ts'
import { type ChangeKind, usePassportChanges } from '../support/passport-changes.ts'
import { eventsOf, expectStatus } from '../support/passport-client.ts'
import { openWire } from '../support/statements.ts'

// Effects of a change: history, version, public responses, event and cache eviction. Failed changes:
// passport-change-faults.test.ts.

const wire = await openWire(await createPreparedDatabase(MASTER_KEY))
afterAll(() => wire.close())
const { gateway, workspace, passports, post, plainKinds, sealKinds, served, cached, takeEvicted } =
  await usePassportChanges({
    DATABASE_URL: wire.url,
  })

const uuid = (answer: Answer): string => answer.body.passport?.id ?? answer.body.passportId

const versionOf = async (id: string): Promise<number> => {
  const [row] = await gateway.sqlAs<{ version: number }>(workspace.id, 'select version from passport where id = $1', [
    id,
  ])
  return row?.version ?? 0
}
const productIdOf = async (id: string) => {
  const [row] = await gateway.sqlAs<{ id: string }>(
    workspace.id,
    'select product_id as id from passport where id = $1',
    [id],
  )
  return row?.id
}
const reasonsOf = async (id: string): Promise<string[]> => {
  const rows = await gateway.sqlAs<{ change_reason: string }>(
    workspace.id,
    'select change_reason from passport_history where passport_id = $1 order by version',
    [id],
  )
  return rows.map(({ change_reason }) => change_reason)
}

describe('effects of a change', () => {
  test.each(Object.entries({ ...plainKinds, ...sealKinds }))(
    '%s',
    async (_, { given, reasons = [], events, evicts, moves }) => {
      const { id: known, act } = await given()
      await cached(known)
      const before = known === undefined ? 0 : await versionOf(known)
      const publishedEvents = known === undefined ? [] : await eventsOf(gateway, known)
      takeEvicted()
      const answer = await act()
      expect(answer.status, answer.text).toBeLessThan(300)
      const id = known ?? uuid(answer)
      expect(takeEvicted()).toContain({ id, product: await productIdOf(id), everything: 'everything' }[evicts])
      expect(await versionOf(id)).toBe(before + moves)
      expect(await reasonsOf(id)).toEqual(reasons)
      // Events of one change are unordered.
      const all = await eventsOf(gateway, id)
      expect([...all.slice(0, publishedEvents.length), ...all.slice(publishedEvents.length).toSorted()]).toEqual([
        ...publishedEvents,
        ...events.toSorted(),
      ])
      const [lane, pipeline] = await served(id)
      expect(lane).toBe(pipeline)
      const { passport } = answer.body
      if (passport?.status === 'DRAFT') expect(lane).toBe('404')
      else if (passport !== undefined) expect(lane).toBe(JSON.stringify(passport))
      // The event's content was served.
      const stored = await gateway.sqlAs<{ body: string }>(
        workspace.id,
        `select r.body from rendition r join passport p on p.id = r.passport_id and p.version = r.version
       where p.id = $1 and r.representation = 'jsonld'`,
        [id],
      )
      expect(stored.map(({ body }) => body)).toEqual(passport?.status === 'DRAFT' ? [] : [lane])
    },
  )

  test('a bulk: for each of its rows', async () => {
    const rows = Array.from({ length: 3 }, (_, index) => ({
      productId: newGtin(),
      metadata: textile({ size: `${index}` }),
    }))
    takeEvicted()
    expectStatus(201, await post('/api/v1/passports/bulk', { passports: rows }))
    const forgotten = takeEvicted()
    for (const { productId, metadata } of rows) {
      const { body } = await gateway.request('GET', `/01/${productId}`)
      expect(body.metadata).toEqual(metadata)
      expect(forgotten).toContain(productId)
      expect([await versionOf(body.id), await reasonsOf(body.id)]).toEqual([1, []])
      expect(await eventsOf(gateway, body.id)).toEqual(['passport.ingested'])
    }
  })

  test('a draft that is deleted: all of it', async () => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    await passports.update(id, { metadata: { a: 1 }, draft: true })
    takeEvicted()
    expectStatus(200, await passports.remove(id))
    expect(takeEvicted()).toEqual([id])
    expect([await versionOf(id), await reasonsOf(id)]).toEqual([0, []])
  })
})

// Other operations: round-trips.test.ts.
test('to ingest what exists takes five round trips, that of the credential included', async () => {
  const { given } = plainKinds['ingest what exists'] as ChangeKind
  const { act } = await given()
  await gateway.container.cradle.accessAudit.flush()
  wire.taken()
  expect((await act()).status).toBeLessThan(300)
  expect(wire.taken().count).toBe(5)
})
