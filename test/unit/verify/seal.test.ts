import { expect, test } from 'vitest'
import { verifySealedPassport } from '../../../src/verify/seal.ts'
import { everyCase, questionOf, revocationsIn } from '../../support/seal-vectors.ts'

test.each(everyCase.map((one) => [one.name, one] as const))('%s', async (_, one) => {
  const question = questionOf(one)
  const { text, sealCa } = question
  const { verdict, checks } = await verifySealedPassport(text, { sealCa, revocations: revocationsIn(question) })
  expect(verdict, JSON.stringify(checks)).toBe(one.verdict)
  // Each check has a readable result.
  for (const { detail } of checks) expect(detail).toMatch(/^\S.*\S$/s)
})
