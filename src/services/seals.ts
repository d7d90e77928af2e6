import { createHash, createPublicKey, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto'
import { LockMode, wrap } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import { SALT_RANDOM_BYTES, sealTree, verifyTree } from '../domain/merkle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, forbidden, notFound, Problem } from '../domain/problem.ts'
import { derFromP1363, verifySealSignature } from '../domain/seal.ts'
import { Passport, Seal } from '../entities/passport.ts'
import { TenantKey } from '../entities/workspace.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { Signer } from '../plugin/contracts.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { Database } from './database.ts'
import { loadPassport, type PassportRow } from './passport-rows.ts'
import type { PassportViews } from './passport-views.ts'
import type { Passports } from './passports.ts'
import type { PublicCache } from './public-cache.ts'
import { DEFAULT_REPRESENTATION, type Renditions } from './renditions.ts'

/** How often a seal is made anew because the passport was edited meanwhile. */
const ATTEMPTS = 3

/** Seals and the keys that make them. */
export class Seals {
  readonly #database: Database
  readonly #signer: Signer
  readonly #passports: Passports
  readonly #views: PassportViews
  readonly #renditions: Renditions
  readonly #outbox: Outbox
  readonly #publicCache: PublicCache
  readonly #jsonLd: LoadedPlugins['representations'][number] | undefined

  constructor(dependencies: {
    database: Database
    signer: Signer
    passports: Passports
    views: PassportViews
    renditions: Renditions
    outbox: Outbox
    publicCache: PublicCache
    plugins: LoadedPlugins
  }) {
    this.#database = dependencies.database
    this.#signer = dependencies.signer
    this.#passports = dependencies.passports
    this.#views = dependencies.views
    this.#renditions = dependencies.renditions
    this.#outbox = dependencies.outbox
    this.#publicCache = dependencies.publicCache
    this.#jsonLd = dependencies.plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)
  }

  /**
   * Seals the content that the passport has now. Signing happens outside the transaction; the seal is stored only if
   * the content is still the one that was signed.
   */
  async seal(principal: Principal, idOrProduct: string) {
    const id = await this.#passports.find(principal, idOrProduct, 'owned')
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await this.#sealOnce(principal, id)
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

  async #sealOnce(principal: Principal, id: string): Promise<PassportRow | undefined> {
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
   * The seal of this workspace that a document brings along: the signature verifies under a key that the workspace has or
   * had, the seal was made here, and what it covers is exactly this metadata.
   * @throws Problem 400 `Signature Verification Failed`
   */
  async attest(
    principal: Principal,
    { merkleRoot, signature }: { merkleRoot: string; signature: string },
    metadata: Metadata,
  ): Promise<Seal> {
    const refuse = (message: string) => new Problem(400, message, { title: 'Signature Verification Failed' })
    const { tenantId } = principal
    const em = this.#database.forTenant(tenantId)
    const keys = await em.find(TenantKey, { tenantId })
    const key = keys.find(({ publicKeyPem }) => verifySealSignature(merkleRoot, signature, publicKeyPem))
    if (key === undefined) throw refuse('The seal was not made with a key of this workspace.')
    const seal = await em.findOne(Seal, { tenantId, merkleRoot, keyId: key.id })
    if (seal === null) throw refuse('The seal is none that this workspace has made.')
    if (!covers(seal, metadata)) throw refuse('The seal is one of other metadata.')
    return seal
  }

  /** Puts an attested seal on a passport that has the metadata which it covers; emits no event. */
  async attach(tx: EntityManager, principal: Principal, id: string, seal: Seal): Promise<void> {
    const passport = await tx.findOneOrFail(Passport, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    if (passport.tenantId !== principal.tenantId)
      throw forbidden('Only the workspace that issued a passport may seal it.', 'PASSPORT_NOT_OWNED')
    const unsealed = await loadPassport(tx, id)
    const copy = tx.create(Seal, {
      ...wrap(seal).toPOJO(),
      id: randomUUID(),
      passportId: id,
      operatorId: passport.operatorId,
      passportVersion: unsealed?.version ?? 1,
    } as never)
    await tx.flush()
    passport.sealId = copy.id
    passport.updatedAt = new Date()
    await tx.flush()
    await this.#passports.written(tx, id, undefined)
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
    const fingerprint = createHash('sha256')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest('hex')
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
        fingerprint,
        createdAt: now,
      })
    })
    // Signed forms are made anew, by this key; the database tells the other processes.
    this.#publicCache.clear()
    return publicKeyPem
  }
}

function covers({ merkleRoot, leaves }: Seal, metadata: Metadata): boolean {
  const salts = Object.fromEntries(Object.entries(leaves).map(([key, { salt }]) => [key, salt]))
  try {
    return verifyTree(metadata, salts) === merkleRoot
  } catch {
    // A key without a salt, or a salt of another place: other metadata.
    return false
  }
}
