import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Credentials, PUBLIC, useLeastPrivilege } from '../support/least-privilege.ts'
import type { Subjects } from '../support/sample-calls.ts'

const { callers, callOf, send, lookedAt, expectUntouched, given, isUntouchedBy } = await useLeastPrivilege()

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
      // A request for access gets a reference of its own.
      return [status, text.replace(/"timestamp":"[^"]+"|request-access\/[\w-]{22}/, '')]
    }
    const anonymous = await asked({})
    isUntouchedBy(operationId)
    const answers = NOBODY_SPECIAL.map(async (caller) => [caller, ...(await asked(callers[caller]))])
    expect(await Promise.all(answers)).toEqual(NOBODY_SPECIAL.map((caller) => [caller, ...anonymous]))
  })
})
