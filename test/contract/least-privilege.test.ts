import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/permissions.ts'
import { CASES, type Credentials, PROTECTED, PUBLIC, useLeastPrivilege } from '../support/least-privilege.ts'
import type { Subjects } from '../support/sample-calls.ts'

const {
  operation,
  gateway,
  callers,
  required,
  callOf,
  send,
  lookedAt,
  expectUntouched,
  given,
  isUntouchedBy,
  weakened,
} = await useLeastPrivilege()

test('every operation of the contract is here, as what the contract says that it is', () => {
  const { operations } = gateway.container.cradle.contract
  expect(Object.keys(CASES).sort()).toEqual([...operations.keys()].sort())
  for (const operationId of Object.keys(CASES)) {
    expect([operationId, operations.get(operationId)?.isPublic]).toEqual([operationId, PUBLIC.includes(operationId)])
  }
})

test('every permission but those of later operations is asked for by one', () => {
  const asked = new Set([...required.values()].flat())
  expect(PERMISSIONS.filter((permission) => !asked.has(permission))).toEqual([])
})

// Those that write: least-privilege-writes.test.ts.
describe.each(PROTECTED.filter((operationId) => CASES[operationId]?.writes === undefined))('%s', (operationId) => {
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

describe('what needs no credential', () => {
  /** Those who see no more than everybody: a foreign, limited, narrowed or bad credential refuses nothing and shows nothing. */
  const NOBODY_SPECIAL = [
    'of another operator',
    'of another workspace',
    'session',
    "auditor's session",
    'without any permission',
    'revoked',
    'expired',
    'made up',
  ] as const

  let subjects: Subjects
  beforeAll(async () => {
    subjects = { ...(await given()), serial: 'S-1' }
    // The first answer is stored.
    for (const operationId of PUBLIC) await send(callOf(operationId, subjects), {})
    await lookedAt()
  })
  afterAll(expectUntouched)

  test.each(PUBLIC)('%s answers everybody alike', async (operationId) => {
    const call = callOf(operationId, subjects)
    const asked = async (headers: Credentials) => {
      const { status, text } = await send(call, headers)
      return [status, text.replace(/"timestamp":"[^"]+"/, '')]
    }
    const anonymous = await asked({})
    isUntouchedBy(operationId)
    const answers = NOBODY_SPECIAL.map(async (caller) => [caller, ...(await asked(callers[caller]))])
    expect(await Promise.all(answers)).toEqual(NOBODY_SPECIAL.map((caller) => [caller, ...anonymous]))
  })
})
