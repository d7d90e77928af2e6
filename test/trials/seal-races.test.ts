import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Metadata } from '../../src/domain/metadata.ts'
import type { Principal } from '../../src/domain/principal.ts'
import { Problem } from '../../src/domain/problem.ts'
import { ownScope } from '../../src/storage/unit-of-work.ts'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { createWorkspace, startTestGateway, type TestGateway, type TestWorkspace, textile } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'

// Two gateways on one database. While one seals, others edit, seal and rotate at chosen times.

const RUNS = 250
const LANES = 8

/** Time of the other event: before, during or inside the seal. */
const MOMENTS = ['before', 'together', 'while signing', 'while the timestamp is awaited'] as const
const DEEDS = ['edit', 'edit as draft', 'seal', 'revise', 'recall', 'rotate'] as const

interface Event {
  readonly moment: (typeof MOMENTS)[number]
  readonly deed: (typeof DEEDS)[number]
  readonly at: number
}

let gateways: readonly TestGateway[]
let workspace: TestWorkspace
let principal: Principal
let sealCa: string
/** Hooks of the seal in this asynchronous context. */
const inside = new AsyncLocalStorage<{ sign(): Promise<void>; stamp(): Promise<void> }>()

beforeAll(async () => {
  const first = await startTestGateway()
  gateways = [first, await startTestGateway({ DATABASE_URL: first.databaseUrl })]
  workspace = await createWorkspace(first)
  principal = (await first.container.cradle.identity.fromBearer(workspace.key)) as Principal
  sealCa = (await first.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
  for (const gateway of gateways) {
    const { signer, timestampAuthority } = gateway.container.cradle
    const { sign } = signer
    signer.sign = async (key, data) => {
      await inside.getStore()?.sign()
      return sign.call(signer, key, data)
    }
    const stamp = timestampAuthority.stamp.bind(timestampAuthority)
    timestampAuthority.stamp = async (...args) => {
      await inside.getStore()?.stamp()
      return stamp(...args)
    }
  }
})
afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())))

const services = (at: number) => (gateways[at % gateways.length] as TestGateway).container.cradle

/** `true`, or the status of the rejection. */
const outcome = (work: Promise<unknown>): Promise<true | number> =>
  work.then(
    () => true as const,
    (error) => {
      if (error instanceof Problem && error.status < 500) return error.status
      throw error
    },
  )

async function run(events: readonly Event[], number: number): Promise<string> {
  const { passport } = await services(0).passportIntake.create(
    principal,
    { productId: `RACE-${number}`, metadata: textile({ size: 'first' }) },
    'en',
  )
  const id = String(passport.id)
  const accepted: Metadata[] = [passport.metadata as Metadata]
  let edits = 0
  const perform = async ({ deed, at }: Event): Promise<void> => {
    const { database, passports, revisions, seals } = services(at)
    // An event runs outside the seal in which it occurs.
    await inside.exit(async () => {
      // A workspace creates at most a hundred keys; later rotations are rejected.
      if (deed === 'rotate')
        expect([true, 409]).toContain(await outcome(seals.rotateKeys(workspace.id, { actor: 'test' })))
      else if (deed === 'seal') expect([true, 409]).toContain(await outcome(seals.seal(principal, id)))
      else if (deed === 'recall') {
        expect([true, 409]).toContain(await outcome(passports.setStatus(principal, id, { status: 'RECALLED' })))
      } else if (deed === 'revise') {
        edits += 1
        const metadata = textile({ size: `edit ${edits}` })
        const input = { metadata, changeReason: 'Misspelt' }
        const done = await outcome(revisions.revise(principal, id, input, 'en', ownScope(database, workspace.id)))
        expect([true, 409]).toContain(done)
        if (done === true) accepted.push(metadata)
      } else {
        edits += 1
        const metadata = textile({ size: `edit ${edits}` })
        const draft = deed === 'edit as draft'
        const done = await outcome(passports.update(principal, id, { metadata, draft }, 'en'))
        expect([true, 403]).toContain(done)
        if (done === true) accepted.push(metadata)
      }
    })
  }
  // Each happens once, however often the seal is retried.
  const during = (moment: Event['moment']) => {
    const pending = events.filter((event) => event.moment === moment)
    return async () => {
      for (const event of pending.splice(0)) await perform(event)
    }
  }
  for (const event of events.filter(({ moment }) => moment === 'before')) await perform(event)
  const seal = inside.run({ sign: during('while signing'), stamp: during('while the timestamp is awaited') }, () =>
    outcome(services(number).seals.seal(principal, id)),
  )
  const concurrent = events.filter(({ moment }) => moment === 'together').map(perform)
  const [sealed] = await Promise.all([seal, ...concurrent])
  expect([true, 409]).toContain(sealed)

  // In any case, the seal covers the passport's content, which is an accepted edit.
  const { body } = await passportClient(gateways[0] as TestGateway, workspace.as).get(id)
  const { gtin: _gtin, ...held } = body.metadata
  expect(accepted.map((metadata) => ({ ...metadata, gtin: undefined }))).toContainEqual({ ...held, gtin: undefined })
  if (sealed !== true && body.digitalSeal === null) return 'refused'
  const { valid, checks } = await verifySealedPassport(JSON.stringify(body), { sealCa })
  expect([valid, checks.filter(({ ok }) => ok === false)]).toEqual([true, []])
  // It stays so.
  expect(await outcome(services(0).passports.update(principal, id, { metadata: textile() }, 'en'))).toBe(403)
  return accepted.length > 1 ? 'edited, then sealed' : 'sealed'
}

test(`a seal never covers other content than the passport holds: ${RUNS} random interleavings`, {
  timeout: 120_000,
}, async () => {
  const event = fc.record({
    moment: fc.constantFrom(...MOMENTS),
    deed: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<Event['deed']>('edit', 'edit as draft') },
      { weight: 4, arbitrary: fc.constantFrom<Event['deed']>('seal', 'revise', 'recall') },
      { weight: 1, arbitrary: fc.constant<Event['deed']>('rotate') },
    ),
    at: fc.nat(1),
  })
  const seed = Date.now()
  const plans = fc.sample(fc.array(event, { minLength: 1, maxLength: 4 }), { numRuns: RUNS, seed })
  const outcomes: Record<string, number> = {}
  let next = 0
  const lane = async () => {
    while (next < plans.length) {
      const number = next
      next += 1
      const plan = plans[number] as Event[]
      const result = await run(plan, number).catch((error) => {
        throw new Error(`seed ${seed}, run ${number}: ${JSON.stringify(plan)}`, { cause: error })
      })
      outcomes[result] = (outcomes[result] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  // All outcomes occurred.
  expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(RUNS)
  for (const kind of ['sealed', 'edited, then sealed']) expect(outcomes[kind], kind).toBeGreaterThan(RUNS / 20)
})

test('concurrent rotations at two gateways: one active key, numbers in order, and every old seal verifies', async () => {
  const owner = await createWorkspace(gateways[0] as TestGateway)
  const client = passportClient(gateways[0] as TestGateway, owner.as)
  const documents = []
  for (let round = 0; round < 3; round += 1) {
    const { id } = await client.given()
    await client.seal(id)
    documents.push((await client.get(id)).body)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (gateways[index % 2] as TestGateway).request('POST', '/api/v1/tenants/rotate-keys', { headers: owner.as }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map(({ body }) => body.publicKey)).size).toBe(20)
  }
  const keys = await (gateways[0] as TestGateway).sqlAs<{ number: number; active: boolean; certificate: string }>(
    owner.id,
    `select number, retired_at is null as active, certificate from tenant_key
     where tenant_id = app_tenant() order by number`,
  )
  expect(keys.map(({ number }) => number)).toEqual(Array.from({ length: 61 }, (_, index) => index + 1))
  expect(keys.filter(({ active }) => active).map(({ number }) => number)).toEqual([61])
  expect(keys.every(({ certificate }) => certificate !== null)).toBe(true)
  for (const [index, payload] of documents.entries()) {
    const gateway = gateways[index % 2] as TestGateway
    const { body } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
    expect(body.verified).toBe(true)
  }
})
