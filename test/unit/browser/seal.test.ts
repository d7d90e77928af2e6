import { expect, test } from 'vitest'
import { everyCase, questionOf } from '../../support/seal-vectors.ts'

// The script of the page /verify with Node's Web Crypto, on the cases of every verifier
// (test/trials/seal-verdicts.test.ts).

interface PageVerifier {
  verifySeal(
    text: string,
    sealCa: string | undefined,
    options: { lists?: readonly Uint8Array[] | undefined },
  ): Promise<{ readonly verdict: string; readonly reason: string }>
}

const SCRIPT: string = '../../../plugins/modules/verifier/browser/seal.js'
const { verifySeal }: PageVerifier = await import(SCRIPT)

test.each(everyCase.map((one) => [one.name, one] as const))('%s', async (_, one) => {
  const { text, sealCa, lists } = questionOf(one)
  const { verdict, reason } = await verifySeal(text, sealCa, { lists })
  expect(verdict, reason).toBe(one.verdict)
  // An unexpected exception is not a verdict.
  expect(reason).not.toMatch(/^The check was aborted/)
})
