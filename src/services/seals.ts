import { createPublicKey, hash, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto'
import { LockMode } from '@mikro-orm/core'
import type { Logger } from 'pino'
import { SALT_RANDOM_BYTES, sealTree } from '../domain/merkle.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, notFound, Problem } from '../domain/problem.ts'
import { derFromP1363, verifySealSignature } from '../domain/seal.ts'
import { Passport, Seal } from '../entities/passport.ts'
import { TenantKey, Workspace } from '../entities/workspace.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { Signer } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Database } from './database.ts'
import { loadPassport, type PassportRow } from './passport-rows.ts'
import type { PassportViews } from './passport-views.ts'
import type { Passports } from './passports.ts'
import type { PublicCache } from './public-cache.ts'
import { DEFAULT_REPRESENTATION, type Renditions } from './renditions.ts'
import { isFresh, type SealCa } from './seal-ca.ts'
import { TIMESTAMP_BUDGET_MS, type TimestampAuthority } from './timestamp-authority.ts'

/** How often a seal is made anew because the passport was edited meanwhile. */
const ATTEMPTS = 3

/** Seals and the keys that make them. */
export class Seals {
  readonly #database: Database
  readonly #log: Logger
  readonly #signer: Signer
  readonly #sealCa: SealCa
  readonly #timestampAuthority: TimestampAuthority
  readonly #passports: Passports
  readonly #views: PassportViews
  readonly #renditions: Renditions
  readonly #outbox: Outbox
  readonly #publicCache: PublicCache
  readonly #jsonLd: LoadedPlugins['representations'][number] | undefined

  constructor(dependencies: {
    database: Database
    log: Logger
    signer: Signer
    sealCa: SealCa
    timestampAuthority: TimestampAuthority
    passports: Passports
    views: PassportViews
    renditions: Renditions
    outbox: Outbox
    publicCache: PublicCache
    plugins: LoadedPlugins
  }) {
    this.#database = dependencies.database
    this.#log = dependencies.log
    this.#signer = dependencies.signer
    this.#sealCa = dependencies.sealCa
    this.#timestampAuthority = dependencies.timestampAuthority
    this.#passports = dependencies.passports
    this.#views = dependencies.views
    this.#renditions = dependencies.renditions
    this.#outbox = dependencies.outbox
    this.#publicCache = dependencies.publicCache
    this.#jsonLd = dependencies.plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)
  }

  /**
   * Seals the content that the passport has now. Signing and the timestamp happen outside the transaction; the seal is
   * stored only if the content is still the one that was signed.
   */
  async seal(principal: Principal, idOrProduct: string) {
    const id = await this.#passports.find(principal, idOrProduct, 'owned')
    const until = Date.now() + TIMESTAMP_BUDGET_MS
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await this.#sealOnce(principal, id, until)
      if (row === undefined) continue
      this.#publicCache.forget(id)
      const passport = passportDocument(this.#views.view(row, 'public'))
      return {
        message: 'The passport is sealed.',
        digitalSeal: row.seal?.signature ?? '',
        signingPublicKey: row.seal?.publicKeyPem ?? '',
        passport,
      }
    }
    throw conflict('The passport is being edited. Seal it again when the edits are done.', 'PASSPORT_BUSY')
  }

  /** @param until when the timestamp authority has had its time, over all attempts */
  async #sealOnce(principal: Principal, id: string, until: number): Promise<PassportRow | undefined> {
    const em = this.#database.forTenant(principal.tenantId)
    const row = await loadPassport(em, id)
    if (row === undefined || row.tenantId !== principal.tenantId)
      throw notFound('Passport not found in your workspace.')
    assertOperatorScope(principal, row.operatorId)
    const key = await em.findOne(TenantKey, { tenantId: principal.tenantId, retiredAt: null })
    if (key === null)
      throw badRequest(
        'This workspace has no signing key. Make one with POST /api/v1/tenants/rotate-keys.',
        'SIGNING_KEY_MISSING',
      )
    if (Object.keys(row.metadata).length === 0) throw badRequest('There is no metadata to seal.')
    const tree = sealTree(row.metadata, () => randomBytes(SALT_RANDOM_BYTES))
    const signature = derFromP1363(await this.#signer.sign(key.signerKey, Buffer.from(tree.root, 'ascii'))).toString(
      'base64',
    )
    if (!verifySealSignature(tree.root, signature, key.publicKeyPem)) {
      throw new Error(`The seal of passport ${id} by key ${key.id} does not verify; it was not stored.`)
    }
    const certificate = await this.#certificateOf(key)
    const timestamp = await this.#timestampAuthority.stamp(tree.root, until - Date.now())
    return this.#database.forTenant(principal.tenantId).transactional(async (tx) => {
      const passport = await tx.findOne(Passport, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (passport === null) throw notFound('Passport not found in your workspace.')
      const current = await loadPassport(tx, id)
      if (current?.version !== row.version) return undefined
      const now = new Date()
      const seal = tx.create(Seal, {
        id: randomUUID(),
        passportId: id,
        tenantId: principal.tenantId,
        operatorId: row.operatorId,
        keyId: key.id,
        passportVersion: row.version,
        merkleRoot: tree.root,
        signature,
        publicKeyPem: key.publicKeyPem,
        leaves: tree.leaves,
        x5c: certificate === undefined ? null : [certificate],
        rfc3161: timestamp ?? null,
        createdAt: now,
      })
      await tx.flush()
      passport.sealId = seal.id
      passport.updatedAt = now
      await tx.flush()
      const sealed = await loadPassport(tx, id)
      if (sealed === undefined) throw new Error(`Passport ${id} is not readable after its seal.`)
      if (sealed.status !== 'DRAFT' && this.#jsonLd !== undefined)
        await this.#renditions.store(tx, sealed, this.#jsonLd, '')
      await this.#renditions.forgetEarlier(tx, sealed)
      await this.#outbox.publish(tx, [
        { event: 'passport.sealed', tenantId: sealed.tenantId, passportId: id, version: sealed.version },
      ])
      return sealed
    })
  }

  /**
   * Makes the workspace's next key and retires the current one. Rotations of one workspace follow one another, since
   * each locks the workspace; numbers are never reused.
   * @returns the new public key as PEM
   */
  async rotateKeys(tenantId: string): Promise<string> {
    const signerKey = await this.#signer.createKey(`workspace:${tenantId}`)
    const publicKey = createPublicKey({ key: (await this.#signer.publicJwk(signerKey)) as JsonWebKey, format: 'jwk' })
    const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    const certificate = await this.#issue(tenantId, publicKeyPem)
    await this.#database.forTenant(tenantId).transactional(async (tx) => {
      const locked = await tx.execute('select 1 from workspace where id = ? for update', [tenantId])
      if (locked.length === 0) throw new Problem(404, 'There is no such workspace.', { title: 'Not Found' })
      const now = new Date()
      await tx.nativeUpdate(TenantKey, { tenantId, retiredAt: null }, { retiredAt: now })
      const [last] = await tx.execute<{ number: number }[]>(
        'select coalesce(max(number), 0)::int as number from tenant_key where tenant_id = ?',
        [tenantId],
      )
      tx.create(TenantKey, {
        id: randomUUID(),
        tenantId,
        number: (last?.number ?? 0) + 1,
        signerKey,
        publicKeyPem,
        fingerprint: fingerprintOf(publicKeyPem),
        certificate: certificate ?? null,
        createdAt: now,
      })
    })
    // Signed forms are made anew, by this key; the database tells the other processes.
    this.#publicCache.clear()
    return publicKeyPem
  }
  /** The certificate of a key; a new one where it has none, as keys of earlier versions, or one that is about to end. */
  async #certificateOf(key: TenantKey): Promise<string | undefined> {
    if (key.certificate && isFresh(key.certificate)) return key.certificate
    const certificate = await this.#issue(key.tenantId, key.publicKeyPem)
    if (certificate !== undefined) {
      await this.#database
        .forTenant(key.tenantId)
        .transactional((tx) => tx.nativeUpdate(TenantKey, { id: key.id }, { certificate }))
    }
    return certificate ?? key.certificate ?? undefined
  }

  /** A certificate is worth having, but no seal and no rotation waits until there is one. */
  async #issue(tenantId: string, publicKeyPem: string): Promise<string | undefined> {
    try {
      const workspace = await this.#database.forTenant(tenantId).findOne(Workspace, { id: tenantId })
      return workspace === null ? undefined : await this.#sealCa.issue(workspace, publicKeyPem)
    } catch (error) {
      this.#log.error({ err: error, tenantId }, 'no certificate for a seal key')
      return undefined
    }
  }
}

/** SHA-256 (hex) of the SubjectPublicKeyInfo in DER: by this a key is known whatever its PEM looks like. */
export const fingerprintOf = (publicKeyPem: string): string =>
  hash('sha256', createPublicKey(publicKeyPem).export({ type: 'spki', format: 'der' }), 'hex')
