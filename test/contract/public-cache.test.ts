import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

test('the cache has its own memory, within its counted limit', async () => {
  const { publicCache } = gateway.container.cradle
  const passportId = randomUUID()
  const key = `/passport/${passportId} json-ld en`
  const body = Buffer.from('{"name":"cut out of a larger buffer"}')
  expect(body.buffer.byteLength).toBeGreaterThan(body.length)
  const found = {
    passportId,
    unitId: null,
    category: 'textiles',
    representation: 'json-ld',
    rendition: { body, etag: '"1"', contentType: 'application/ld+json' },
  }
  // Cached from the second read on, once the database notifies of changes.
  await expect
    .poll(() => {
      publicCache.set(key, found, publicCache.epoch())
      return publicCache.get(key)?.rendition.body.toString()
    })
    .toBe(String(body))
  const cached = publicCache.get(key)?.rendition.body
  expect(cached?.buffer.byteLength).toBe(body.length)
})

test('unannounced changes are visible after five seconds', async () => {
  const { id } = await passports.given()
  const read = async () => (await gateway.request('GET', `/passport/${id}`)).headers.etag
  const { counters } = gateway.container.cradle
  await expect
    .poll(async () => {
      const before = counters.lane.hit
      await read()
      return counters.lane.hit - before
    })
    .toBe(1)
  const known = await read()
  const began = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began)
  try {
    await gateway.sql(`update rendition set etag = '"another"' where passport_id = $1`, [id])
    clock.mockReturnValue(began + 4000)
    expect(await read()).toBe(known)
    clock.mockReturnValue(began + 6000)
    expect(await read()).toBe('"another"')
  } finally {
    clock.mockRestore()
  }
})

describe('changes', () => {
  let person: pg.Client
  let heard: string[] = []

  beforeAll(async () => {
    person = new pg.Client(gateway.urlOf('app'))
    const listener = new pg.Client(gateway.urlOf('app'))
    await Promise.all([person.connect(), listener.connect()])
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''))
    await listener.query('listen passport_changed')
    return () => Promise.all([person.end(), listener.end()])
  })
  beforeEach(() => {
    heard = []
  })

  /** Waits until all earlier notifications have arrived. */
  const untilHeard = async () => {
    await person.query(`notify passport_changed, 'the end'`)
    await expect.poll(() => heard.at(-1)).toBe('the end')
    return heard.slice(0, -1)
  }
  /** A passport whose creation was announced, by the identifier that others may share. */
  const given = async (): Promise<string> => {
    const { id, productId } = await passports.given()
    await expect.poll(() => heard).toEqual([productId])
    heard = []
    return id
  }
  const update = async (id: string, settings: Record<string, string> = {}) => {
    await person.query('begin')
    for (const [name, value] of Object.entries({ 'app.tenant': workspace.id, ...settings })) {
      await person.query('select set_config($1, $2, true)', [name, value])
    }
    await person.query('update passport set updated_at = now() where id = $1', [id])
    const { rows } = await person.query(`select current_setting('app.changed', true) as changed`)
    await person.query('commit')
    return rows[0].changed
  }

  test('the gateway announces a change after the commit, and never after a rollback', async () => {
    const id = await given()
    expect((await passports.update(id, { metadata: textile() })).status).toBe(200)
    await expect.poll(() => heard).toContain(id)
    await untilHeard()
    heard = []
    const { database } = gateway.container.cradle
    const undone = database.transaction(workspace.id, async (tx) => {
      await tx.run({ name: 'touch', text: 'update passport set updated_at = now() where id = $1' }, [id])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await untilHeard()).not.toContain(id)
  })

  test('is left to a transaction that has asked, so that it need not wait for others', async () => {
    const id = await given()
    expect(await update(id, { 'app.changed': '-' })).toBe(`- ${id}`)
    expect(await untilHeard()).toEqual([])
  })

  test('the database announces changes made without the gateway, such as at a prompt', async () => {
    const id = await given()
    expect((await update(id)) ?? '').toBe('')
    expect(await untilHeard()).toEqual([id])
  })

  test('is everything where there is too much to name', async () => {
    const id = await given()
    expect(await update(id, { 'app.changed': `- ${'x'.repeat(4000)}` })).toMatch(/ \*$/)
    expect(await update(id, { 'app.changed': '- *' })).toBe('- *')
  })
})
