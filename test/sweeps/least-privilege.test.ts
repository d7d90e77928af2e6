import { expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { CASES, PUBLIC, useLeastPrivilege } from '../support/least-privilege.ts'

const { describeOperations, gateway, required } = await useLeastPrivilege()

test('every operation of the contract is here, as what the contract says that it is', () => {
  const { operations } = gateway.container.cradle.contract
  expect(Object.keys(CASES).sort()).toEqual([...operations.keys()].sort())
  for (const operationId of Object.keys(CASES)) {
    expect([operationId, operations.get(operationId)?.isPublic]).toEqual([operationId, PUBLIC.includes(operationId)])
  }
})

test('every permission but those of later operations is asked for by one', () => {
  const checked = new Set([...required.values()].flat())
  expect(PERMISSIONS.filter((permission) => !checked.has(permission))).toEqual([])
})

// Writes: least-privilege-products.test.ts and least-privilege-writes.test.ts.
describeOperations('reads', 26)
