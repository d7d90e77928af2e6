import { createPublicKey, type JsonWebKey } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { decodeJwt } from 'jose'
import { isRecord } from '../../../../src/plugin/index.ts'
import {
  allWorkspaces,
  buildProof,
  byCodeUnit,
  concludeSeal,
  examineSeal,
  loadContexts,
  type ModuleCradle,
  rootOf,
  type SealedLeaf,
  type Session,
  verify,
  verifySealSignature,
} from '../../../../src/plugin/module.ts'
import {
  FIRST,
  readCredentials,
  readSigningKeys,
  revokedPlaces,
  type SealArtifact,
  sealsAfter,
  statusEntriesOff,
} from '../signed-artifacts.ts'

const READ_AT_ONCE = 50
const MAX_PLACES = 100
/** Acceptable outcomes: the credential is not served, or a recall set its bit. */
const IN_ORDER = new Set(['expired', 'revoked', 'suspended'])

export const KINDS = ['key', 'seal', 'credential', 'status', 'audit'] as const
type Kind = (typeof KINDS)[number]

/** `why` is the error, undefined if valid. */
interface Checked {
  readonly kind: Kind
  readonly workspaceId: string
  readonly id: string
  readonly why: string | undefined
}

/** Verifies everything signed, chained or counted here by the public rules. */
export default function installationCheck({
  config,
  database,
  signer,
  sealCa,
  issuers,
  statusLists,
  vocabulary,
  auditTrail,
}: ModuleCradle) {
  const contexts = loadContexts(config.plugins)
  return { all }

  async function* all(): AsyncGenerator<Checked> {
    const trust = { ...(await sealCa.trust()), timestampCa: config.tsaCa }
    for (const { id: workspaceId } of await allWorkspaces(database)) {
      const session = database.forTenant(workspaceId)
      const named = (kind: Kind) => (id: string, why: string | undefined) => ({ kind, workspaceId, id, why })
      for await (const [id, why] of keysOf(session)) yield named('key')(id, why)
      for await (const [id, why] of sealsOf(session, trust)) yield named('seal')(id, why)
      for await (const [id, why] of credentialsOf(session)) yield named('credential')(id, why)
      for await (const [id, why] of statusOf(workspaceId)) yield named('status')(id, why)
      for await (const { head, faults } of auditTrail.verify(workspaceId)) {
        if (faults.length === 0) yield named('audit')(`head ${head.sequence}:${head.hash}`, undefined)
        for (const { fault } of faults) yield named('audit')(`head ${head.sequence}:${head.hash}`, fault)
      }
    }
  }

  async function* keysOf(session: Session): AsyncGenerator<readonly [string, string | undefined]> {
    for (const { number, signerKey, publicKeyPem } of await readSigningKeys(session)) {
      yield [`key-${number}`, await whyNotAtSigner(signerKey, publicKeyPem)]
    }
  }

  async function whyNotAtSigner(signerKey: string, publicKeyPem: string): Promise<string | undefined> {
    try {
      const key = createPublicKey({ key: (await signer.publicJwk(signerKey)) as JsonWebKey, format: 'jwk' })
      const isSame = key.equals(createPublicKey(publicKeyPem))
      return isSame ? undefined : `The signer has another key under ${signerKey}.`
    } catch (error) {
      return `The signer has no key ${signerKey}: ${(error as Error).message}`
    }
  }

  async function* sealsOf(session: Session, trust: Parameters<typeof examineSeal>[1]) {
    for (let after = FIRST; ; ) {
      const seals = await sealsAfter(session, after, READ_AT_ONCE)
      for (const seal of seals) {
        const why = await whyNoSeal(seal, trust)
        yield [`${seal.id} (passport ${seal.passportId})`, why] as const
      }
      const last = seals.at(-1)
      if (last === undefined) return
      after = last.id
    }
  }

  async function whyNoSeal(seal: SealArtifact, trust: Parameters<typeof examineSeal>[1]): Promise<string | undefined> {
    const { passportId, productId, operator, metadata, subject, leaves, merkleRoot, signature, publicKeyPem } = seal
    if (!seal.isOwnKey) return 'The key of the seal does not belong to the workspace.'
    if (subject === null || metadata === null) {
      const hashes = Object.keys(leaves).sort(byCodeUnit)
      if (rootOf(hashes.map((key) => (leaves[key] as SealedLeaf).hash)) !== merkleRoot) {
        return 'The leaves do not give the Merkle root.'
      }
      return verifySealSignature(merkleRoot, signature, publicKeyPem)
        ? undefined
        : 'The key did not sign the Merkle root.'
    }
    const proof = buildProof(seal, {
      metadata,
      maskedKeys: [],
      passportUrl: `${config.baseUrl}/passport/${passportId}`,
    })
    const document = {
      '@type': 'DigitalProductPassport',
      id: passportId,
      productId,
      economicOperator: operator,
      metadata,
      proof,
    }
    const { checks } = await examineSeal(document, trust)
    const { verdict } = concludeSeal(checks)
    return verdict === 'valid' ? undefined : (checks.find(({ ok }) => ok !== true)?.detail ?? `The seal is ${verdict}.`)
  }

  async function* credentialsOf(session: Session): AsyncGenerator<readonly [string, string | undefined]> {
    for await (const { subjectId, representation, version, tier, body } of readCredentials(session, READ_AT_ONCE)) {
      const options = { documents: { read: published }, contexts, now: new Date(), allowUnknownStatus: false }
      const { checks } = await verify(body, options)
      const wrong = checks.find(({ ok, code }) => ok === false && !IN_ORDER.has(code ?? ''))
      const open = checks.find(({ name, ok }) => name === 'status' && ok === null)
      yield [`${representation} of ${subjectId}, version ${version}, ${tier}`, (wrong ?? open)?.detail]
    }
  }

  /** Reads the gateway's own publications without the network. */
  async function published(url: string, accept: string): Promise<string> {
    const { pathname, host, searchParams } = new URL(url)
    const list = Number(searchParams.get('list') ?? 0)
    const [, tenantId = '', file] = /^\/tenants\/([^/]+)\/(.+)$/.exec(pathname) ?? []
    if (host === new URL(config.baseUrl).host) {
      if (file === 'did.json') return text(await issuers.didDocument(tenantId))
      if (file === 'status/revocation') return text(await statusLists.bitstring({ tenantId, list }, accept))
      if (file === 'status/tokens') return text(await statusLists.token({ tenantId, list }))
      const [, issuer] = /^\/\.well-known\/jwt-vc-issuer\/tenants\/([^/]+)$/.exec(pathname) ?? []
      if (issuer !== undefined) return text(await issuers.jwtVcIssuer(issuer))
      if (pathname.startsWith('/vct/')) return JSON.stringify(vocabulary.credentialType)
    }
    throw new Error(`${url} is not on this gateway.`)
  }

  /** Compares status bits with subjects, and signed lists with bits. */
  async function* statusOf(workspaceId: string): AsyncGenerator<readonly [string, string | undefined]> {
    for (const { index, subjectId, revoked } of await statusEntriesOff(database, workspaceId, MAX_PLACES)) {
      yield [
        `place ${index} (${subjectId})`,
        `The entry is ${revoked ? '' : 'not '}revoked, in contradiction to its subject.`,
      ]
    }
    if ((await issuers.current(workspaceId)) === undefined) return
    const lists = await revokedPlaces(database.lookup, workspaceId)
    // List 0 exists without revocations.
    for (const { list, revoked } of lists.some(({ list }) => list === 0)
      ? lists
      : [{ list: 0, revoked: [] }, ...lists]) {
      const signed = text(await statusLists.bitstring({ tenantId: workspaceId, list }, undefined))
      yield [
        `signed list ${list}`,
        isList(signed, revoked) ? undefined : 'The signed list differs from the stored entries.',
      ]
    }
  }
}

const text = ({ body }: { readonly body: Uint8Array }): string => Buffer.from(body).toString()

/** True if a list has exactly these bits (W3C Bitstring Status List 1.0, section 3.3). */
function isList(jwt: string, revoked: readonly number[]): boolean {
  const { credentialSubject } = decodeJwt(jwt) as { credentialSubject?: unknown }
  if (!isRecord(credentialSubject) || typeof credentialSubject.encodedList !== 'string') return false
  const bits = gunzipSync(Buffer.from(credentialSubject.encodedList.slice(1), 'base64url'))
  let set = 0
  for (const byte of bits) for (let rest = byte; rest > 0; rest &= rest - 1) set += 1
  return set === revoked.length && revoked.every((index) => ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0)
}
