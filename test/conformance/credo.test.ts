import { afterAll, beforeAll, expect, test } from 'vitest'
import { FORMS, forged, type IssuingGateway, METADATA, startIssuingGateway } from '../support/credentials.ts'
import { credo } from '../support/credo.ts'

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

test.each(Object.keys(METADATA))(
  'Credo accepts a vc+jwt of category %s, and refuses it tampered with',
  async (category) => {
    const agent = credo(issuing)
    const compact = await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.jwt)
    const result = await agent.verifyJwt(compact)
    expect([result.isValid, result.error, result.validations]).toEqual([true, undefined, expect.anything()])
    for (const forgery of [
      forged(compact, { payload: { name: 'Another' } }),
      forged(compact, { header: { cty: 'x' } }),
      forged(compact, { header: { kid: `${issuing.did}#key-9` } }),
      forged(compact, { header: { alg: 'none' } }),
      forged(compact, { header: { alg: 'HS256' } }),
      forged(compact, { payload: { issuer: 'did:web:evil.example', iss: 'did:web:evil.example' } }),
    ]) {
      expect((await agent.verifyJwt(forgery).catch(() => ({ isValid: false }))).isValid).toBe(false)
    }
  },
)
