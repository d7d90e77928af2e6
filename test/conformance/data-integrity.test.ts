import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signDataIntegrity } from '../../src/credentials/data-integrity.ts'
import { multikey } from '../../src/credentials/did-document.ts'
import type { JsonRecord } from '../../src/domain/record.ts'
import { verify } from '../../src/verify/index.ts'
import { multikeyPublicKey } from '../../src/verify/keys.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { FORMS, type IssuingGateway, issuerIn, METADATA, startIssuingGateway } from '../support/credentials.ts'
import { digitalBazaar } from '../support/digital-bazaar.ts'
import { standard } from '../support/reference-tools.ts'
import { fromMultibase, steps, verifies } from './w3c-ecdsa-jcs-2019.mjs'

type Secured = JsonRecord & { proof: JsonRecord; '@context': string[]; credentialSubject: JsonRecord }

let issuing: IssuingGateway
beforeAll(async () => {
  issuing = await startIssuingGateway()
})
afterAll(() => issuing.gateway.close())

const given = async (category: string): Promise<Secured> =>
  JSON.parse(await issuing.credential(await issuing.given(METADATA[category] ?? {}), FORMS.dataIntegrity))

async function published(id: string): Promise<string> {
  const { verificationMethod } = (await issuing.didDocument()) as { verificationMethod: JsonRecord[] }
  const method = verificationMethod.find((entry) => entry.id === id && entry.type === 'Multikey')
  if (method === undefined) throw new Error(`${id} is not published.`)
  return String(method.publicKeyMultibase)
}

const verdictOf = async (secured: object) => ({
  digitalBazaar: await digitalBazaar(issuing).verify(structuredClone(secured)),
  w3cText: await verifies(secured, published).catch(() => false),
  ours: (await verify(JSON.stringify(secured), { documents: issuing.documents, contexts: CONTEXTS, now: new Date() }))
    .valid,
})
const by = (verdict: boolean) => ({ digitalBazaar: verdict, w3cText: verdict, ours: verdict })

describe.each(Object.keys(METADATA))('a credential of category %s', (category) => {
  test('is accepted by Digital Bazaar, by a verifier of the W3C text and by dpp verify', async () => {
    expect(await verdictOf(await given(category))).toEqual(by(true))
  })

  test('has contexts by address alone, and the proof has a copy', async () => {
    const { '@context': context, proof } = await given(category)
    expect(context.every((entry) => typeof entry === 'string')).toBe(true)
    expect(proof).toMatchObject({
      type: 'DataIntegrityProof',
      cryptosuite: 'ecdsa-jcs-2019',
      proofPurpose: 'assertionMethod',
      verificationMethod: `${issuing.did}#key-1`,
      '@context': context,
    })
    expect(fromMultibase(String(proof.proofValue))).toHaveLength(64)
  })

  test('is refused by all when it was tampered with', async () => {
    const secured = await given(category)
    const other = await given(category)
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const proof = (change: JsonRecord) => ({ ...secured, proof: { ...secured.proof, ...change } })
    const forgeries: Record<string, object> = {
      'a changed claim': { ...secured, credentialSubject: { ...secured.credentialSubject, name: 'Another' } },
      'an added claim': { ...secured, note: 'added' },
      'another context': { ...secured, '@context': [...secured['@context'].slice(0, 1), 'https://evil.example/'] },
      'a swapped proof': { ...secured, proof: other.proof },
      'another time': proof({ created: '2020-01-01T00:00:00Z' }),
      'another purpose': proof({ proofPurpose: 'authentication' }),
      'another suite': proof({ cryptosuite: 'ecdsa-rdfc-2019' }),
      'an unknown key': proof({ verificationMethod: `${issuing.did}#key-9` }),
      'no value': proof({ proofValue: undefined }),
      'a cut value': proof({ proofValue: String(secured.proof.proofValue).slice(0, -2) }),
      'a key of somebody else': await resigned(secured, privateKey),
      'no proof': { ...secured, proof: undefined },
    }
    for (const [name, forgery] of Object.entries(forgeries)) {
      expect([name, await verdictOf(JSON.parse(JSON.stringify(forgery)))]).toEqual([name, by(false)])
    }
  })
})

async function resigned(secured: Secured, privateKey: KeyObject): Promise<object> {
  const { proof: _proof, ...credential } = secured
  return signDataIntegrity(credential, {
    did: issuing.did,
    name: '',
    url: issuing.url,
    verificationMethod: `${issuing.did}#key-1`,
    keyNumber: 1,
    sign: async (data) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  })
}

test('a key in the name of another issuer is refused by Digital Bazaar and dpp verify', async () => {
  const stranger = await issuerIn(issuing.gateway)
  const secured = JSON.parse(
    await stranger.credential(await stranger.given(METADATA.textiles ?? {}), FORMS.dataIntegrity),
  )
  const forgery = { ...secured, issuer: { ...secured.issuer, id: issuing.did } }
  expect(await digitalBazaar(stranger).verify(structuredClone(forgery))).toBe(false)
  const { checks, valid } = await verify(JSON.stringify(forgery), {
    documents: stranger.documents,
    contexts: CONTEXTS,
    now: new Date(),
  })
  expect([valid, checks.find(({ name }) => name === 'issuer')?.ok]).toEqual([false, false])
})

test('the DID document has the members that its contexts define, and no others', async () => {
  const { '@context': context, verificationMethod, ...rest } = (await issuing.didDocument()) as Record<string, unknown>
  expect(context).toEqual([
    'https://www.w3.org/ns/did/v1',
    'https://w3id.org/security/multikey/v1',
    'https://w3id.org/security/jwk/v1',
    'https://w3id.org/security/suites/jws-2020/v1',
  ])
  expect(Object.keys(rest)).toEqual(['id', 'assertionMethod', 'authentication'])
  const members = (verificationMethod as JsonRecord[]).flatMap((method) => Object.keys(method))
  expect(new Set(members)).toEqual(new Set(['id', 'type', 'controller', 'publicKeyMultibase', 'publicKeyJwk']))
})

test("a Multikey as Digital Bazaar's library writes it is read as the same key", async () => {
  for (let count = 0; count < 20; count += 1) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const text = await multikey(publicKey.export({ format: 'jwk' }))
    expect(text).toMatch(/^zDna/)
    expect(multikeyPublicKey(text).equals(publicKey)).toBe(true)
  }
})

const vectors = standard('vc/vectors/ecdsa-jcs-2019')

describe.skipIf(vectors === undefined)('the vectors of W3C', () => {
  const read = (name: string) => readFileSync(`${vectors}/${name}`, 'utf8')
  const P256 = 'ecdsa-jcs-2019-p256/'
  const lookUp = async (id: string) => id.split('#')[1] ?? ''

  test('agree with the verifier of the W3C text at each step, P-256', () => {
    const { proofConfig, document, proofHash, documentHash, hashData, proofValue } = steps(
      JSON.parse(read(`${P256}signedJCSECDSAP256.json`)),
    )
    expect(document).toBe(read(`${P256}canonDocJCSECDSAP256.txt`))
    expect(documentHash.toString('hex')).toBe(read(`${P256}docHashJCSECDSAP256.txt`))
    expect(proofConfig).toBe(read(`${P256}proofCanonJCSECDSAP256.txt`))
    expect(proofHash.toString('hex')).toBe(read(`${P256}proofHashJCSECDSAP256.txt`))
    expect(hashData.toString('hex')).toBe(read(`${P256}combinedHashJCSECDSAP256.txt`))
    expect(proofValue).toBe(read(`${P256}sigBTC58JCSECDSAP256.txt`))
    expect(fromMultibase(proofValue).toString('hex')).toBe(read(`${P256}sigHexJCSECDSAP256.txt`))
  })

  test.each(['p256/signedJCSECDSAP256', 'p384/signedJCSECDSAP384'])(
    '%s verifies, and a changed one does not',
    async (name) => {
      const secured = JSON.parse(read(`ecdsa-jcs-2019-${name}.json`))
      expect(await verifies(secured, lookUp)).toBe(true)
      expect(await verifies({ ...secured, name: 'Another' }, lookUp)).toBe(false)
    },
  )

  test('signed content matches the vector', async () => {
    const options = JSON.parse(read(`${P256}proofConfigJCSECDSAP256.json`))
    const unsigned = JSON.parse(read('unsigned.json'))
    let signed = Buffer.alloc(0)
    const secured = (await signDataIntegrity(
      { ...unsigned, validFrom: unsigned.validFrom },
      {
        did: '',
        name: '',
        url: '',
        verificationMethod: options.verificationMethod,
        keyNumber: 1,
        sign: async (data) => {
          signed = Buffer.from(data)
          return fromMultibase(read(`${P256}sigBTC58JCSECDSAP256.txt`))
        },
      },
    )) as Secured
    const { hashData, documentHash } = steps(secured)
    expect(signed.toString('hex')).toBe(hashData.toString('hex'))
    expect(documentHash.toString('hex')).toBe(read(`${P256}docHashJCSECDSAP256.txt`))
    expect(secured.proof.proofValue).toBe(read(`${P256}sigBTC58JCSECDSAP256.txt`))
  })
})
