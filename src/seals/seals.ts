import { createPublicKey, type JsonWebKey, randomBytes } from 'node:crypto'
import { recordAudit } from '../audit/audit-statements.ts'
import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { rebuildTree, type SealedTree, sealTree } from '../domain/merkle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertMatch, type IfMatch } from '../domain/precondition.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, Problem } from '../domain/problem.ts'
import { isRecord } from '../domain/record.ts'
import type { Content } from '../domain/schema.ts'
import { derFromP1363, sealSubject, verifySealSignature } from '../domain/seal.ts'
import { REDACTED, type SealSubject } from '../domain/view.ts'
import { noPassport } from '../passports/absent.ts'
import type { NewSeal } from '../passports/passport-change.ts'
import type { PassportRow } from '../passports/passport-columns.ts'
import type { Changed } from '../passports/publish-state.ts'
import type { ParsedSeal } from '../plugin/contracts.ts'
import { inAttempts, isLost } from '../storage/unit-of-work.ts'
import { checkSealCertificate } from '../verify/certificate.ts'
import { readCertificates, readSubject } from '../verify/seal-form.ts'
import { Workspace } from '../workspaces/entities.ts'
import { isFresh } from './seal-ca.ts'
import {
  addKey,
  certifyKey,
  currentKey,
  fingerprintOf,
  keysMade,
  keysOfWorkspace,
  lockKeys,
  type TenantKey,
} from './tenant-keys.ts'

/** Every key stays in the DID document, since its seals stay valid. */
const MAX_KEYS = 100

/** Verified seal of this workspace. */
export interface AttestedSeal extends NewSeal {
  /** Only passport and operator that may have the seal. */
  readonly subject: SealSubject
}

declare module '../cradle.ts' {
  interface Cradle {
    seals: ReturnType<typeof seals>
  }
}

export default function seals({
  passportRows,
  config,
  database,
  log,
  counters,
  signer,
  sealCa,
  timestampAuthority,
  passports,
  passportViews,
  passportChange,
  passportLocks,
}: Cradle) {
  const sealings = database.shared(passportChange.sealAll)

  return { seal, make, attest, rotateKeys }

  /** Seals the current content. Signs outside the transaction; stores the seal only if the content is unchanged. */
  async function seal(
    principal: Principal,
    idOrProduct: string,
    ifMatch?: IfMatch,
  ): Promise<Content<'PassportSealed'>> {
    const until = performance.now() + config.bounds.timestampTimeout
    const sealed = await whileBusy(['changed'], () => sealOnce(principal, idOrProduct, { until, ifMatch }))
    return answerOf(sealed, 'The passport is sealed.')
  }

  /** @throws DatabaseError `changed`, see `isLost` */
  async function sealOnce(
    principal: Principal,
    idOrProduct: string,
    { until, ifMatch }: { readonly until: number; readonly ifMatch: IfMatch },
  ): Promise<Changed> {
    const { row, key } = await sealable(principal, idOrProduct)
    const signingKey = keyOf(key)
    assertMatch(ifMatch, row.version)
    const newSeal = await make(row, signingKey, until)
    return sealings.batched(principal.tenantId, { row, newSeal })
  }

  /**
   * Makes a seal without storing it.
   * @param until deadline of the timestamp by `performance.now`
   * @throws Problem 400 if nothing can be sealed
   */
  async function make(row: PassportRow, key: TenantKey, until: number): Promise<NewSeal> {
    assertSealable(row.metadata)
    try {
      const made = await signed(row, key, until)
      counters.seals.made += 1
      return made
    } catch (error) {
      counters.seals.failed += 1
      throw error
    }
  }

  async function signed(row: PassportRow, key: TenantKey, until: number): Promise<NewSeal> {
    const createdAt = new Date().toISOString()
    // Allows masking of fields that an earlier seal left open.
    const maskable = passportViews.maskedKeys({ metadata: row.metadata }, 'public')
    const subject = sealSubject(row, createdAt, maskable)
    const tree = sealTree(row.metadata, subject, randomBytes)
    const signature = derFromP1363(await signer.sign(key.signerKey, Buffer.from(tree.root, 'ascii'))).toString('base64')
    if (!verifySealSignature(tree.root, signature, key.publicKeyPem)) {
      throw new Error(`The seal of passport ${row.id} by key ${key.id} does not verify; it was not stored.`)
    }
    const certificate = await certificateOf(key)
    // Verifiers that trust the seal CA reject seals without a certificate.
    if (certificate === undefined) throw new Error(`Key ${key.id} has no certificate; the seal was not stored.`)
    const timestamp = await timestampAuthority.stamp(tree.root, Math.floor(until - performance.now()))
    return {
      keyId: key.id,
      seal: {
        merkleRoot: tree.root,
        signature,
        publicKeyPem: key.publicKeyPem,
        leaves: tree.leaves,
        subject,
        createdAt,
        x5c: [certificate],
        rfc3161: timestamp ?? null,
      },
    }
  }

  async function sealable(
    principal: Principal,
    idOrProduct: string,
  ): Promise<{ row: PassportRow; key: TenantKey | undefined }> {
    const session = database.batchedFor(principal.tenantId)
    const read = async (id: string) => {
      const [row, key] = await Promise.all([passportRows.load(session, id), currentKey(session)])
      return { row, key }
    }
    const isOwn = (row: PassportRow | undefined) => row !== undefined && row.tenantId === principal.tenantId
    let { row, key } = isUuid(idOrProduct) ? await read(idOrProduct) : {}
    if (!isOwn(row)) ({ row, key } = await read((await passports.find(principal, idOrProduct, 'owned')).id))
    if (row === undefined || !isOwn(row)) throw noPassport()
    assertOperatorScope(principal, row.operatorId)
    return { row, key }
  }

  /**
   * Verifies a document's seal, by a present or past key of the workspace. Drops invalid certificates and timestamps.
   * @throws Problem 400 `Signature Verification Failed`
   */
  async function attest(
    { tenantId }: Principal,
    parsed: ParsedSeal,
    { productId, metadata }: { productId: string; metadata: Metadata },
  ): Promise<AttestedSeal> {
    const refuse = (message: string) => new Problem(400, message, { title: 'Signature Verification Failed' })
    const { subject, tree } = readSeal(parsed, metadata, refuse)
    if (tree.root !== parsed.merkleRoot) throw refuse('The seal was made for other metadata.')
    if (subject.productId !== productId) throw refuse(`The seal was made for another product, ${subject.productId}.`)
    const masked = passportViews.maskedKeys({ metadata }, 'public').find((key) => !subject.maskable.includes(key))
    if (masked !== undefined) throw refuse(`The seal does not allow masking ${masked}, which is restricted.`)
    const keys = await keysOfWorkspace(database.forTenant(tenantId))
    const key = keys.find(({ publicKeyPem }) => verifySealSignature(tree.root, parsed.signature, publicKeyPem))
    if (key === undefined) throw refuse('The seal was not made with a key of this workspace.')
    const seal = {
      merkleRoot: tree.root,
      signature: parsed.signature,
      publicKeyPem: key.publicKeyPem,
      leaves: tree.leaves,
      subject,
      createdAt: subject.created,
      x5c: await certificatesThatHold(parsed.x5c, key.publicKeyPem, subject.created),
      rfc3161: await timestampAuthority.confirm(parsed.timestamp, tree.root, subject.created),
    }
    return { subject, keyId: key.id, seal }
  }

  async function certificatesThatHold(
    x5c: readonly string[] | undefined,
    publicKeyPem: string,
    created: string,
  ): Promise<readonly string[] | null> {
    if (x5c === undefined) return null
    try {
      checkSealCertificate(readCertificates(x5c), publicKeyPem, await sealCa.pem(), new Date(created))
      return x5c
    } catch {
      return null
    }
  }

  /**
   * A lock serializes rotations; numbers are never reused.
   * @param by actor in the audit trail
   * @returns the public key as PEM
   * @throws Problem 409 at the limit of did.json
   */
  async function rotateKeys(tenantId: string, by: Pick<Principal, 'actor'>): Promise<string> {
    // Early rejection; concurrent requests are checked under the lock.
    assertCapacity((await keysMade(database.forTenant(tenantId))).made)
    const signerKey = await signer.createKey(`workspace:${tenantId}`)
    const publicKey = createPublicKey({ key: (await signer.publicJwk(signerKey)) as JsonWebKey, format: 'jwk' })
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    const certificate = (await issue(tenantId, publicKeyPem)) ?? null
    await database.transaction(tenantId, async (tx) => {
      const [isThere, { made, next }] = await Promise.all([lockKeys(tx), keysMade(tx)])
      if (!isThere) throw new Problem(404, 'Workspace not found.', { title: 'Not Found' })
      assertCapacity(made)
      const spki = publicKey.export({ type: 'spki', format: 'der' })
      addKey(tx, { number: next, signerKey, publicKeyPem, certificate }, spki)
      recordAudit(tx, by, 'seal_key.rotated', `key-${next}`, { fingerprint: fingerprintOf(spki) })
      // Signed artifacts need the new key; the database notifies other processes.
      passportLocks.evictAll(tx)
    })
    return publicKeyPem
  }

  async function certificateOf(key: TenantKey): Promise<string | undefined> {
    if (key.certificate !== null && isFresh(key.certificate)) return key.certificate
    const certificate = await issue(key.tenantId, key.publicKeyPem)
    if (certificate !== undefined) await certifyKey(database.forTenant(key.tenantId), key.id, certificate)
    return certificate ?? key.certificate ?? undefined
  }

  /** Rotations succeed even without a certificate. */
  async function issue(tenantId: string, publicKeyPem: string): Promise<string | undefined> {
    try {
      const workspace = await database.entities(database.forTenant(tenantId)).findOne(Workspace, { id: tenantId })
      return workspace === null ? undefined : await sealCa.issue(workspace, publicKeyPem)
    } catch (error) {
      log.error({ err: error, tenantId }, 'certificate for a seal key not issued')
      return undefined
    }
  }
}

/** @throws Problem 400 without a key */
export function keyOf(key: TenantKey | undefined): TenantKey {
  if (key !== undefined) return key
  throw badRequest(
    'This workspace has no signing key. Create one with POST /api/v1/tenants/rotate-keys.',
    'SIGNING_KEY_MISSING',
  )
}

/** Retries `work` if the passport was edited meanwhile. @throws Problem 409 if retries fail */
export async function whileBusy<T>(races: Parameters<typeof inAttempts>[0], work: () => Promise<T>): Promise<T> {
  try {
    return await inAttempts(races, work)
  } catch (error) {
    if (!isLost(error, 'changed')) throw error
    throw new Problem(409, 'The passport is being edited. Retry when the edits are done.', {
      title: 'Conflict',
      code: 'PASSPORT_BUSY',
      headers: { 'Retry-After': '1' },
    })
  }
}

export const answerOf = ({ row, document }: Changed, message: string): Content<'PassportSealed'> => ({
  message,
  digitalSeal: row.seal?.signature ?? '',
  signingPublicKey: row.seal?.publicKeyPem ?? '',
  passport: document,
})

/** @throws Problem 409 at the limit of did.json */
function assertCapacity(made: number): void {
  if (made < MAX_KEYS) return
  throw conflict(
    `This workspace has reached the maximum of ${MAX_KEYS} signing keys; the current key stays in use.`,
    'KEY_LIMIT_REACHED',
  )
}

/** Rejects placeholders of masked values: sealed, they would be ambiguous. */
function assertSealable(metadata: Metadata): void {
  if (Object.keys(metadata).length === 0) throw badRequest('The passport has no metadata to seal.')
  const placeholder = Object.keys(metadata).find((key) => metadata[key] === REDACTED)
  if (placeholder !== undefined) {
    throw badRequest(
      `metadata.${placeholder} is the placeholder of a masked value. Replace it with the value, or remove the key.`,
    )
  }
}

function readSeal(
  { salts, subject: stated }: ParsedSeal,
  metadata: Metadata,
  refuse: (message: string) => Problem,
): { subject: SealSubject; tree: SealedTree } {
  try {
    const subject = readSubject(stated)
    if (!isRecord(salts)) throw new Error('The seal has no salts.')
    return { subject, tree: rebuildTree({ metadata, subject, salts: salts as Record<string, string> }) }
  } catch (error) {
    throw refuse(`The seal does not fit the metadata: ${(error as Error).message}`)
  }
}
