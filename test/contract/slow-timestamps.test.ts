import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../../src/start/bounds.ts'
import { hasOpenssl, SLOW_MODES } from '../support/timestamp-authority.ts'
import { useTimestamps } from '../support/timestamp-client.ts'

const TIMEOUT = 1500
const { authority, gateway, seal } = await useTimestamps(TIMEOUT)

describe.skipIf(!hasOpenssl)('timestamps of seals (openssl is needed for the authority)', () => {
  test.each(SLOW_MODES)(
    '%s: the seal is made after the timeout, and no transaction is open meanwhile',
    async (mode) => {
      expect(BOUNDS.timestampTimeout).toBe(3000)
      authority.mode = mode
      const { requests } = authority
      const sealing = seal()
      await expect.poll(() => authority.requests).toBe(requests + 1)
      let isSealed = false
      void sealing.then(() => {
        isSealed = true
      })
      // Other work may have a short transaction.
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
})
