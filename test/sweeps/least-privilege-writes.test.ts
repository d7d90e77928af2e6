import { describe, expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { useLeastPrivilege } from '../support/least-privilege.ts'
import type { Call } from '../support/sample-calls.ts'
import { changedTables } from '../support/table-digests.ts'

const { describeOperations, workspace, callers, send, lookedAt } = await useLeastPrivilege()

// Passports, units and batches: least-privilege-products.test.ts.
describeOperations('writes the rest', 15)

describe('a limited key that names another operator', () => {
  test.each<[string, (operatorId: string) => Call, number]>([
    [
      'createPassport',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/passports',
        json: { productId: newGtin(), metadata: textile(), operatorId },
      }),
      403,
    ],
    [
      'bulkIngestPassports',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/passports/bulk',
        json: { passports: [{ productId: newGtin(), metadata: textile(), operatorId }] },
      }),
      400,
    ],
    [
      'registerFacility',
      (operatorId) => ({
        method: 'POST',
        path: '/api/v1/facilities',
        json: { gln: newGln(), name: 'F', country: 'DE', operatorId },
      }),
      403,
    ],
    [
      'issueGrant for the workspace',
      () => ({
        method: 'POST',
        path: '/api/v1/grants',
        json: { granteeName: 'R', scopeType: 'TENANT', expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
      }),
      403,
    ],
  ])('%s', async (_, call, status) => {
    const before = await lookedAt()
    for (const operatorId of [workspace.operatorId, workspace.operatorId.toUpperCase()]) {
      const answer = await send(call(operatorId), callers['of another operator'])
      expect([answer.status, answer.text]).toEqual([status, answer.text])
    }
    expect(changedTables(before, await lookedAt())).toEqual([])
  })
})
