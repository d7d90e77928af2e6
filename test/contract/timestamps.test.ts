import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOUNDS } from '../../src/bounds.ts'
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
  // Several times of what the authority takes, which starts a process for each token.
  const TIMEOUT = 2000

  const start = async () => {
    const env = { TSA_URL: authority.url, TSA_CA: authority.caFile }
    gateway = await startTestGateway(env, { bounds: { timestampTimeout: TIMEOUT } })
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

  test.each(QUICK_MODES.map((mode, place) => [mode, place] as const))(
    '%s: the seal is made without a timestamp',
    async (mode, place) => {
      authority.mode = mode
      const { proof, took } = await seal()
      expect(proof).not.toHaveProperty('rfc3161')
      expect(took).toBeLessThan(TIMEOUT)
      authority.mode = 'honest'
      // The fifth failure in a row would pause the authority.
      if (place % 4 === 3 || mode === QUICK_MODES.at(-1)) expect((await seal()).proof).toHaveProperty('rfc3161')
    },
  )

  test.each(SLOW_MODES)(
    '%s: the seal is made after the timeout, and no transaction is open meanwhile',
    async (mode) => {
      expect(BOUNDS.timestampTimeout).toBe(3000)
      authority.mode = mode
      const { asked } = authority
      const sealing = seal()
      await expect.poll(() => authority.asked).toBe(asked + 1)
      let isSealed = false
      void sealing.then(() => {
        isSealed = true
      })
      // Other work of the gateway has a transaction for a moment.
      const openTransactions = () =>
        gateway.sql(`select query from pg_stat_activity
          where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()
            and application_name like 'dpp-gateway%'`)
      await expect.poll(openTransactions, { interval: 10 }).toEqual([])
      expect(isSealed).toBe(false)
      const { proof, took } = await sealing
      expect(proof).not.toHaveProperty('rfc3161')
      expect(took).toBeGreaterThanOrEqual(TIMEOUT)
      expect(took).toBeLessThan(TIMEOUT + 1500)
      authority.mode = 'honest'
      expect((await seal()).proof).toHaveProperty('rfc3161')
    },
  )

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
