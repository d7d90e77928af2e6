import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hkdfSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Rewrapped, Signer, SignerPlugin } from '../../../src/plugin/index.ts'
import { RoleClient } from '../../../src/plugin/installation.ts'

const NONCE_BYTES = 12 // NIST SP 800-38D §8.2.2: 96 random bits.
const TAG_BYTES = 16
const CACHED_KEYS = 10_000
const WRONG_PASSWORD = '28P01'
/** Keys tested per table end at start; keys re-encrypted per transaction. */
const TRIED = 5
const AT_ONCE = 200

const CONNECTIONS = 2

/** Cached key. The KeyObject keeps the private half outside the JavaScript heap. */
interface Key {
  readonly privateKey: KeyObject
  readonly publicJwk: JsonWebKey
}

interface Sealed {
  readonly nonce: Buffer
  /** AES-256-GCM ciphertext of the PKCS#8 DER, then the 16-byte tag. */
  readonly ciphertext: Buffer
}

/** P-256 keys in `local_signing_key`, encrypted under a key derived from MASTER_KEY. */
export default {
  kind: 'signer',
  name: 'local',
  async open({ databaseUrl, databaseUrlNext, databaseConnections, ...options }): Promise<Signer> {
    if (!databaseUrl) throw new Error('The signer "local" requires a database: databaseUrl is missing.')
    const wrapping = wrappingKeys(options)
    const way = new Way(databaseUrl, databaseUrlNext, Number(databaseConnections ?? CONNECTIONS))
    await assertOpens(way, wrapping)
    return openSigner(way, wrapping)
  },
  async rewrap({ databaseUrl, ...options }): Promise<Rewrapped> {
    if (!databaseUrl) throw new Error('The signer "local" requires a database: databaseUrl is missing.')
    const wrapping = wrappingKeys(options)
    const owner = new pg.Client({ connectionString: databaseUrl, application_name: 'dpp-gateway rewrap' })
    owner.on('error', () => {})
    await owner.connect()
    try {
      // Repeats, since a signer may add keys under the previous key meanwhile.
      for (let rewrapped = 0; ; ) {
        const looked = await rewrapAll(owner, wrapping)
        rewrapped += looked.rewrapped
        if (looked.rewrapped === 0) return { ...looked, rewrapped }
      }
    } finally {
      await owner.end().catch(() => {})
    }
  },
} satisfies SignerPlugin

/** Current and previous encryption keys. */
type Wrapping = readonly [Buffer, ...Buffer[]]

function openSigner(way: Way, wrapping: Wrapping): Signer {
  const keys = new Map<string, Key>()

  function cacheKey(keyId: string, key: Key): Key {
    const oldest = keys.keys().next()
    if (keys.size >= CACHED_KEYS && !oldest.done) keys.delete(oldest.value)
    keys.set(keyId, key)
    return key
  }

  async function load(keyId: string): Promise<Key> {
    const known = keys.get(keyId)
    if (known) return known
    const rows = await way.query<{ label: string } & Sealed>(
      'select label, nonce, ciphertext from local_signing_key where id = $1',
      [keyId],
    )
    const row = rows[0]
    if (!row) throw new Error(`The signer "local" has no key ${keyId}.`)
    return cacheKey(keyId, keyOf(unlock(wrapping, { id: keyId, ...row })))
  }

  return {
    async createKey(label) {
      const keyId = `local-${randomUUID()}`
      const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
      const key = keyOf(privateKey)
      const { nonce, ciphertext } = encrypt(wrapping[0], keyId, label, privateKey)
      await way.query(
        'insert into local_signing_key (id, label, public_jwk, nonce, ciphertext) values ($1, $2, $3, $4, $5)',
        [keyId, label, JSON.stringify(key.publicJwk), nonce, ciphertext],
      )
      cacheKey(keyId, key)
      return keyId
    },

    async publicJwk(keyId) {
      return { ...(await load(keyId)).publicJwk }
    },

    async sign(keyId, data) {
      const { privateKey } = await load(keyId)
      // Synchronous: about 50 µs, too little for the thread pool.
      return sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    },

    async close() {
      keys.clear()
      await way.end()
    },
  }
}

interface Row extends Sealed {
  readonly id: string
  readonly label: string
}

/**
 * Tests a few keys at each end of the table at start: re-encryption begins with the newest, so the oldest are the last under the previous
 * key. A tampered key does not block the others.
 * @throws Error if MASTER_KEY opens no key of one end
 */
async function assertOpens(way: Way, wrapping: Wrapping): Promise<void> {
  try {
    for (const order of ['asc', 'desc']) {
      const rows = await way.query<Row>(
        `select id, label, nonce, ciphertext from local_signing_key
         order by created_at ${order}, id ${order} limit $1`,
        [TRIED],
      )
      if (rows.length === 0 || rows.some((row) => wrapping.some((key) => opens(key, row)))) continue
      throw new Error(
        'MASTER_KEY does not decrypt any signing key in this database. Set the MASTER_KEY of this installation; ' +
          'during a replacement, set the new key as MASTER_KEY and the previous one as ' +
          'MASTER_KEY_PREVIOUS until dpp key rewrap has finished.',
      )
    }
  } catch (error) {
    await way.end()
    throw error
  }
}

/** Re-encrypts all keys, newest first, in transactions of {@link AT_ONCE}. The next run repeats uncommitted work. */
async function rewrapAll(owner: pg.Client, wrapping: Wrapping): Promise<Rewrapped> {
  const [current] = wrapping
  const counted = { count: 0, rewrapped: 0, shut: 0 }
  for (let last: Row | undefined; ; ) {
    const { rows } = await owner.query<Row>(
      `select id, label, nonce, ciphertext from local_signing_key
       where $1::text is null or (created_at, id) < (select created_at, id from local_signing_key where id = $1)
       order by created_at desc, id desc limit $2`,
      [last?.id, AT_ONCE],
    )
    last = rows.at(-1)
    if (last === undefined) return counted
    const former = rows.filter((row) => !opens(current, row))
    const open = former.filter((row) => wrapping.some((key) => opens(key, row)))
    const made = open.map((row) => ({ ...encrypt(current, row.id, row.label, unlock(wrapping, row)), id: row.id }))
    // Other processes only insert rows, so the update cannot overwrite unread data.
    await owner.query(
      `update local_signing_key k set nonce = n.nonce, ciphertext = n.ciphertext
       from unnest($1::text[], $2::bytea[], $3::bytea[]) as n (id, nonce, ciphertext) where k.id = n.id`,
      [made.map(({ id }) => id), made.map(({ nonce }) => nonce), made.map(({ ciphertext }) => ciphertext)],
    )
    counted.count += rows.length
    counted.rewrapped += made.length
    counted.shut += former.length - open.length
  }
}

function opens(key: Buffer, { id, label, ...sealed }: Row): boolean {
  try {
    decrypt(key, id, label, sealed)
    return true
  } catch {
    return false
  }
}

/** @throws Error if no key opens it */
function unlock(wrapping: Wrapping, { id, label, ...sealed }: Row): KeyObject {
  const [current, former = current] = wrapping
  try {
    return decrypt(current, id, label, sealed)
  } catch (error) {
    if (former === current) throw error
    return decrypt(former, id, label, sealed)
  }
}

/** Derives the public half from the private one: write access to the table cannot publish a foreign key. */
function keyOf(privateKey: KeyObject): Key {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, publicJwk: { kty, crv, x, y } }
}

function wrappingKeys({ masterKey, masterKeyPrevious: former }: Readonly<Record<string, string>>): Wrapping {
  const current = wrappingKey(masterKey)
  return former === undefined ? [current] : [current, wrappingKey(former)]
}

function wrappingKey(masterKey: string | undefined): Buffer {
  const master = Buffer.from(masterKey ?? '', 'base64')
  if (master.length !== 32) {
    throw new Error(
      `Invalid MASTER_KEY of ${master.length} bytes: set 32 bytes in Base64, for example from: openssl rand -base64 32`,
    )
  }
  // RFC 5869, with a separate key per purpose.
  return Buffer.from(hkdfSync('sha256', master, '', 'dpp-gateway signing keys', 32))
}

/** Binds the ciphertext to its row. */
const associatedData = (keyId: string, label: string): Buffer => Buffer.from(`${keyId}\n${label}`)

function encrypt(wrapping: Buffer, keyId: string, label: string, privateKey: KeyObject): Sealed {
  const plaintext = privateKey.export({ type: 'pkcs8', format: 'der' })
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', wrapping, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(associatedData(keyId, label))
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
  plaintext.fill(0)
  return { nonce, ciphertext }
}

function decrypt(wrapping: Buffer, keyId: string, label: string, { nonce, ciphertext }: Sealed): KeyObject {
  try {
    const decipher = createDecipheriv('aes-256-gcm', wrapping, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(associatedData(keyId, label))
    decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES))
    const plaintext = Buffer.concat([decipher.update(ciphertext.subarray(0, -TAG_BYTES)), decipher.final()])
    try {
      return createPrivateKey({ key: plaintext, type: 'pkcs8', format: 'der' })
    } finally {
      plaintext.fill(0)
    }
  } catch (error) {
    throw new Error(
      `The signing key ${keyId} cannot be decrypted: MASTER_KEY is not its key, or its row in ` +
        'local_signing_key was altered.',
      { cause: error },
    )
  }
}

/** Uses the signer's own database role: the application's role cannot read the table. */
function openPool(databaseUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'dpp-gateway signer',
    max,
    // Follows a failover to another server of the address.
    Client: RoleClient as never,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    allowExitOnIdle: true,
  })
  // Unhandled `error` events (pool: idle connection lost; client: active one lost) end the process. The interrupted query is rejected, and
  // the pool reconnects.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Database access; a second URL covers a changed password while MASTER_KEY is replaced. */
class Way {
  #pool: pg.Pool
  #next: string | undefined
  readonly #max: number

  constructor(databaseUrl: string, next: string | undefined, max: number) {
    this.#pool = openPool(databaseUrl, max)
    this.#next = next
    this.#max = max
  }

  async query<R extends pg.QueryResultRow>(sql: string, values: unknown[]): Promise<R[]> {
    const pool = this.#pool
    try {
      return (await pool.query<R>(sql, values)).rows
    } catch (error) {
      if ((error as { code?: string }).code === WRONG_PASSWORD && this.#goOn(pool)) return this.query(sql, values)
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`The signer "local" cannot reach its keys in the database: ${reason}`, { cause: error })
    }
  }

  /** Switches to the next URL; false if there is none. */
  #goOn(pool: pg.Pool): boolean {
    if (pool === this.#pool && this.#next !== undefined) {
      this.#pool = openPool(this.#next, this.#max)
      this.#next = undefined
      void pool.end()
    }
    return pool !== this.#pool
  }

  async end(): Promise<void> {
    await this.#pool.end()
  }
}
