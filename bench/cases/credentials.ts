import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  sign,
  verify as verifySignature,
} from 'node:crypto'
import { join } from 'node:path'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { createSignCryptosuite, createVerifyCryptosuite } from '@digitalbazaar/ecdsa-jcs-2019-cryptosuite'
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc'
import { compactVerify } from 'jose'
import jsigs from 'jsonld-signatures'
import { signSdJwtVc } from '../../plugins/representations/untp/sd-jwt-vc.ts'
import { productPassportCredential } from '../../plugins/representations/untp/untp.ts'
import descriptionsOf from '../../src/categories/descriptions.ts'
import { signDataIntegrity } from '../../src/credentials/data-integrity.ts'
import { didDocument, multikey } from '../../src/credentials/did-document.ts'
import { signVcJwt } from '../../src/credentials/vc-jwt.ts'
import type { Issuer } from '../../src/domain/issuer.ts'
import type { Json } from '../../src/domain/metadata.ts'
import type { PassportView } from '../../src/domain/view.ts'
import { loadContexts, loadPlugins } from '../../src/plugin/loader.ts'
import translatorOf from '../../src/renditions/translator.ts'
import { ROOT } from '../../src/root.ts'
import { verify } from '../../src/verify/index.ts'
import { answersOf, type Case } from '../bench.ts'
import { textile } from '../data.ts'
import { makeRequest } from '../http.ts'
import { median } from '../pair.ts'

const PASSPORTS = 100
const QUICK_PASSPORTS = 4

const cached: Case = {
  name: 'resolve-vc-jwt-by-jsonld',
  ours: 'cached public resolve of a textile passport as vc+jwt',
  against: 'our own cached JSON-LD of the same passports',
  async prepare({ data, isQuick, startGateway }) {
    const gateway = await startGateway()
    const headers = { Authorization: data.authorization, 'Content-Type': 'application/json' }
    const gln = { gln: '4000000999997', name: 'Bench works', country: 'PT' }
    const [facility] = await answersOf(
      gateway,
      [makeRequest('POST', '/api/v1/facilities', headers, JSON.stringify(gln))],
      201,
    )
    const facilityId = JSON.parse(facility?.body.toString() ?? '').facility.id
    const creations = Array.from({ length: isQuick ? QUICK_PASSPORTS : PASSPORTS }, (_, index) =>
      makeRequest(
        'POST',
        '/api/v1/passports',
        headers,
        JSON.stringify({ productId: `VC-${index}`, facilityId, metadata: textile }),
      ),
    )
    const ids = (await answersOf(gateway, creations, 201)).map(({ body }) => JSON.parse(body.toString()).passport.id)
    const requests = (accept: string) => ids.map((id) => makeRequest('GET', `/passport/${id}`, { Accept: accept }))
    const [credentials, documents] = [requests('application/vc+jwt'), requests('application/ld+json')]
    for (const warm of [credentials, documents]) await answersOf(gateway, warm, 200)
    return {
      baseline: { server: gateway, requests: documents, status: 200 },
      ours: { server: gateway, requests: credentials, status: 200 },
    }
  },
}

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const es256 = async (data: Uint8Array) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
const did = 'did:web:bench.example:tenants:1'
const issuer: Issuer = {
  did,
  name: 'Bench',
  url: 'https://bench.example/tenants/1',
  verificationMethod: `${did}#key-1`,
  keyNumber: 1,
  sign: es256,
}

const view: PassportView = {
  baseUrl: 'https://bench.example',
  audience: 'public',
  id: '00000000-0000-4000-8000-000000000001',
  productId: '09506000134352',
  identifier: { scheme: 'gtin', value: '09506000134352' },
  digitalLinkUri: 'https://bench.example/01/09506000134352',
  status: 'ACTIVE',
  archivedAt: null,
  retentionUntil: null,
  registration: null,
  journey: null,
  sections: [],
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
  version: 1,
  operator: {
    id: '00000000-0000-4000-8000-000000000004',
    name: 'Bench GmbH',
    regId: 'DE1',
    role: 'MANUFACTURER',
    contact: null,
  },
  links: [],
  media: [],
  brand: null,
  recall: null,
  facility: {
    id: '00000000-0000-4000-8000-000000000003',
    gln: '4012345000009',
    name: 'Works',
    activity: null,
    country: 'DE',
  },
  metadata: textile as unknown as PassportView['metadata'],
  maskedKeys: [],
  grantableKeys: [],
  privilegedKeys: [],
  seal: null,
  enrichment: null,
}

const signing: Case = {
  name: 'credentials',
  figures: [
    { name: 'issue-vc-jwt-by-bare', unit: 'x' },
    { name: 'issue-data-integrity-by-library', unit: 'x' },
    { name: 'issue-sd-jwt-by-library', unit: 'x' },
    { name: 'issue-vc-jwt', unit: '/s' },
    { name: 'issue-data-integrity', unit: '/s' },
    { name: 'issue-sd-jwt', unit: '/s' },
    { name: 'verify-vc-jwt-by-signature', unit: 'x' },
    { name: 'verify-data-integrity-by-library', unit: 'x' },
    { name: 'verify-sd-jwt-by-library', unit: 'x' },
    { name: 'verify-vc-jwt', unit: '/s' },
    { name: 'verify-data-integrity', unit: '/s' },
    { name: 'verify-sd-jwt', unit: '/s' },
  ],
  async run({ isQuick }) {
    const compare = comparison(isQuick ? { rounds: 2, calls: 5 } : { rounds: 40, calls: 50 })
    const plugins = await loadPlugins([join(ROOT, 'plugins/categories')])
    const descriptions = descriptionsOf({ plugins, translator: translatorOf({ plugins }) })
    const context = {
      profile: 'untp-0.7.0',
      signing: { issuer, statusPlace: async () => ({ list: 0, index: 7 }) },
      describe: (category: Json | undefined) => descriptions.of(category, ''),
    }
    const mapped = () => productPassportCredential(view, context)
    const credential = await mapped()
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = { alg: 'ES256', typ: 'vc+jwt', cty: 'vc', kid: issuer.verificationMethod }
    const bareJwt = async () => {
      const signed = `${encode(header)}.${encode({ ...credential, iss: did })}`
      return `${signed}.${Buffer.from(await es256(Buffer.from(signed))).toString('base64url')}`
    }
    const bareProof = () =>
      jsigs.sign(structuredClone(credential), {
        suite: new DataIntegrityProof({
          signer: {
            id: issuer.verificationMethod,
            algorithm: 'P-256',
            sign: ({ data }: { data: Uint8Array }) => es256(data),
          },
          date: String(credential.validFrom),
          cryptosuite: createSignCryptosuite(),
        }),
        purpose: new jsigs.purposes.AssertionProofPurpose(),
        documentLoader: async () => Promise.reject(new Error('nothing is loaded')),
      })
    const library = new SDJwtVcInstance({
      signer: async (data) => Buffer.from(await es256(Buffer.from(data))).toString('base64url'),
      signAlg: 'ES256',
      hasher: (data) =>
        createHash('sha256')
          .update(typeof data === 'string' ? data : new Uint8Array(data))
          .digest(),
      hashAlg: 'sha-256',
      verifier: (data, signature) =>
        verifySignature(
          'sha256',
          Buffer.from(data),
          { key: publicKey, dsaEncoding: 'ieee-p1363' },
          Buffer.from(signature, 'base64url'),
        ),
      statusListFetcher: async () => Promise.reject(new Error('none')),
      saltGenerator: () => randomBytes(16).toString('base64url'),
    })
    const subject = credential.credentialSubject as { characteristics: object }
    const hidden = ['producedAtFacility', 'countryOfProduction', 'relatedParty', 'performanceClaim', 'characteristics']
    const frame = { credentialSubject: { _sd: hidden, characteristics: { _sd: Object.keys(subject.characteristics) } } }
    const bareSdJwt = () =>
      library.issue(
        { iss: issuer.url, vct: 'https://bench.example/vct', ...structuredClone(credential) } as never,
        frame as never,
      )
    const ours = {
      jwt: async () => signVcJwt(await mapped(), issuer),
      proof: async () => signDataIntegrity(await mapped(), issuer),
      sdJwt: async () => signSdJwtVc(await mapped(), { issuer, list: 0, baseUrl: view.baseUrl }),
    }
    const [jwt, proof, sdJwt] = [
      await compare(ours.jwt, bareJwt),
      await compare(ours.proof, bareProof),
      await compare(ours.sdJwt, bareSdJwt),
    ]
    const [compact, embedded, disclosed] = [await ours.jwt(), JSON.stringify(await ours.proof()), await ours.sdJwt()]
    const validate = async (text: string) => {
      const { valid, checks } = await verify(text, { documents, contexts, now: new Date(), allowUnknownStatus: true })
      if (!valid) throw new Error(JSON.stringify(checks))
    }
    const controller = didDocument(did, [{ number: 1, publicJwk, publicKeyMultibase }]) as {
      verificationMethod: object[]
    }
    const bareVerification = async () => {
      const { verified: isValid } = await jsigs.verify(JSON.parse(embedded), {
        suite: new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() }),
        purpose: new jsigs.purposes.AssertionProofPurpose(),
        documentLoader: async (url: string) => ({
          documentUrl: url,
          document:
            url === did
              ? controller
              : { '@context': 'https://w3id.org/security/multikey/v1', ...controller.verificationMethod[0] },
        }),
      })
      if (!isValid) throw new Error('The bare verification fails.')
    }
    const verified = [
      await compare(
        () => validate(compact),
        () => compactVerify(compact, publicKey, { algorithms: ['ES256'] }),
      ),
      await compare(() => validate(embedded), bareVerification),
      await compare(
        () => validate(disclosed),
        () =>
          library.verify(disclosed).catch((error) => (/none/.test(error.message) ? undefined : Promise.reject(error))),
      ),
    ] as const
    return [
      jwt.ratio,
      proof.ratio,
      sdJwt.ratio,
      jwt.perSecond,
      proof.perSecond,
      sdJwt.perSecond,
      ...verified.map(({ ratio }) => ratio),
      ...verified.map(({ perSecond }) => perSecond),
    ]
  },
}

const contexts = loadContexts([join(ROOT, 'plugins')])
const publicJwk = publicKey.export({ format: 'jwk' }) as JsonWebKey
const publicKeyMultibase = await multikey(publicJwk)
const didText = JSON.stringify(didDocument(did, [{ number: 1, publicJwk, publicKeyMultibase }]))
/** Documents of the issuer from memory, without status lists: only the credential is verified. */
const documents = {
  async read(url: string) {
    if (url.endsWith('/did.json')) return didText
    if (url.includes('/.well-known/')) {
      return JSON.stringify({ issuer: issuer.url, jwks: { keys: [{ ...publicJwk, kid: issuer.verificationMethod }] } })
    }
    throw new Error(`${url} does not exist.`)
  },
}

/** Runs both calls alternately. @returns the ratio of their processor time, and our calls per second of it */
const comparison =
  ({ rounds, calls }: { readonly rounds: number; readonly calls: number }) =>
  async (ours: () => Promise<unknown>, bare: () => Promise<unknown>) => {
    const costOf = async (work: () => Promise<unknown>) => {
      const before = process.cpuUsage()
      for (let call = 0; call < calls; call += 1) await work()
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    const ratios: number[] = []
    const costs: number[] = []
    for (let round = 0; round < rounds + 5; round += 1) {
      const pair =
        round % 2 === 0 ? [await costOf(ours), await costOf(bare)] : [await costOf(bare), await costOf(ours)].reverse()
      if (round < 5) continue
      ratios.push((pair[0] ?? 0) / (pair[1] ?? 1))
      costs.push(pair[0] ?? 0)
    }
    return { ratio: median(ratios), perSecond: (calls * 1e6) / median(costs) }
  }

export default [cached, signing]
