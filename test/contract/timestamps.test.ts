import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/start/config.ts'
import { hasOpenssl, QUICK_MODES } from '../support/timestamp-authority.ts'
import { useTimestamps } from '../support/timestamp-client.ts'

const TIMEOUT = 5000
const { authority, seal } = await useTimestamps(TIMEOUT)

describe.skipIf(!hasOpenssl)('timestamps of seals (openssl is needed for the authority)', () => {
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
      // The fifth consecutive failure would pause the authority.
      if (place % 4 === 3 || mode === QUICK_MODES.at(-1)) expect((await seal()).proof).toHaveProperty('rfc3161')
    },
  )

  test('after five failures the authority is left alone, and seals cost nothing more', async () => {
    authority.mode = 'status 500'
    for (let count = 0; count < 5; count += 1) await seal()
    const { requests } = authority
    authority.mode = 'hanging'
    const { proof, took } = await seal()
    expect(proof).not.toHaveProperty('rfc3161')
    expect(took).toBeLessThan(1500)
    expect(authority.requests).toBe(requests)
  })
})

describe('the variables of the timestamp authority', () => {
  test.each([
    ['an address without a trust anchor', { TSA_URL: 'https://tsa.example' }, /^TSA_URL is set without TSA_CA/],
    ['an address of another kind', { TSA_URL: 'ldap://tsa.example' }, /^Invalid TSA_URL/],
    ['a file that is not there', { TSA_CA: '/no/such/file' }, /^Invalid TSA_CA: set a PEM file with certificates/],
    [
      'a file without a certificate',
      { TSA_CA: import.meta.filename },
      /^Invalid TSA_CA: set a PEM file with certificates/,
    ],
  ])('%s is named', (_, env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })
})
