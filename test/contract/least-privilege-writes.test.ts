import { describe, expect, test } from 'vitest'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { CASES, PROTECTED, useLeastPrivilege } from '../support/least-privilege.ts'
import type { Call } from '../support/sample-calls.ts'
import { changedTables } from '../support/table-digests.ts'

const { operation, workspace, callers, send, lookedAt, weakened } = await useLeastPrivilege()

describe.each(PROTECTED.filter((operationId) => CASES[operationId]?.writes !== undefined))('%s', (operationId) => {
  const one = operation(operationId)

  test('is for an auditor when it reads', one.forAuditors)
  test('is for nobody whose credential is none, or is not meant', one.forNobodyWithoutCredential)
  test('keeps to the workspace of a key, also where the services forget to name it', one.keepsToWorkspace)
  test('is for its permissions alone', one.forPermissionsAlone)
  test('keeps to the operator of a limited key', one.keepsToOperator)
})

test('what has been forgotten was in many statements', () => {
  expect(weakened()).toBeGreaterThan(25)
})

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
