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
import type { Signer, SignerPlugin } from '../../../src/plugin/index.ts'

const NONCE_BYTES = 12 // NIST SP 800-38D §8.2.2: 96 random bits
const TAG_BYTES = 16
const CACHED_KEYS = 10_000

/** A key in use. The KeyObject keeps the private half outside the JavaScript heap and is never handed out. */
interface Key {
  readonly privateKey: KeyObject
  readonly publicJwk: JsonWebKey
}

interface Sealed {
  readonly nonce: Buffer
  /** AES-256-GCM ciphertext of the PKCS#8 DER, followed by the tag of 16 bytes. */
  readonly ciphertext: Buffer
}

/** P-256 keys in the table `local_signing_key`, encrypted under a key derived from MASTER_KEY. */
export default {
  kind: 'signer',
  name: 'local',
  async open({ databaseUrl, masterKey }): Promise<Signer> {
    if (!databaseUrl) throw new Error('The signer "local" needs a database: databaseUrl is missing.')
    const wrapping = wrappingKey(masterKey)
    const pool = openPool(databaseUrl)
    await assertOpens(pool, wrapping)
    return openSigner(pool, wrapping)
  },
} satisfies SignerPlugin

function openSigner(pool: pg.Pool, wrapping: Buffer): Signer {
  const keys = new Map<string, Key>()

  function remember(keyId: string, key: Key): Key {
    const oldest = keys.keys().next()
    if (keys.size >= CACHED_KEYS && !oldest.done) keys.delete(oldest.value)
    keys.set(keyId, key)
    return key
  }

  async function load(keyId: string): Promise<Key> {
    const known = keys.get(keyId)
    if (known) return known
    const { rows } = await query<{ label: string } & Sealed>(
      pool,
      'select label, nonce, ciphertext from local_signing_key where id = $1',
      [keyId],
    )
    const row = rows[0]
    if (!row) throw new Error(`The signer "local" has no key ${keyId}.`)
    return remember(keyId, keyOf(decrypt(wrapping, keyId, row.label, row)))
  }

  return {
    async createKey(label) {
      const keyId = `local-${randomUUID()}`
      const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' })
      const key = keyOf(privateKey)
      const { nonce, ciphertext } = encrypt(wrapping, keyId, label, privateKey)
      await query(
        pool,
        'insert into local_signing_key (id, label, public_jwk, nonce, ciphertext) values ($1, $2, $3, $4, $5)',
        [keyId, label, JSON.stringify(key.publicJwk), nonce, ciphertext],
      )
      remember(keyId, key)
      return keyId
    },

    async publicJwk(keyId) {
      return { ...(await load(keyId)).publicJwk }
    },

    async sign(keyId, data) {
      const { privateKey } = await load(keyId)
      // Synchronous: some 50 µs of work, too little to send to the thread pool.
      return sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    },

    async close() {
      keys.clear()
      await pool.end()
    },
  }
}

/**
 * Better at start than at the next seal. A few keys stand for all, and one that was altered does not stop the others.
 * @throws Error where there are keys, and MASTER_KEY opens none of them
 */
async function assertOpens(pool: pg.Pool, wrapping: Buffer): Promise<void> {
  try {
    const { rows } = await query<{ id: string; label: string } & Sealed>(
      pool,
      'select id, label, nonce, ciphertext from local_signing_key limit 5',
      [],
    )
    if (rows.length === 0 || rows.some((row) => opens(wrapping, row))) return
    throw new Error(
      'MASTER_KEY is not the one that the keys in this database were made with, and opens none of them. Set that one.',
    )
  } catch (error) {
    await pool.end()
    throw error
  }
}

function opens(wrapping: Buffer, { id, label, ...sealed }: { id: string; label: string } & Sealed): boolean {
  try {
    decrypt(wrapping, id, label, sealed)
    return true
  } catch {
    return false
  }
}

/** The public half is derived from the private one: whoever can write to the table cannot publish a key of their own. */
function keyOf(privateKey: KeyObject): Key {
  const { kty, crv, x, y } = createPublicKey(privateKey).export({ format: 'jwk' })
  return { privateKey, publicJwk: { kty, crv, x, y } }
}

function wrappingKey(masterKey: string | undefined): Buffer {
  const master = Buffer.from(masterKey ?? '', 'base64')
  if (master.length !== 32) {
    throw new Error(
      `MASTER_KEY must be 32 bytes in base64, as "openssl rand -base64 32" makes; it has ${master.length} bytes.`,
    )
  }
  // RFC 5869. A key of its own per purpose, so that MASTER_KEY can serve other secrets as well.
  return Buffer.from(hkdfSync('sha256', master, '', 'dpp-gateway signing keys', 32))
}

/** Bound to the ciphertext, so that a row decrypts only as the key that it was made for. */
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
      `The signing key ${keyId} cannot be decrypted: MASTER_KEY is not the one that it was made with, or its row in ` +
        'local_signing_key was altered.',
      { cause: error },
    )
  }
}

/** Connections of the signer's own role: the application's cannot read the table. Connects on first use. */
function openPool(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: 'dpp-gateway signer',
    max: 2,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    allowExitOnIdle: true,
  })
  // A connection lost while idle raises `error` on the pool, one lost while in use on the client. Without listeners
  // either ends the process. The query that it interrupts is rejected, and the pool makes a new connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function query<R extends pg.QueryResultRow>(pool: pg.Pool, sql: string, values: unknown[]) {
  try {
    return await pool.query<R>(sql, values)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The signer "local" cannot reach its keys in the database: ${reason}`, { cause: error })
  }
}
