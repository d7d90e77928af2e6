// A test-only VC-API (https://w3c-ccg.github.io/vc-api/) over the gateway's signing and verifying code, for the W3C
// test suites. `npm run -s vc-api` prints its address as the first line.
import { generateKeyPairSync, sign } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { createVerifyCryptosuite } from '@digitalbazaar/ecdsa-jcs-2019-cryptosuite'
import { from as ed25519From } from '@digitalbazaar/ed25519-multikey'
import { cryptosuite as eddsaRdfc2022 } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import { verify as verifyPresentation } from '@digitalbazaar/vc'
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import jsonld from 'jsonld'
import { signDataIntegrity } from '../../src/credentials/data-integrity.ts'
import { multikey } from '../../src/credentials/did-document.ts'
import type { Issuer } from '../../src/domain/issuer.ts'
import { isRecord, type JsonRecord } from '../../src/domain/record.ts'
import { contentChecks } from '../../src/verify/content.ts'
import { contextLoader } from '../../src/verify/contexts.ts'
import { contentFindings, listOf, validityCheck } from '../../src/verify/credential-content.ts'
import { examineDataIntegrity, proofChecks } from '../../src/verify/data-integrity.ts'
import { verify } from '../../src/verify/index.ts'
import { resolveDid } from '../../src/verify/keys.ts'
import type { Check, Finding } from '../../src/verify/verification.ts'
import { CONTEXTS } from '../support/contexts.ts'
import { presentationFindings } from './presentation.ts'

/** Includes the vocabulary that the suites use in addition to W3C's recommendations. */
const contexts = new Map([
  ...CONTEXTS,
  [
    'https://www.w3.org/ns/credentials/examples/v2',
    { '@context': { '@vocab': 'https://www.w3.org/ns/credentials/examples#' } },
  ],
])
const documentLoader = contextLoader(contexts)
const documents = {
  read: async (url: string) => {
    throw new Error(`${url} is not read here.`)
  },
}

/** Error of a request; 400. */
class Refusal extends Error {}

/** A new issuer, `did:key`. */
export async function keyIssuer(): Promise<Issuer> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = await multikey(publicKey.export({ format: 'jwk' }))
  const did = `did:key:${key}`
  return {
    did,
    name: 'VC-API',
    url: did,
    verificationMethod: `${did}#${key}`,
    keyNumber: 1,
    sign: async (data) => sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' }),
  }
}

/** `POST /credentials/issue`, `/credentials/verify` and `/presentations/verify`. */
export function createVcApi(issuer: Issuer): Express {
  const app = express()
  app.use(express.json({ limit: '1mb' }))
  app.post(
    '/credentials/issue',
    answer(201, async ({ credential }) => ({ verifiableCredential: await issue(credential, issuer) })),
  )
  app.post(
    '/credentials/verify',
    answer(200, async ({ verifiableCredential }) => checkCredential(verifiableCredential)),
  )
  app.post(
    '/presentations/verify',
    answer(200, async ({ verifiablePresentation, options }) => checkPresentation(verifiablePresentation, options)),
  )
  const refuse: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(400).json({ verified: false, errors: [error.message] })
  }
  app.use(refuse)
  return app
}

const answer =
  (status: number, handle: (body: JsonRecord) => Promise<object>): RequestHandler =>
  async (req, res) => {
    if (!isRecord(req.body)) throw new Refusal('The body is no JSON object.')
    res.status(status).json(await handle(req.body))
  }

async function issue(credential: unknown, issuer: Issuer): Promise<object> {
  if (!isRecord(credential)) throw new Refusal('credential is no JSON object.')
  const given = credential.issuer
  // The suites send their own issuer; the signing one replaces it.
  const issued = { ...credential, issuer: isRecord(given) ? { ...given, id: issuer.did } : issuer.did }
  refuseAny(given === undefined ? [] : contentFindings(credential))
  refuseAny(contentFindings(issued))
  await jsonld.expand(issued, { safe: true, documentLoader })
  return signDataIntegrity(issued, issuer, new Date().toISOString())
}

/**
 * Like `dpp verify` without checking the key's owner, since W3C's vectors name an issuer that is not the controller of
 * the key, and the status, since nothing is fetched.
 */
async function checkCredential(credential: unknown): Promise<object> {
  if (!isRecord(credential)) throw new Refusal('verifiableCredential is no JSON object.')
  const options = { documents, now: new Date(), contexts, allowUnknownStatus: true }
  if (credential.type === 'EnvelopedVerifiableCredential') {
    const { valid, checks } = await verify(JSON.stringify(credential), options)
    return answerFrom(checks, valid)
  }
  const { proof, ...unsecured } = credential
  const [only] = listOf(proof)
  const { checks } = await examineDataIntegrity(credential, options)
  const ofTheDocument = checks.filter(({ name }) => name === 'form' || name === 'content' || name === 'validity')
  if (ofTheDocument.some(({ ok }) => ok !== true) || !isRecord(only)) return answerFrom(ofTheDocument, false)
  const { verificationMethod } = only
  if (typeof verificationMethod !== 'string') throw new Refusal('proof.verificationMethod is missing.')
  const all = [
    ...ofTheDocument,
    ...(await proofChecks(unsecured, { ...only, verificationMethod }, options)),
    ...(await contentChecks(unsecured, options)),
  ]
  return answerFrom(
    all,
    all.every(({ name, ok }) => ok === true || (ok === null && name === 'schema')),
  )
}

function answerFrom(checks: readonly Check[], isGood: boolean): object {
  if (isGood) return { verified: true, checks }
  throw new Refusal(
    checks
      .filter(({ ok }) => ok !== true)
      .map(({ name, detail }) => `${name}: ${detail}`)
      .join('; '),
  )
}

async function checkPresentation(presentation: unknown, options: unknown): Promise<object> {
  if (!isRecord(presentation)) throw new Refusal('verifiablePresentation is no JSON object.')
  refuseAny(presentationFindings(presentation))
  for (const credential of listOf(presentation.verifiableCredential)) {
    if (isRecord(credential) && credential.type === 'EnvelopedVerifiableCredential') {
      refuseAny(envelopeFindings(credential))
      continue
    }
    refuseAny(contentFindings(credential))
    const { ok, detail } = validityCheck(credential as JsonRecord, new Date())
    if (ok !== true) throw new Refusal(detail)
  }
  const { proof: _proof, ...unsecured } = presentation
  await jsonld.expand(unsecured, { safe: true, documentLoader })
  const challenge = isRecord(options) ? options.challenge : undefined
  // The library does not support envelopes; a proof over the presentation covers them, so only an unsigned one is
  // exempt.
  const isUnsigned = presentation.proof === undefined
  const embedded = listOf(presentation.verifiableCredential).filter(
    (entry) => !isRecord(entry) || entry.type !== 'EnvelopedVerifiableCredential',
  )
  const { verified, error } = await verifyPresentation({
    presentation: isUnsigned ? { ...presentation, verifiableCredential: embedded } : presentation,
    unsignedPresentation: isUnsigned,
    challenge: challenge ?? proofOf(presentation)?.challenge,
    suite: [
      new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() }),
      new DataIntegrityProof({ cryptosuite: eddsaRdfc2022 }),
    ],
    documentLoader: keysAndContexts,
    checkStatus: async () => ({ verified: true }),
  })
  if (!verified) throw new Refusal([error, ...(error?.errors ?? [])].map((cause) => cause?.message).join(' '))
  return { verified: true }
}

/** Data model 2.0, section 4.13.1. The content is not verified: the suite's examples are unsigned. */
const envelopeFindings = ({ '@context': context, id }: JsonRecord): Finding[] => [
  ...(listOf(context).includes('https://www.w3.org/ns/credentials/v2')
    ? []
    : [{ path: '@context', message: 'must include the base context' }]),
  ...(typeof id === 'string' && /^data:application\/(vc|dc|vp)\b[^,]*,./.test(id)
    ? []
    : [{ path: 'id', message: 'must be a data: URL of a secured credential' }]),
]

/** Contexts, and documents of `did:key`. */
const keysAndContexts: DocumentLoader = async (url) => {
  if (!url.startsWith('did:key:')) return documentLoader(url)
  const [did = '', fragment] = url.split('#')
  const controller = did.startsWith('did:key:z6Mk') ? await ed25519Document(did) : await resolveDid(did, documents)
  const method = listOf((controller as JsonRecord).verificationMethod).find(
    (entry) => isRecord(entry) && entry.id === url,
  )
  const document =
    fragment === undefined
      ? controller
      : { '@context': 'https://w3id.org/security/multikey/v1', ...(method as JsonRecord) }
  return { documentUrl: url, document, contextUrl: null }
}

async function ed25519Document(did: string): Promise<object> {
  const multibase = did.slice('did:key:'.length)
  const id = `${did}#${multibase}`
  await ed25519From({ type: 'Multikey', id, controller: did, publicKeyMultibase: multibase })
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
    id: did,
    verificationMethod: [{ id, type: 'Multikey', controller: did, publicKeyMultibase: multibase }],
    assertionMethod: [id],
    authentication: [id],
  }
}

const proofOf = ({ proof }: JsonRecord): JsonRecord | undefined => listOf(proof).find(isRecord)

function refuseAny(findings: readonly Finding[]): void {
  if (findings.length > 0) throw new Refusal(findings.map(({ path, message }) => `${path} ${message}`).join('; '))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const server = createVcApi(await keyIssuer()).listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
