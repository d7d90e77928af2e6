import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import accessAudit from '../../src/audit/access-audit.ts'
import { useGateway } from '../support/use-gateway.ts'

const { gateway, workspace, passports } = await useGateway()
const { database, plugins } = gateway.container.cradle

interface Row {
  readonly network: string
  readonly accessed_at: Date
  readonly accesses: number
}
const rowsOf = (passportId: string) =>
  gateway.sqlAs<Row>(
    workspace.id,
    `select network, representation, tier, accessed_at, accesses from access_audit where passport_id = $1
     order by accessed_at, network, representation, tier`,
    [passportId],
  )
const sumOf = (rows: readonly Row[]) => rows.reduce((sum, { accesses }) => sum + accesses, 0)

let warnings: { msg: string; lost?: number; dropped?: number }[]
let audit: ReturnType<typeof accessAudit>
let passport: { passportId: string; unitId: null; category: null }

beforeEach(async () => {
  warnings = []
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(JSON.parse(line)) })
  audit = accessAudit({ database, plugins, log } as Parameters<typeof accessAudit>[0])
  passport = { passportId: (await passports.given()).id, unitId: null, category: null }
})

afterEach(() => {
  vi.useRealTimers()
})

/** Fixes the clock at this time; timers continue. */
const at = (time: string) => vi.useFakeTimers({ toFake: ['Date'], now: new Date(time) })

test('identical reads are counted in one row a second, without loss', async () => {
  const [first, second] = ['2026-11-01T10:00:00.999Z', '2026-11-01T10:00:01.000Z']
  for (const time of [first, second]) {
    at(time)
    const count = audit.counterOf(passport, 'jsonld', 'public')
    for (let times = 0; times < 500; times += 1) {
      audit.record(passport, 'jsonld', 'public', `203.0.113.${times % 250}`)
      count(`203.0.113.${times % 250}`)
      count(times % 2 === 0 ? '198.51.100.1' : '198.51.100.2')
      audit.record(passport, 'html', 'public', '203.0.113.7')
      audit.record(passport, 'html', 'owner', '203.0.113.7')
      audit.record(passport, 'html', 'public', '2001:db8::7')
    }
    await audit.flush()
  }
  const inSecond = (time: string) =>
    [
      ['198.51.100.0/24', 'jsonld', 'public', 500],
      ['2001:db8:0::/48', 'html', 'public', 500],
      ['203.0.113.0/24', 'html', 'owner', 500],
      ['203.0.113.0/24', 'html', 'public', 500],
      ['203.0.113.0/24', 'jsonld', 'public', 1000],
    ].map(([network, representation, tier, accesses]) => ({
      network,
      representation,
      tier,
      accessed_at: new Date(time),
      accesses,
    }))
  expect(await rowsOf(passport.passportId)).toEqual([...inSecond('2026-11-01T10:00:00Z'), ...inSecond(second)])
})

test('a counter continues after its entries are written', async () => {
  const count = audit.counterOf(passport, 'jsonld', 'public')
  for (let round = 0; round < 5; round += 1) {
    for (let times = 0; times < 10; times += 1) count('203.0.113.7')
    await audit.flush()
  }
  const rows = await rowsOf(passport.passportId)
  expect([rows.length, sumOf(rows)]).toEqual([5, 50])
})

test('reads during a write are written next', async () => {
  const flushes: Promise<void>[] = []
  for (let round = 0; round < 5; round += 1) {
    for (let count = 0; count < 10; count += 1) audit.record(passport, 'jsonld', 'public', '203.0.113.7')
    flushes.push(audit.flush())
  }
  await Promise.all(flushes)
  expect(sumOf(await rowsOf(passport.passportId))).toBe(50)
})

test('the second that has ended is written without being asked', async () => {
  audit.record(passport, 'jsonld', 'public', '203.0.113.7')
  await expect.poll(async () => sumOf(await rowsOf(passport.passportId)), { timeout: 10_000 }).toBe(1)
})

test('beyond the maximum of rows no new one begins, existing ones count on, and the loss is reported', async () => {
  const MAX_ENTRIES = 50_000
  at('2026-11-01T10:00:00Z')
  const count = audit.counterOf(passport, 'jsonld', 'public')
  for (let times = 0; times < MAX_ENTRIES + 2; times += 1) count(`10.${times >> 8}.${times & 255}.1`)
  count('10.0.0.1')
  await audit.flush()
  const rows = await rowsOf(passport.passportId)
  expect([rows.length, sumOf(rows)]).toEqual([MAX_ENTRIES, MAX_ENTRIES + 1])
  expect(warnings).toMatchObject([{ dropped: 2, msg: 'access audit is overloaded' }])
  audit.record(passport, 'jsonld', 'public', '198.51.100.7')
  await audit.flush()
  expect(sumOf(await rowsOf(passport.passportId))).toBe(MAX_ENTRIES + 2)
  expect(warnings).toHaveLength(1)
})

test('an unwritable entry is reported by its number, and the next is written', async () => {
  for (let count = 0; count < 3; count += 1)
    audit.record({ passportId: 'no id', unitId: null, category: null }, 'jsonld', 'public', '203.0.113.7')
  await audit.flush()
  expect(warnings).toMatchObject([{ lost: 3, msg: 'access audit entries are lost' }])
  audit.record(passport, 'jsonld', 'public', '203.0.113.7')
  await audit.flush()
  expect(sumOf(await rowsOf(passport.passportId))).toBe(1)
})
