import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BATTERY } from '../../../test/support/demo-gateway.ts'
import { bearer, createWorkspace, MASTER_KEY, newGtin, textile } from '../../../test/support/gateway.ts'
import { battery, passportClient } from '../../../test/support/passport-client.ts'
import { dpp } from '../../../test/support/process.ts'
import { asAnotherOperator, unitClient } from '../../../test/support/unit-client.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const units = unitClient(gateway, workspace.as)

const SOH = { eventType: 'SOH_MEASUREMENT' }
const completenessOf = (id: string, headers = workspace.as, query = '') =>
  gateway.request('GET', `/api/v1/passports/${id}/completeness${query}`, { headers })
const validate = (json: object, query = '') =>
  gateway.request('POST', `/api/v1/passports/validate-only${query}`, { headers: workspace.as, json })

describe('the report on completeness', () => {
  const { carbonFootprint: _pending, voltageTemperatureRange: _conditional, batteryMass: _mandatory, ...rest } = BATTERY
  const gap = (key: string, more: object) => expect.objectContaining({ key, ...more })

  test('names each missing attribute with its point, level, audience and key', async () => {
    const { id } = await passports.given({
      metadata: { ...rest, circularityAndDisassembly: { partNumbers: ['A'] }, complianceEvidence: [] } as never,
    })
    const { status, body } = await completenessOf(id, workspace.as, '?lang=de')
    expect(status).toBe(200)
    expect(body).toMatchObject({ passportId: id, category: 'batteries', kind: 'ev', isComplete: false })
    expect(body.missing).toContainEqual({
      key: 'batteryMass',
      points: ['VI A 5'],
      level: 'model',
      audience: ['public'],
      due: 'mandatory',
      label: 'Masse',
      description: 'Mass of the battery, in kg.',
    })
    for (const entry of [
      gap('carbonFootprint', { points: ['XIII 1(c)'], due: 'pending' }),
      gap('voltageTemperatureRange', { points: ['XIII 1(h)'], due: 'conditional' }),
      gap('circularityAndDisassembly.dismantling.fastenings[].count', {
        points: ['XIII 2(c)'],
        audience: ['legitimateInterest', 'authority'],
      }),
      gap('complianceEvidence', { points: ['XIII 3'], audience: ['authority'], due: 'mandatory' }),
    ]) {
      expect(body.missing).toContainEqual(entry)
    }
    const keys = body.missing.map(({ key }: { key: string }) => key)
    expect(keys).not.toContain('circularityAndDisassembly.partNumbers')
    for (const sort of ['mandatory', 'conditional', 'pending'] as const) {
      const missing = body.missing.filter(({ due }: { due: string }) => due === sort).length
      expect(body.counts[sort].met + missing, sort).toBe(body.counts[sort].due)
    }
    expect(body.units).toEqual({ total: 0, examined: 0, incomplete: 0 })
  })

  test('asks of each kind of battery what is due for it', async () => {
    const keysFor = async (batteryCategory: string) => {
      const { id } = await passports.given({ metadata: battery({ batteryCategory }) })
      return (await completenessOf(id)).body.missing.map(({ key }: { key: string }) => key) as string[]
    }
    const [ev, lmt, sli, portable] = await Promise.all(['ev', 'LMT', 'sli', 'portable'].map(keysFor))
    expect(ev).toContain('capacityThresholdForExhaustionPct')
    expect(lmt).not.toContain('capacityThresholdForExhaustionPct')
    expect(sli).toEqual(expect.arrayContaining(['recycledContent.lead', 'wasteSafety', 'separateCollectionSymbol']))
    expect(portable).toEqual(expect.arrayContaining(['symbolMeanings', 'euDeclarationOfConformity']))
    for (const key of ['recycledContent.lead', 'internalResistance.pack', 'complianceEvidence']) {
      expect(portable).not.toContain(key)
    }
  })

  test('takes what is stated under an older name', async () => {
    const { id } = await passports.given({
      metadata: battery({
        batteryCategory: 'ev',
        batteryChemistry: 'LFP',
        chemistry: undefined,
        dateOfManufacture: '2026-01',
        recycledContentShare: { cobalt: 0, lithium: 1, nickel: 0, lead: 0 },
        durability: { cycleLife: 2000 },
      }),
    })
    const keys = (await completenessOf(id)).body.missing.map(({ key }: { key: string }) => key)
    for (const key of ['chemistry', 'manufacturingDate', 'recycledContent.cobalt', 'expectedLifetimeCycles']) {
      expect(keys).not.toContain(key)
    }
    expect(keys).toContain('batteryMass')
  })

  test('counts the units that lack a value, without those that have been recycled', async () => {
    const { id } = await passports.given({ metadata: BATTERY })
    const [one, , gone] = [await units.given(id), await units.given(id), await units.given(id, { status: 'RECYCLED' })]
    expect(gone.ceasedAt).not.toBeNull()
    await units.record(one.id, { ...SOH, payload: { stateOfCertifiedEnergyPct: 99 } })
    const { body } = await completenessOf(id)
    expect(body.units).toEqual({ total: 3, examined: 2, incomplete: 2 })
    const lacking = (key: string) => body.missing.find((entry: { key: string }) => entry.key === key)
    expect(lacking('stateOfCertifiedEnergyPct')).toMatchObject({
      level: 'item',
      units: 1,
      audience: ['legitimateInterest'],
    })
    expect(lacking('powerW')).toMatchObject({ units: 2, points: ['XIII 4(a)'] })
    expect(lacking('remainingCapacityAh')).toBeUndefined()
    expect(lacking('batteryStatus')).toBeUndefined()
    expect(body.isComplete).toBe(false)
  })

  test('owes nothing mandatory where no act says that anything is, and is for the passport’s own operator', async () => {
    const { id } = await passports.given()
    expect((await completenessOf(id)).body).toMatchObject({
      category: 'textiles',
      kind: null,
      isComplete: true,
      counts: { mandatory: { due: 0, met: 0 } },
    })
    expect((await completenessOf(id, await asAnotherOperator(gateway, workspace))).status).toBe(403)
    expect((await completenessOf('00000000-0000-4000-8000-000000000000')).status).toBe(404)
  })
})

describe('the completeness of a validated passport', () => {
  test('review-3-inputs N6: lists missing information, which is not a warning', async () => {
    for (const metadata of [textile(), { category: 'cosmetics', originCountry: 'FR' }]) {
      const { body } = await validate({ productId: newGtin(), metadata })
      expect(body.warnings).toBeUndefined()
      expect(body.completeness.missing.length).toBeGreaterThan(0)
    }
  })

  test('of the demo’s battery, which has exactly the mandatory attributes, is complete', async () => {
    const { body } = await validate({ productId: newGtin(), metadata: { ...BATTERY, gtin: undefined } })
    expect(body.completeness).toMatchObject({ isComplete: true, counts: { mandatory: { met: expect.any(Number) } } })
  })

  test('review-3-inputs N15: is found by a product id of the other normal form', async () => {
    const productId = `Bätterie-${newGtin()}`
    await passports.given({ productId: productId.normalize('NFC'), metadata: battery() })
    expect((await completenessOf(encodeURIComponent(productId.normalize('NFD')))).status).toBe(200)
  })

  test('is what the report says of the stored passport', async () => {
    const metadata = { category: 'batteries', originCountry: 'DE' }
    const { body } = await validate({ productId: newGtin(), metadata }, '?lang=de')
    const mass = { key: 'batteryMass', points: ['VI A 5'], due: 'mandatory', label: 'Masse' }
    expect(body.completeness.missing).toContainEqual(expect.objectContaining(mass))
    const { body: created } = await passports.create({ productId: newGtin(), metadata })
    expect(created.warnings).toEqual([])
    const report = await gateway.request('GET', `/api/v1/passports/${created.passport.id}/completeness?lang=de`, {
      headers: workspace.as,
    })
    const { isComplete, counts, missing } = report.body
    expect(body.completeness).toEqual({ isComplete, counts, missing })
  })

  test('counts what other acts ask for, each piece of information once', async () => {
    const completenessOf = async (metadata: object) => {
      const { body } = await validate({ productId: newGtin(), metadata })
      const { counts, missing } = body.completeness
      return { counts, keys: missing.map(({ key }: { key: string }) => key) }
    }
    const empty = { category: 'cosmetics', originCountry: 'FR' }
    const none = await completenessOf(empty)
    expect(none.keys).toContain('batchNumber')
    expect(none.keys).not.toContain('packagingRecyclability')
    const some = await completenessOf({ ...empty, batchNumber: 'L-1' })
    expect(some.counts.conditional.met).toBe(none.counts.conditional.met + 1)
    const electronics = await completenessOf({ category: 'electronics', originCountry: 'DE' })
    expect(electronics.keys).toContain('standbyPowerW')
    expect(electronics.keys).not.toContain('standbyPower')
  })
})

describe('the completeness of the catalogue', () => {
  let mine = workspace
  const reportOf = (query = '', headers = mine.as) =>
    gateway.request('GET', `/api/v1/passports/completeness${query}`, { headers })

  test('counts by category, the least complete first, page by page', async () => {
    mine = await createWorkspace(gateway)
    const own = passportClient(gateway, mine.as)
    const given = [
      { category: 'batteries', originCountry: 'DE' },
      battery(),
      { category: 'cosmetics', originCountry: 'FR' },
      { category: 'cosmetics', originCountry: 'FR', batchNumber: 'L-1' },
      { category: 'batteries', originCountry: 'DE', batteryCategory: 'ev' },
    ]
    const ids: string[] = []
    for (const metadata of given) {
      const { status, body } = await own.create({ productId: newGtin(), metadata })
      expect(status).toBe(201)
      ids.push(body.passport.id)
    }
    const { status, body } = await reportOf()
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, examined: 5, nextCursor: null })
    expect(body.categories.map(({ category, passports }: never) => [category, passports])).toEqual([
      ['batteries', 3],
      ['cosmetics', 2],
    ])
    const share = ({ counts: { mandatory } }: { counts: { mandatory: { due: number; met: number } } }) =>
      mandatory.due === 0 ? 1 : mandatory.met / mandatory.due
    const shares = body.passports.map(share)
    expect(shares).toEqual(shares.toSorted((a: number, b: number) => a - b))
    const cosmetics = body.passports.filter(({ category }: { category: string }) => category === 'cosmetics')
    expect(cosmetics.map(({ passportId }: { passportId: string }) => passportId)).toEqual([ids[2], ids[3]])
    // Equal to the individual report.
    for (const { passportId, kind, isComplete, counts } of body.passports) {
      const one = await gateway.request('GET', `/api/v1/passports/${passportId}/completeness`, { headers: mine.as })
      expect(one.body).toMatchObject({ kind, isComplete, counts })
    }
    const seen: string[] = []
    const due = { batteries: 0, cosmetics: 0 } as Record<string, number>
    let query = '?limit=2'
    for (let pages = 0; pages < 4; pages += 1) {
      const page = await reportOf(query)
      expect(page.body.examined).toBeLessThanOrEqual(2)
      seen.push(...page.body.passports.map(({ passportId }: { passportId: string }) => passportId))
      for (const { category, counts } of page.body.categories) due[category] += counts.conditional.due
      if (page.body.nextCursor === null) break
      query = `?limit=2&cursor=${page.body.nextCursor}`
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    for (const { category, counts } of body.categories) expect(due[category]).toBe(counts.conditional.due)
  })

  test('is of one workspace, and of one operator for keys of one', async () => {
    const other = await createWorkspace(gateway)
    expect((await reportOf('', other.as)).body).toEqual({
      success: true,
      examined: 0,
      categories: [],
      passports: [],
      nextCursor: null,
    })
    expect((await reportOf('', bearer('dpp_key_unknown'))).status).toBe(401)
  })

  test.each(['x', 'YWZ0ZXIgMSB4', Buffer.from(`after ${'9'.repeat(17)} ${'a'.repeat(36)}`).toString('base64url')])(
    'refuses the cursor %s',
    async (cursor) => {
      const { status, body } = await reportOf(`?cursor=${cursor}`)
      expect(status).toBe(400)
      expect(body.message).toBe('cursor must be the nextCursor of a page.')
    },
  )

  test('ends a page where its passports are large', async () => {
    const large = await createWorkspace(gateway)
    const text = 'x'.repeat(240_000)
    const bulk = passportClient(gateway, large.as)
    for (let count = 0; count < 20; count += 1) {
      const { status } = await bulk.create({ productId: newGtin(), metadata: textile({ further: text }) })
      expect(status).toBe(201)
    }
    const first = await reportOf('', large.as)
    expect(first.body.examined).toBe(18)
    const second = await reportOf(`?cursor=${first.body.nextCursor}`, large.as)
    expect(second.body).toMatchObject({ examined: 2, nextCursor: null })
  })
})

describe('dpp completeness', () => {
  const env = {
    ...{ DPP_URL: gateway.origin, DPP_KEY: workspace.key },
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    MASTER_KEY,
  }
  const run = (...args: string[]) => dpp(args, env)

  test('of a file is reported without a database, and exits with 0 if nothing mandatory is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dpp-completeness-'))
    const file = (name: string, content: unknown) => {
      writeFileSync(join(folder, name), JSON.stringify(content))
      return join(folder, name)
    }
    const { batteryMass: _batteryMass, ...lighter } = BATTERY
    const whole = await run('completeness', file('whole.json', { metadata: BATTERY }))
    expect([whole.stderr, whole.code]).toEqual(['', 0])
    expect(whole.stdout).toMatch(
      /^batteries, ev\n(\d+) of \1 mandatory, (\d+) of \2 conditional, (\d+) of \3 pending\n$/,
    )
    const gap = await run('completeness', file('gap.json', lighter), '--lang', 'de')
    expect(gap.code).toBe(1)
    expect(gap.stdout).toContain('  mandatory   VI A 5: Masse (batteryMass)')
    expect((await run('completeness', file('list.json', [1]))).code).toBe(3)
    expect((await run('completeness')).code).toBe(2)
    rmSync(folder, { recursive: true })
  })

  test('of a passport is that of the gateway', async () => {
    const { id } = await passports.given({ metadata: battery({ batteryCategory: 'sli' }) })
    const { stdout, code } = await run('passport', 'completeness', id, '--json')
    const { body } = await completenessOf(id)
    expect([code, JSON.parse(stdout)]).toEqual([1, body])
    expect(body.missing.length).toBeGreaterThan(10)
    expect((await run('passport', 'completeness', id)).stdout).toMatch(/^batteries, sli\n\d+ of \d+ mandatory, /)
  })
})
