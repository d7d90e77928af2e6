import { expect, test } from 'vitest'
import { newGtin } from '../../../test/support/gateway.ts'
import { expectStatus } from '../../../test/support/passport-client.ts'
import { useRegistry } from '../../../test/support/registration-client.ts'
import { PROOF } from '../../../test/support/registry.ts'

const { registry, gateway, given, read, ask, auditDetails, untilHurried, registered } = await useRegistry()

test('the proof is downloaded as the registry gave it, and a passport without one answers 404', async () => {
  const { id } = await registered()
  const answer = await fetch(`${gateway.origin}/passport/${id}/registration-proof`)
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(PROOF)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="registration-proof.pdf"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  const { id: other } = await given()
  for (const missing of [other, 'none', newGtin()]) {
    expect((await gateway.request('GET', `/passport/${missing}/registration-proof`)).status).toBe(404)
  }
})

test('a proof is fetched only from the registry', async () => {
  registry.mode = 'well, with a proof of its own address'
  const own = await registered()
  expect((await gateway.request('GET', `/passport/${own.id}/registration-proof`)).status).toBe(200)
  const requestCount = registry.requests.length
  registry.mode = "well, with a proof of somebody else's address"
  const foreign = await registered()
  expect((await read(foreign.id)).registration).toMatchObject({
    state: 'REGISTERED',
    isCurrent: true,
    proof: null,
    reason: 'The address of the proof is not on the registry.',
  })
  expect(registry.requests).toHaveLength(requestCount)
})

test('a proof that cannot be fetched yet fails no registration, and is fetched later', async () => {
  registry.mode = 'well, with a proof that comes later'
  const passport = await given()
  let heldBack = await read(passport.id)
  registry.before = async () => {
    heldBack = await read(passport.id)
  }
  expectStatus(202, await ask(passport.id))
  await untilHurried(passport.id, async () => (await read(passport.id)).registration.proof).not.toBeNull()
  // State after the previous registration attempt.
  expect(heldBack.registration).toMatchObject({
    state: 'REGISTERED',
    isCurrent: true,
    proof: null,
    reason: 'The registry responded with 503 to the request for its proof.',
  })
  expect((await read(passport.id)).registration).toMatchObject({ state: 'REGISTERED', reason: null })
  expect(auditDetails(passport)).toHaveLength(2)
  expect((await gateway.request('GET', `/passport/${passport.id}/registration-proof`)).status).toBe(200)
})

test('an invalid proof is not stored, and fails no registration', async () => {
  registry.mode = 'well, with a proof that nobody takes'
  const { id } = await registered()
  const { registration } = await read(id)
  expect(registration).toMatchObject({ state: 'REGISTERED', proof: null })
  expect(registration.reason).toContain('not a PDF, XML or JSON')
  expect((await gateway.request('GET', `/passport/${id}/registration-proof`)).status).toBe(404)
})
