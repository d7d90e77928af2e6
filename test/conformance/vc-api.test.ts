import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { generate } from '@digitalbazaar/ed25519-multikey'
import { cryptosuite as eddsaRdfc2022 } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { signPresentation } from '@digitalbazaar/vc'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signDataIntegrity } from '../../src/credentials/data-integrity.ts'
import { multikey } from '../../src/credentials/did-document.ts'
import type { JsonRecord } from '../../src/domain/record.ts'
import { verify } from '../../src/verify/index.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { standard } from '../support/reference-tools.ts'
import { createVcApi, keyIssuer } from '../vc-api/server.ts'
import { verifies } from './w3c-ecdsa-jcs-2019.mjs'

const issuer = await keyIssuer()
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
): Promise<{ status: number; body: JsonRecord & { verifiableCredential?: JsonRecord & { proof: JsonRecord } } }> {
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(json),
  })
  return { status: response.status, body: (await response.json()) as JsonRecord }
}
const issue = (credential: object) => post('/credentials/issue', { credential, options: {} })
const check = (verifiableCredential: object) =>
  post('/credentials/verify', { verifiableCredential, options: { checks: ['proof'] } })
/** Signs without validating, like a careless issuer. */
const blindly = (credential: JsonRecord) => signDataIntegrity(credential, issuer, new Date().toISOString())

const V2 = 'https://www.w3.org/ns/credentials/v2'
const EXAMPLES = 'https://www.w3.org/ns/credentials/examples/v2'
const minimal = (): JsonRecord => ({
  '@context': [V2],
  type: ['VerifiableCredential'],
  issuer: issuer.did,
  credentialSubject: { id: 'did:example:subject', name: 'Pat' },
})

/** Digests as in the data model, from their published hexadecimal. */
const sri = (hex: string) => `sha256-${Buffer.from(hex, 'hex').toString('base64')}`
const multihash = (hex: string) => `u${Buffer.from(`1220${hex}`, 'hex').toString('base64url')}`

/** Sections of the Verifiable Credentials Data Model 2.0 with valid credentials. */
const GOOD: Record<string, JsonRecord> = {
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
  '4.3 an inline context': {
    '@context': [V2, { ExampleType: 'https://a.example/T' }],
    type: ['VerifiableCredential', 'ExampleType'],
  },
  '4.5 a type by its URL': { type: ['https://a.example/Type', 'VerifiableCredential'] },
  '4.6 a description in languages': { description: { '@value': 'Text', '@language': 'en', '@direction': 'ltr' } },
  '4.7 an issuer named and described in languages': {
    issuer: {
      id: issuer.did,
      name: [{ '@value': 'Issuer', '@language': 'en' }],
      description: { '@value': 'Text', '@language': 'en' },
    },
  },
  '4.9 fractions of seconds, and another time zone': {
    validFrom: '2020-01-01T00:00:00.123Z',
    validUntil: '2120-01-01T00:00:00.5-05:00',
  },
  '4.10 a status without an id': {
    credentialStatus: {
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: '1',
      statusListCredential: 'https://a.example/list',
    },
  },
  '4.11 several schemas': {
    credentialSchema: [
      { id: 'https://schema.example/a.json', type: 'JsonSchema' },
      { id: 'https://schema.example/b.json', type: 'JsonSchema' },
    ],
  },
  '5.3 a published digest, SRI': {
    relatedResource: [{ id: V2, digestSRI: sri('59955ced6697d61e03f2b2556febe5308ab16842846f5b586d7f1f7adec92734') }],
  },
  '5.3 a related resource that is the context as it was in 2024, by its SHA-384': {
    relatedResource: [{ id: V2, digestSRI: 'sha384-NSOcNpmdIVUxIJGvGUoe22FjTWrXiaXlsZ8q6912LdnR3KraQO2n75Ica4wK4Qeg' }],
  },
  '5.3 a published digest, of an earlier publication': {
    relatedResource: [{ id: V2, digestMultibase: 'uJKGMkOmFbVJhEfKTduMC2XCyvRAYLjOVmZWwIH1wQ7k' }],
  },
  '5.3 a published digest, multihash': {
    relatedResource: {
      id: 'https://w3id.org/security/multikey/v1',
      digestMultibase: multihash('ba2c182de2d92f7e47184bcca8fcf0beaee6d3986c527bf664c195bbc7c58597'),
    },
  },
  '5.3 a resource of which nothing is known': {
    relatedResource: [
      {
        id: 'https://a.example/x',
        digestMultibase: 'uEiAjCHMnK5-ayOIZLWo_TBoKYVvSAprlkYEjRlm19Cj0uw',
        mediaType: 'application/json',
      },
    ],
  },
  '5.4 refresh services': { refreshService: [{ id: 'https://a.example/r', type: 'https://a.example/Refresh' }] },
  '5.10 reserved members': {
    confidenceMethod: { type: 'https://a.example/C' },
    renderMethod: [{ type: 'https://a.example/R' }],
  },
  '5.5 terms of use': { termsOfUse: { type: 'https://a.example/Terms' } },
  '5.6 evidence': { evidence: [{ type: 'https://a.example/Evidence' }] },
}

/** Sections with invalid credentials. */
const BAD: Record<string, JsonRecord> = {
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
  '4.3 a context that is no URL': { '@context': [V2, 'https ://not-a-url/contexts'] },
  '4.5 a type that maps to no URL': {
    '@context': [V2, { ExampleType: 'not a url' }],
    type: ['VerifiableCredential', 'ExampleType'],
  },
  '4.6 a description with extra members': { description: { '@value': 'x', '@language': 'en', more: 'x' } },
  '4.7 an issuer whose name has extra members': { issuer: { id: issuer.did, name: { '@value': 'x', more: 'x' } } },
  '4.7 an issuer whose description is a number': { issuer: { id: issuer.did, description: 5 } },
  '4.9 a time that no calendar has': { validFrom: '2020-13-01T00:00:00Z' },
  '4.9 a year that cannot be compared': { validUntil: '-0500-01-01T00:00:00Z' },
  '4.10 a status with several ids': {
    credentialStatus: { id: ['https://a.example/1', 'https://a.example/2'], type: 'BitstringStatusListEntry' },
  },
  '4.10 a status whose type is mapped to nothing': { credentialStatus: { id: 'https://a.example/', type: 'Unmapped' } },
  '4.11 a schema whose id is no URL': { credentialSchema: { id: 'not a url', type: 'JsonSchema' } },
  '4.11 a schema whose id is a number': { credentialSchema: { id: 5, type: 'JsonSchema' } },
  '5.2 the base type redefined': { '@context': [V2, { VerifiableCredential: 'https://evil.example/VC' }] },
  '5.3 resources that are texts': { relatedResource: ['https://a.example/'] },
  '5.3 a resource without id': { relatedResource: [{ digestSRI: 'sha384-x' }] },
  '5.3 an empty digest': { relatedResource: [{ id: 'https://a.example/', digestSRI: '' }] },
  '5.3 another digest than the published one, SRI': { relatedResource: [{ id: V2, digestSRI: sri('00'.repeat(32)) }] },
  '5.3 another digest than the published one, of 384 bits': {
    relatedResource: [{ id: V2, digestSRI: `sha384-${Buffer.alloc(48).toString('base64')}` }],
  },
  '5.3 a published digest and another': {
    relatedResource: [
      {
        id: V2,
        digestSRI: `${sri('59955ced6697d61e03f2b2556febe5308ab16842846f5b586d7f1f7adec92734')} ${sri('00'.repeat(32))}`,
      },
    ],
  },
  '5.3 another digest than the published one, multibase': {
    relatedResource: [{ id: V2, digestMultibase: multihash('11'.repeat(32)) }],
  },
  '5.3 the digest of another resource': {
    relatedResource: {
      id: 'https://w3id.org/security/jwk/v1',
      digestMultibase: multihash('ba2c182de2d92f7e47184bcca8fcf0beaee6d3986c527bf664c195bbc7c58597'),
    },
  },
  '5.3 a digest of a published context that is none': { relatedResource: [{ id: V2, digestSRI: 'sha256-x' }] },
  '5.10 a reserved member without type': { confidenceMethod: { id: 'https://a.example/C' } },
  '5.10 another reserved member without type': { renderMethod: { id: 'https://a.example/R' } },
  '5.4 a refresh service without type': { refreshService: { id: 'https://a.example/' } },
  '5.5 terms of use without type': { termsOfUse: { id: 'https://a.example/' } },
  '5.6 evidence without type': { evidence: [{ id: 'https://a.example/' }] },
  'JSON-LD: an undefined term': { undefinedTerm: 'x' },
  'JSON-LD: a redefined term': { '@context': [V2, { name: 'https://evil.example/name' }] },
}

const without = (credential: JsonRecord): JsonRecord => JSON.parse(JSON.stringify(credential))

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
    const secured = body.verifiableCredential as JsonRecord & { proof: JsonRecord }
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

describe('the cryptosuite (Data Integrity ECDSA Cryptosuites 1.0)', () => {
  const P256 = standard('vc/vectors/ecdsa-jcs-2019/ecdsa-jcs-2019-p256/signedJCSECDSAP256.json')

  test.skipIf(P256 === undefined)(
    "W3C's vector is accepted, although its issuer is not the controller of its key; dpp verify asks whose it is",
    async () => {
      const vector = JSON.parse(readFileSync(P256 ?? '', 'utf8'))
      expect(await check(vector)).toMatchObject({ status: 200, body: { verified: true } })
      for (const changed of [
        { ...vector, name: 'Another' },
        { ...vector, issuer: 'https://vc.example/issuers/5679' },
        { ...vector, proof: { ...vector.proof, created: '2023-02-24T23:36:39Z' } },
      ]) {
        expect((await check(changed)).status).toBe(400)
      }
      const documents = { read: async (url: string) => Promise.reject(new Error(`${url} is not read here.`)) }
      const { verdict, checks } = await verify(JSON.stringify(vector), {
        documents,
        contexts: CONTEXTS,
        now: new Date(),
      })
      expect([verdict, checks.filter(({ ok }) => ok === false).map(({ name }) => name)]).toEqual([
        'not valid',
        ['issuer'],
      ])
    },
  )

  test('a proof has the members and the encoding that the text names', async () => {
    const { body } = await issue(minimal())
    const { verifiableCredential: secured = { proof: {} } } = body
    expect(secured.proof).toMatchObject({
      type: 'DataIntegrityProof',
      cryptosuite: 'ecdsa-jcs-2019',
      proofPurpose: 'assertionMethod',
      created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
      verificationMethod: issuer.verificationMethod,
      proofValue: expect.stringMatching(/^z[1-9A-HJ-NP-Za-km-z]{80,90}$/),
    })
    expect(issuer.verificationMethod).toMatch(/#zDna[1-9A-HJ-NP-Za-km-z]+$/)
  })

  test('a signature is r and s of 64 bytes, by SHA-256, over proof and document', async () => {
    const credential = minimal()
    const key = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const multibase = await multikey(key.publicKey.export({ format: 'jwk' }))
    const did = `did:key:${multibase}`
    const signedWith = (how: (data: Uint8Array) => Buffer) =>
      signDataIntegrity(
        { ...credential, issuer: did },
        { ...issuer, did, verificationMethod: `${did}#${multibase}`, sign: async (data) => how(data) },
        '2026-01-01T00:00:00Z',
      )
    const p1363 = (hash: string) => (data: Uint8Array) =>
      sign(hash, data, { key: key.privateKey, dsaEncoding: 'ieee-p1363' })
    expect((await check(await signedWith(p1363('sha256')))).status).toBe(200)
    expect((await check(await signedWith(p1363('sha384')))).status).toBe(400)
    expect((await check(await signedWith((data) => sign('sha256', data, key.privateKey)))).status).toBe(400)
    expect((await check(await signedWith(() => Buffer.alloc(64)))).status).toBe(400)
  })

  test('non-conforming proofs are refused', async () => {
    const { body } = await issue(minimal())
    const secured = body.verifiableCredential as JsonRecord & { proof: JsonRecord }
    const value = String(secured.proof.proofValue)
    const changes: JsonRecord[] = [
      { type: undefined },
      { type: '' },
      { type: 'UnknownProofType' },
      { type: ['DataIntegrityProof'] },
      { cryptosuite: undefined },
      { cryptosuite: '' },
      { cryptosuite: 'ecdsa-2019' },
      { proofPurpose: undefined },
      { proofPurpose: 'invalidPurpose' },
      { created: 'invalid' },
      { created: '2026-01-01' },
      { created: 1_700_000_000 },
      { expires: '2020-01-01T00:00:00Z' },
      { expires: 'never' },
      { verificationMethod: 'did:key:invalid' },
      { verificationMethod: `did:key:u${issuer.did.slice(9)}` },
      { verificationMethod: {} },
      { proofValue: undefined },
      { proofValue: '' },
      { proofValue: value.slice(1) },
      { proofValue: `u${value.slice(1)}` },
      { proofValue: `${value.slice(0, -1)}0` },
      { previousProof: 'urn:uuid:x' },
      { '@context': [EXAMPLES] },
      { '@context': undefined },
    ]
    for (const change of changes) {
      const proof = without({ ...secured.proof, ...change })
      expect([change, (await check({ ...secured, proof })).status]).toEqual([change, 400])
    }
    for (const proof of [null, 5, 'x', [], [secured.proof, secured.proof]]) {
      expect([proof, (await check({ ...secured, proof })).status]).toEqual([proof, 400])
    }
  })

  test('characters beyond ASCII are signed as UTF-8', async () => {
    const { body } = await issue({ ...minimal(), name: 'Grüße 你好 𝄞 \u0007' })
    expect((await check(body.verifiableCredential as object)).status).toBe(200)
    const other = JSON.parse(JSON.stringify(body.verifiableCredential).replace('ü', 'u'))
    expect((await check(other)).status).toBe(400)
  })
})

describe('presentations', () => {
  const presentation = (credentials: unknown[], more: JsonRecord = {}) => ({
    '@context': [V2],
    type: ['VerifiablePresentation'],
    verifiableCredential: credentials,
    ...more,
  })
  const enveloped = {
    '@context': [V2],
    type: 'EnvelopedVerifiableCredential',
    id: 'data:application/vc+jwt,eyJhbGciOiJFUzI1NiJ9.e30.AAAA',
  }
  const verifyAt = (verifiablePresentation: object, options: object = {}) =>
    post('/presentations/verify', { verifiablePresentation, options })

  async function signedPresentation(given: object) {
    const key = await generate()
    const did = `did:key:${key.publicKeyMultibase}`
    const signer = { ...key.signer(), id: `${did}#${key.publicKeyMultibase}` }
    return signPresentation({
      presentation: { ...given, holder: did },
      challenge: 'c',
      suite: new DataIntegrityProof({ signer, cryptosuite: eddsaRdfc2022 }),
      documentLoader: async (url: string) => ({ documentUrl: url, document: CONTEXTS.get(url) }),
    })
  }

  test('hold with their credentials, signed with eddsa-rdfc-2022 or not signed', async () => {
    const { body } = await issue(minimal())
    const given = presentation([body.verifiableCredential])
    expect((await verifyAt(given)).status).toBe(200)
    expect((await verifyAt(presentation([enveloped]))).status).toBe(200)
    expect(
      (await verifyAt(presentation([body.verifiableCredential], { id: 'urn:uuid:1', holder: { id: 'did:example:h' } })))
        .status,
    ).toBe(200)
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
      presentation([body.verifiableCredential], { '@context': undefined }),
      presentation([body.verifiableCredential], { '@context': [V2, 'https ://not-a-url/contexts'] }),
      presentation([body.verifiableCredential], { '@context': [V2, 123_192_875] }),
      presentation([body.verifiableCredential], { type: undefined }),
      presentation([body.verifiableCredential], { holder: 'not a url' }),
      presentation([body.verifiableCredential], { holder: {} }),
      presentation([body.verifiableCredential], { unmapped: 'x' }),
      presentation([5]),
      presentation([{ ...body.verifiableCredential, type: undefined }]),
      presentation([{ ...enveloped, type: undefined }]),
      presentation([{ ...enveloped, '@context': undefined }]),
      presentation([{ ...enveloped, id: 'https://a.example/jwt' }]),
      presentation([{ ...enveloped, id: 'data:text/plain,x' }]),
    ]) {
      expect([bad, (await verifyAt(bad)).status]).toEqual([bad, 400])
    }
  })
})
