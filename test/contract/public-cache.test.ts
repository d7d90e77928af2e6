import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { textile } from '../support/gateway.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()

test('what is kept has memory of its own, and no more than is counted', async () => {
  const { publicCache, renditions } = gateway.container.cradle
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
  const choice = renditions.choose('application/ld+json', 'passport')
  if (choice === undefined) throw new Error('No representation is JSON-LD.')
  const question = { column: 'id', value: passportId, choice, variant: '' } as const
  // Kept from the second time on, and as soon as the database tells of changes.
  await expect
    .poll(() => {
      publicCache.set(key, found, publicCache.epoch(), question)
      return publicCache.get(key)?.rendition.body.toString()
    })
    .toBe(String(body))
  const kept = publicCache.get(key)?.rendition.body
  expect(kept?.buffer.byteLength).toBe(body.length)
})

test('what is asked for as it grows old is looked after together, and only what is as it was lives on', async () => {
  const { database, counters } = gateway.container.cradle
  const made = await Promise.all([passports.given(), passports.given(), passports.given()])
  const missesOfReading = async () => {
    const before = counters.lane.miss
    const answers = await Promise.all(made.map(({ id }) => gateway.request('GET', `/passport/${id}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    return counters.lane.miss - before
  }
  const began = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began)
  const lookUps = vi.spyOn(database.lookup, 'run')
  const together = () => lookUps.mock.calls.filter(([{ name }]) => name === 'known-public-renditions-by-id')
  try {
    await expect.poll(missesOfReading).toBe(0)
    // Nobody is told of this.
    await gateway.sql(`update rendition set etag = '"another"' where passport_id = $1`, [made[2].id])
    clock.mockReturnValue(began + 4900)
    expect(await missesOfReading()).toBe(0)
    await expect.poll(() => together().length).toBe(1)
    await Promise.all(lookUps.mock.results.map(({ value }) => value))
    clock.mockReturnValue(began + 6000)
    expect(await missesOfReading()).toBe(1)
    expect(together().length).toBe(1)
  } finally {
    clock.mockRestore()
    lookUps.mockRestore()
  }
})

test('links that are asked for as they grow old are answered anew ahead of whoever asks next', async () => {
  const { counters, publicCache } = gateway.container.cradle
  const headers = { accept: 'application/linkset+json', 'accept-language': 'en' }
  const made = await Promise.all(Array.from({ length: 20 }, () => passports.given()))
  const links = made.map(({ productId }) => `/01/${productId}?linkType=linkset`)
  const missesOfReading = async () => {
    const before = counters.lane.miss
    const answers = await Promise.all(links.map((link) => gateway.request('GET', link, { headers })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    return counters.lane.miss - before
  }
  const began = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(began)
  const areFreshAt = (time: number) => {
    clock.mockReturnValue(began + time)
    const known = links.map((link) => publicCache.getLink(`${link}\n${headers.accept}\n${headers['accept-language']}`))
    clock.mockReturnValue(began + 4900)
    return known.every((link) => link !== undefined)
  }
  try {
    await expect.poll(missesOfReading).toBe(0)
    expect([areFreshAt(4900), areFreshAt(5100)]).toEqual([true, false])
    expect(await missesOfReading()).toBe(0)
    await expect.poll(() => areFreshAt(7500)).toBe(true)
    clock.mockReturnValue(began + 7500)
    expect(await missesOfReading()).toBe(0)
  } finally {
    clock.mockRestore()
  }
})

describe('what has changed', () => {
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

  /** Everything that is told before this is heard. */
  const untilHeard = async () => {
    await person.query(`notify passport_changed, 'the end'`)
    await expect.poll(() => heard.at(-1)).toBe('the end')
    return heard.slice(0, -1)
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

  test('is told by the gateway once it is committed, and never by a transaction that is undone', async () => {
    const { id } = await passports.given()
    expect((await passports.update(id, { metadata: textile() })).status).toBe(200)
    await expect.poll(() => heard).toContain(id)
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
    const { id } = await passports.given()
    await untilHeard()
    heard = []
    expect(await update(id, { 'app.changed': '-' })).toBe(`- ${id}`)
    expect(await untilHeard()).toEqual([])
  })

  test('is told by the database where nobody has asked, as after a statement at a prompt', async () => {
    const { id } = await passports.given()
    await untilHeard()
    heard = []
    expect((await update(id)) ?? '').toBe('')
    expect(await untilHeard()).toEqual([id])
  })

  test('is everything where there is too much to name', async () => {
    const { id } = await passports.given()
    expect(await update(id, { 'app.changed': `- ${'x'.repeat(4000)}` })).toMatch(/ \*$/)
    expect(await update(id, { 'app.changed': '- *' })).toBe('- *')
  })
})
