import { expect, test } from 'vitest'
import type { Revocations } from '../../../src/verify/revocation.ts'
import { verifySealedPassport } from '../../../src/verify/seal.ts'
import { vectors } from '../../support/seal-vectors.ts'

const text = vectors.documents.textile as string
const { created } = JSON.parse(text).proof
const away = (milliseconds: number) => new Date(Date.parse(created) + milliseconds)
const ask = (revocations: Revocations, document = text, sealCa: string | undefined = vectors.sealCa) =>
  verifySealedPassport(document, { ...(sealCa && { sealCa }), revocations })
const checkOf = ({ checks }: Awaited<ReturnType<typeof ask>>) => checks.find(({ name }) => name === 'revocation')

test.each<[string, ReturnType<Revocations>, string, boolean | null, string | undefined, RegExp]>([
  ['is not revoked', { state: 'good' }, 'valid', true, undefined, /^The certificate is not revoked\.$/],
  [
    'may be revoked',
    { state: 'unknown', why: 'there is no list' },
    'undecided',
    null,
    'statusUnknown',
    /^The revocation status of the certificate is unknown: there is no list\.$/,
  ],
  ['was revoked before', { state: 'revoked', at: away(-1) }, 'not valid', false, 'revoked', /, before the seal\.$/],
  ['was revoked then', { state: 'revoked', at: away(0) }, 'not valid', false, 'revoked', /, before the seal\.$/],
  // The holder of the key chooses the date of a seal.
  [
    'was revoked later',
    { state: 'revoked', at: away(1) },
    'undecided',
    null,
    'revoked',
    /, and no trusted timestamp proves that the seal is older\.$/,
  ],
])('a seal whose certificate %s', async (_, found, verdict, ok, code, detail) => {
  const verification = await ask(() => found)
  expect(verification.verdict).toBe(verdict)
  const check = checkOf(verification)
  expect([check?.ok, check?.code, check?.detail]).toEqual([ok, code, expect.stringMatching(detail)])
  if (found.state === 'revoked') {
    expect(check?.detail).toContain(`is revoked from ${found.at.toISOString()}`)
  }
})

test('without a trusted certificate, no list is read', async () => {
  const never = () => expect.unreachable()
  for (const verification of [
    await ask(never, text, ''),
    await ask(never, JSON.stringify({ ...JSON.parse(text), proof: { ...JSON.parse(text).proof, x5c: undefined } })),
  ]) {
    expect(checkOf(verification)).toBeUndefined()
  }
})
