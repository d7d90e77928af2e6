import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { createWorkspace, startTestGateway, type TestGateway, type TestWorkspace } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import {
  hasOpenssl,
  QUICK_MODES,
  SLOW_MODES,
  startTimestampAuthority,
  type TimestampAuthorityDouble,
} from '../support/timestamp-authority.ts'

describe.skipIf(!hasOpenssl)('timestamps of seals (openssl is needed for the authority)', () => {
  let authority: TimestampAuthorityDouble
  let gateway: TestGateway
  let workspace: TestWorkspace

  const start = async () => {
    gateway = await startTestGateway({ TSA_URL: authority.url, TSA_CA: authority.caFile })
    workspace = await createWorkspace(gateway)
  }
  beforeAll(async () => {
    authority = await startTimestampAuthority()
    await start()
  })
  afterAll(async () => {
    await gateway.close()
    await authority.close()
  })

  const seal = async () => {
    const passports = passportClient(gateway, workspace.as)
    const { id } = await passports.given()
    const begin = performance.now()
    const { passport } = expectStatus(200, await passports.seal(id)).body
    return { proof: passport.proof, took: performance.now() - begin }
  }

  test('a seal carries the time of the authority', async () => {
    const { proof } = await seal()
    expect(Object.keys(proof.rfc3161)).toEqual(['genTime', 'token'])
    expect(Math.abs(Date.parse(proof.rfc3161.genTime) - Date.parse(proof.created))).toBeLessThan(5000)
  })

  test.each(QUICK_MODES)('%s: the seal is made without a timestamp', async (mode) => {
    authority.mode = mode
    const { proof, took } = await seal()
    expect(proof).not.toHaveProperty('rfc3161')
    expect(took).toBeLessThan(3000)
    authority.mode = 'honest'
    expect((await seal()).proof).toHaveProperty('rfc3161')
  })

  test.each(SLOW_MODES)('%s: the seal is made after 3 seconds', async (mode) => {
    authority.mode = mode
    const { proof, took } = await seal()
    expect(proof).not.toHaveProperty('rfc3161')
    expect(took).toBeLessThan(4500)
    authority.mode = 'honest'
    expect((await seal()).proof).toHaveProperty('rfc3161')
  })

  test('no transaction is open while the authority is asked', async () => {
    authority.mode = 'hanging'
    const sealing = seal()
    const asked = authority.asked
    await expect.poll(() => authority.asked).toBe(asked + 1)
    const open = await gateway.sql(`select query from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
        and application_name like 'dpp-gateway%'`)
    expect(open).toEqual([])
    await sealing
    authority.mode = 'honest'
    await seal()
  })

  test('after five failures the authority is left alone, and seals cost nothing more', async () => {
    authority.mode = 'status 500'
    for (let count = 0; count < 5; count += 1) await seal()
    const { asked } = authority
    authority.mode = 'hanging'
    const { proof, took } = await seal()
    expect(proof).not.toHaveProperty('rfc3161')
    expect(took).toBeLessThan(1500)
    expect(authority.asked).toBe(asked)
  })
})

describe('the variables of the timestamp authority', () => {
  test.each([
    [
      'an address without a trust anchor',
      { TSA_URL: 'https://tsa.example' },
      /^TSA_CA is needed together with TSA_URL/,
    ],
    ['an address of another kind', { TSA_URL: 'ldap://tsa.example' }, /^TSA_URL must be an http or https address/],
    ['a file that is not there', { TSA_CA: '/no/such/file' }, /^TSA_CA must be a file of certificates in PEM/],
    ['a file without a certificate', { TSA_CA: import.meta.filename }, /^TSA_CA must be a file of certificates in PEM/],
  ])('%s is named', (_, env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })
})
