import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Credentials, PUBLIC, useLeastPrivilege } from '../support/least-privilege.ts'
import type { Subjects } from '../support/sample-calls.ts'

const { callers, callOf, send, lookedAt, expectUntouched, given, isUntouchedBy } = await useLeastPrivilege()

describe('operations without credential', () => {
  /** Callers without additional access: foreign, restricted or invalid credentials neither reject nor disclose. */
  const UNPRIVILEGED = [
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
    // The first response is stored.
    for (const operationId of PUBLIC) await send(callOf(operationId, subjects), {})
    await lookedAt()
  })
  afterAll(expectUntouched)

  test.each(PUBLIC)('%s responds to every caller alike', async (operationId) => {
    const call = callOf(operationId, subjects)
    const request = async (headers: Credentials) => {
      const { status, text } = await send(call, headers)
      // Each access request has its own reference.
      return [status, text.replace(/"(?:timestamp|correlationId)":"[^"]+"|request-access\/[\w-]{22}/g, '')]
    }
    const anonymous = await request({})
    isUntouchedBy(operationId)
    const answers = UNPRIVILEGED.map(async (caller) => [caller, ...(await request(callers[caller]))])
    expect(await Promise.all(answers)).toEqual(UNPRIVILEGED.map((caller) => [caller, ...anonymous]))
  })
})
