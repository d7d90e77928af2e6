import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { generate } from '@digitalbazaar/ed25519-multikey'
import { cryptosuite as eddsaRdfc2022 } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { signPresentation } from '@digitalbazaar/vc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signDataIntegrity } from '../../src/domain/credentials/data-integrity.ts'
import { builtInContexts } from '../../src/verify/contexts.ts'
import { createVcApi, keyIssuer } from '../vc-api/server.ts'
import { verifies } from './w3c-ecdsa-jcs-2019.mjs'

type Json = Record<string, unknown>

const issuer = keyIssuer()
let server: Server
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server = createVcApi(issuer).listen(0, '127.0.0.1', () => resolve())
  })
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

async function post(
  path: string,
  json: object,
): Promise<{ status: number; body: Json & { verifiableCredential?: Json & { proof: Json } } }> {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  return { status: response.status, body: (await response.json()) as Json }
}
const issue = (credential: object) => post('/credentials/issue', { credential, options: {} })
const check = (verifiableCredential: object) =>
  post('/credentials/verify', { verifiableCredential, options: { checks: ['proof'] } })
/** Signed without a look at the content, as somebody else's issuer might. */
const blindly = (credential: Json) => signDataIntegrity(credential, issuer, new Date().toISOString())

const V2 = 'https://www.w3.org/ns/credentials/v2'
const EXAMPLES = 'https://www.w3.org/ns/credentials/examples/v2'
const minimal = (): Json => ({
  '@context': [V2],
  type: ['VerifiableCredential'],
  issuer: issuer.did,
  credentialSubject: { id: 'did:example:subject', name: 'Pat' },
})

/** Sections of the Verifiable Credentials Data Model 2.0, and credentials that they allow. */
const GOOD: Record<string, Json> = {
  '4.3 another context': { '@context': [V2, EXAMPLES] },
  '4.4 an id': { id: 'urn:uuid:58172aac-d8ba-11ed-83dd-0b3aef56cc33' },
  '4.5 a mapped type': { '@context': [V2, EXAMPLES], type: ['VerifiableCredential', 'AlumniCredential'] },
  '4.6 name in languages': {
    name: [
      { '@value': 'Name', '@language': 'en' },
      { '@value': 'Nom', '@language': 'fr', '@direction': 'ltr' },
    ],
  },
  '4.7 an issuer object': { issuer: { id: issuer.did, name: 'Issuer' } },
  '4.8 several subjects': { credentialSubject: [{ id: 'did:example:a' }, { id: 'did:example:b' }] },
  '4.9 a validity': { validFrom: '2020-01-01T00:00:00Z', validUntil: '2120-01-01T00:00:00+01:00' },
  '4.11 a schema': { credentialSchema: { id: 'https://schema.example/s.json', type: 'JsonSchemaCredential' } },
  '5.3 related resources': { relatedResource: [{ id: 'https://a.example/', digestSRI: 'sha384-x' }] },
  '5.5 terms of use': { termsOfUse: { type: 'https://a.example/Terms' } },
  '5.6 evidence': { evidence: [{ type: 'https://a.example/Evidence' }] },
}

/** The same, and credentials that they forbid. */
const BAD: Record<string, Json> = {
  '4.3 no context': { '@context': undefined },
  '4.3 the base context not first': { '@context': [EXAMPLES, V2] },
  '4.3 a context that is a number': { '@context': [V2, 5] },
  '4.3 an unknown context': { '@context': [V2, 'https://unknown.example/'] },
  '4.4 an id that is no URL': { id: 'not a url' },
  '4.4 several ids': { id: ['did:example:a', 'did:example:b'] },
  '4.5 no type': { type: undefined },
  '4.5 not the base type': { type: ['AlumniCredential'] },
  '4.5 an unmapped type': { type: ['VerifiableCredential', 'UnmappedType'] },
  '4.6 a name with extra members': { name: { '@value': 'x', '@language': 'en', more: 'x' } },
  '4.7 an issuer that is no URL': { issuer: 'not a url' },
  '4.7 an issuer without id': { issuer: { name: 'x' } },
  '4.8 no subject': { credentialSubject: undefined },
  '4.8 an empty subject': { credentialSubject: {} },
  '4.8 a text as subject': { credentialSubject: 'x' },
  '4.8 an empty subject among several': { credentialSubject: [{ id: 'did:example:a' }, {}] },
  '4.9 a date without time': { validFrom: '2020-01-01' },
  '4.9 a time without zone': { validUntil: '2120-01-01T00:00:00' },
  '4.9 an end before the start': { validFrom: '2021-01-01T00:00:00Z', validUntil: '2020-01-01T00:00:00Z' },
  '4.10 a status without type': { credentialStatus: { id: 'https://a.example/' } },
  '4.10 a status whose id is no URL': { credentialStatus: { id: 'x y', type: 'BitstringStatusListEntry' } },
  '4.11 a schema without type': { credentialSchema: { id: 'https://a.example/' } },
  '4.11 a schema without id': { credentialSchema: { type: 'JsonSchema' } },
  '5.3 a resource without digest': { relatedResource: [{ id: 'https://a.example/' }] },
  '5.3 a resource twice': {
    relatedResource: [
      { id: 'https://a.example/', digestSRI: 'sha384-x' },
      { id: 'https://a.example/', digestSRI: 'sha384-y' },
    ],
  },
  '5.4 a refresh service without type': { refreshService: { id: 'https://a.example/' } },
  '5.5 terms of use without type': { termsOfUse: { id: 'https://a.example/' } },
  '5.6 evidence without type': { evidence: [{ id: 'https://a.example/' }] },
  'JSON-LD: an undefined term': { undefinedTerm: 'x' },
  'JSON-LD: a redefined term': { '@context': [V2, { name: 'https://evil.example/name' }] },
}

const without = (credential: Json): Json => JSON.parse(JSON.stringify(credential))

describe('credentials that the data model allows', () => {
  test.each(Object.keys(GOOD))('%s', async (name) => {
    const { status, body } = await issue({ ...minimal(), ...GOOD[name] })
    expect([status, body]).toEqual([201, body])
    const { verifiableCredential = { proof: {} } } = body
    expect(await verifies(verifiableCredential, async (id) => id.split('#')[1] ?? '')).toBe(true)
    expect(await check(verifiableCredential)).toMatchObject({ status: 200, body: { verified: true } })
  })

  test('a changed copy is refused', async () => {
    const { body } = await issue(minimal())
    const secured = body.verifiableCredential as Json & { proof: Json }
    for (const forgery of [
      { ...secured, credentialSubject: { id: 'did:example:other' } },
      { ...secured, proof: { ...secured.proof, cryptosuite: 'eddsa-jcs-2022' } },
      { ...secured, proof: { ...secured.proof, proofPurpose: 'authentication' } },
      { ...secured, proof: { ...secured.proof, created: 'yesterday' } },
      { ...secured, proof: { ...secured.proof, verificationMethod: undefined } },
      { ...secured, proof: undefined },
    ]) {
      expect((await check(forgery)).status).toBe(400)
    }
  })
})

describe('credentials that the data model forbids', () => {
  test.each(Object.keys(BAD))('%s', async (name) => {
    const credential = without({ ...minimal(), ...BAD[name] })
    expect((await issue(credential)).status).toBe(400)
    const signed = await blindly({ '@context': [V2], ...credential }).catch(() => undefined)
    if (signed !== undefined && credential['@context'] !== undefined) expect((await check(signed)).status).toBe(400)
  })
})

describe('presentations', () => {
  const presentation = (credentials: unknown[], more: Json = {}) => ({
    '@context': [V2],
    type: ['VerifiablePresentation'],
    verifiableCredential: credentials,
    ...more,
  })
  const verifyAt = (verifiablePresentation: object, options: object = {}) =>
    post('/presentations/verify', { verifiablePresentation, options })

  async function signedPresentation(given: object) {
    const key = await generate()
    const did = `did:key:${key.publicKeyMultibase}`
    const signer = { ...key.signer(), id: `${did}#${key.publicKeyMultibase}` }
    const contexts = await builtInContexts()
    return signPresentation({
      presentation: { ...given, holder: did },
      challenge: 'c',
      suite: new DataIntegrityProof({ signer, cryptosuite: eddsaRdfc2022 }),
      documentLoader: async (url: string) => ({ documentUrl: url, document: contexts.get(url) }),
    })
  }

  test('hold with their credentials, signed with eddsa-rdfc-2022 or not signed', async () => {
    const { body } = await issue(minimal())
    const given = presentation([body.verifiableCredential])
    expect((await verifyAt(given)).status).toBe(200)
    const signed = await signedPresentation(given)
    expect(await verifyAt(signed, { challenge: 'c' })).toMatchObject({ status: 200 })
    expect((await verifyAt(signed, { challenge: 'another' })).status).toBe(400)
    expect((await verifyAt({ ...signed, holder: 'did:example:other' }, { challenge: 'c' })).status).toBe(400)
  })

  test('are refused with a forged credential, and where the data model forbids them', async () => {
    const { body } = await issue(minimal())
    const forged = { ...body.verifiableCredential, credentialSubject: { id: 'did:example:other' } }
    for (const bad of [
      presentation([forged]),
      presentation(['x']),
      presentation([body.verifiableCredential], { type: ['Presentation'] }),
      presentation([body.verifiableCredential], { '@context': [EXAMPLES] }),
      presentation([body.verifiableCredential], { id: ['a:b', 'c:d'] }),
    ]) {
      expect((await verifyAt(bad)).status).toBe(400)
    }
  })
})
