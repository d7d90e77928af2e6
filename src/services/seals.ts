import { createPublicKey, hash, type JsonWebKey, randomBytes, randomUUID } from 'node:crypto'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Logger } from 'pino'
import { isUuid } from '../domain/identifiers.ts'
import { SALT_RANDOM_BYTES, sealTree, verifyTree } from '../domain/merkle.ts'
import type { Metadata } from '../domain/metadata.ts'
import { passportDocument } from '../domain/passport-document.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, forbidden, notFound, Problem } from '../domain/problem.ts'
import { derFromP1363, verifySealSignature } from '../domain/seal.ts'
import { TenantKey, Workspace } from '../entities/workspace.ts'
import type { Outbox } from '../jobs/outbox.ts'
import type { Signer } from '../plugin/contracts.ts'
import { type Database, executeWithParameters } from './database.ts'
import { loadPassport, type PassportRow } from './passport-rows.ts'
import type { PassportViews } from './passport-views.ts'
import type { Passports } from './passports.ts'
import type { PublicCache } from './public-cache.ts'
import type { Renditions } from './renditions.ts'
import { isFresh, type SealCa } from './seal-ca.ts'
import { TIMESTAMP_BUDGET_MS, type TimestampAuthority } from './timestamp-authority.ts'

/** How often a seal is made anew because the passport was edited meanwhile. */
const ATTEMPTS = 3

/** A seal of this workspace, verified against what it covers. */
export interface AttestedSeal {
  readonly id: string
}

type Leaves = Readonly<Record<string, { readonly hash: string; readonly salt: string }>>

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
  }

  /**
   * Seals the content that the passport has now. Signing and the timestamp happen outside the transaction; the seal is
   * stored only if the content is still the one that was signed.
   */
  async seal(principal: Principal, idOrProduct: string) {
    const until = Date.now() + TIMESTAMP_BUDGET_MS
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const row = await this.#sealOnce(principal, idOrProduct, until)
      if (row === undefined) continue
      this.#publicCache.forget(row.id)
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

  /**
   * @param until when the timestamp authority has had its time, over all attempts
   * @returns the sealed passport, or undefined where it was changed meanwhile
   */
  async #sealOnce(principal: Principal, idOrProduct: string, until: number): Promise<PassportRow | undefined> {
    const { row, key } = await this.#subject(principal, idOrProduct)
    if (Object.keys(row.metadata).length === 0) throw badRequest('There is no metadata to seal.')
    const tree = sealTree(row.metadata, () => randomBytes(SALT_RANDOM_BYTES))
    const signature = derFromP1363(await this.#signer.sign(key.signerKey, Buffer.from(tree.root, 'ascii'))).toString(
      'base64',
    )
    if (!verifySealSignature(tree.root, signature, key.publicKeyPem)) {
      throw new Error(`The seal of passport ${row.id} by key ${key.id} does not verify; it was not stored.`)
    }
    const certificate = await this.#certificateOf(key)
    const timestamp = await this.#timestampAuthority.stamp(tree.root, until - Date.now())
    const seal = {
      merkleRoot: tree.root,
      signature,
      publicKeyPem: key.publicKeyPem,
      leaves: tree.leaves,
      createdAt: new Date().toISOString(),
      x5c: certificate === undefined ? null : [certificate],
      rfc3161: timestamp ?? null,
    }
    return this.#store(row, key, seal)
  }

  /** What is to be sealed, and with which key: read in one transaction. */
  async #subject(principal: Principal, idOrProduct: string): Promise<{ row: PassportRow; key: TenantKey }> {
    const read = (id: string) =>
      this.#database.forTenant(principal.tenantId).transactional(async (tx) => ({
        row: await loadPassport(tx, id),
        key: await tx.findOne(TenantKey, { tenantId: principal.tenantId, retiredAt: null }),
      }))
    const isOwn = (row: PassportRow | undefined) => row !== undefined && row.tenantId === principal.tenantId
    let { row, key } = isUuid(idOrProduct) ? await read(idOrProduct) : {}
    // A UUID may be a product id too.
    if (!isOwn(row)) ({ row, key } = await read(await this.#passports.find(principal, idOrProduct, 'owned')))
    if (row === undefined || !isOwn(row)) throw notFound('Passport not found in your workspace.')
    assertOperatorScope(principal, row.operatorId)
    if (!key) {
      throw badRequest(
        'This workspace has no signing key. Make one with POST /api/v1/tenants/rotate-keys.',
        'SIGNING_KEY_MISSING',
      )
    }
    return { row, key }
  }

  /**
   * Stores the seal if the passport still has the version that was sealed. The first statement waits for whoever is
   * changing the passport, and then compares: the version moves with everything that a reader can see, so that an equal
   * one means that nothing has to be read again.
   */
  async #store(
    row: PassportRow,
    key: TenantKey,
    seal: NonNullable<PassportRow['seal']>,
  ): Promise<PassportRow | undefined> {
    return this.#database.forTenant(row.tenantId).transactional(async (tx) => {
      const [moved] = await executeWithParameters<{ version: number }>(
        tx,
        `with moved as (
           update passport set seal_id = $1, updated_at = $2 where id = $3 and version = $4 returning id, version
         ), stored as (
           insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
             public_key_pem, leaves, x5c, rfc3161, created_at)
           select $1, id, $5, $6, $7, $4, $8, $9, $10, $11, $12, $13, $2 from moved
         )
         select version from moved`,
        [
          randomUUID(),
          seal.createdAt,
          row.id,
          row.version,
          row.tenantId,
          row.operatorId,
          key.id,
          seal.merkleRoot,
          seal.signature,
          seal.publicKeyPem,
          JSON.stringify(seal.leaves),
          seal.x5c === null ? null : JSON.stringify(seal.x5c),
          seal.rfc3161 === null ? null : JSON.stringify(seal.rfc3161),
        ],
      )
      if (moved === undefined) return undefined
      const sealed: PassportRow = { ...row, version: moved.version, updatedAt: seal.createdAt, seal }
      if (sealed.status !== 'DRAFT') await this.#renditions.storeNew(tx, await this.#renditions.renderNew([sealed]))
      await this.#renditions.forgetEarlier(tx, sealed)
      await this.#outbox.publish(tx, [
        { event: 'passport.sealed', tenantId: sealed.tenantId, passportId: sealed.id, version: sealed.version },
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
    { tenantId }: Principal,
    { merkleRoot, signature }: { merkleRoot: string; signature: string },
    metadata: Metadata,
  ): Promise<AttestedSeal> {
    const refuse = (message: string) => new Problem(400, message, { title: 'Signature Verification Failed' })
    const em = this.#database.forTenant(tenantId)
    const keys = await em.find(TenantKey, { tenantId })
    const key = keys.find(({ publicKeyPem }) => verifySealSignature(merkleRoot, signature, publicKeyPem))
    if (key === undefined) throw refuse('The seal was not made with a key of this workspace.')
    const [seal] = await em.execute<{ id: string; leaves: string }[]>(
      'select id, leaves::text as leaves from seal where tenant_id = ? and merkle_root = ? and key_id = ? limit 1',
      [tenantId, merkleRoot, key.id],
    )
    if (seal === undefined) throw refuse('The seal is none that this workspace has made.')
    if (!covers(merkleRoot, JSON.parse(seal.leaves), metadata)) throw refuse('The seal is one of other metadata.')
    return { id: seal.id }
  }

  /** Puts an attested seal on a passport that has the metadata which it covers; emits no event. */
  async attach(tx: EntityManager, principal: Principal, id: string, seal: AttestedSeal): Promise<void> {
    const [passport] = await tx.execute<{ tenant_id: string }[]>(
      'select tenant_id from passport where id = ? for update',
      [id],
    )
    if (passport?.tenant_id !== principal.tenantId)
      throw forbidden('Only the workspace that issued a passport may seal it.', 'PASSPORT_NOT_OWNED')
    const copy = randomUUID()
    await tx.execute(
      `insert into seal (id, passport_id, tenant_id, operator_id, key_id, passport_version, merkle_root, signature,
         public_key_pem, leaves, x5c, rfc3161, created_at)
       select ?, p.id, p.tenant_id, p.operator_id, s.key_id, p.version, s.merkle_root, s.signature,
         s.public_key_pem, s.leaves, s.x5c, s.rfc3161, s.created_at
       from seal s, passport p where s.id = ? and p.id = ?`,
      [copy, seal.id, id],
    )
    await tx.execute('update passport set seal_id = ?, updated_at = ? where id = ?', [copy, new Date(), id])
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

function covers(merkleRoot: string, leaves: Leaves, metadata: Metadata): boolean {
  const salts = Object.fromEntries(Object.entries(leaves).map(([key, { salt }]) => [key, salt]))
  try {
    return verifyTree(metadata, salts) === merkleRoot
  } catch {
    // A key without a salt, or a salt of another place: other metadata.
    return false
  }
}
