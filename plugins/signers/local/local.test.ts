import { execFileSync } from 'node:child_process'
import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type JsonWebKey,
  randomBytes,
  verify,
} from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compactVerify, importJWK } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Signer } from '../../../src/plugin/index.ts'
import { roleOf } from '../../../src/storage/database-roles.ts'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../../src/storage/embedded-postgres/index.ts'
import { prepareDatabase } from '../../../src/storage/prepare-database.ts'
import { checkSigner } from '../../../src/testing/index.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import local from './index.ts'
import SigningKey from './migrations/20261121-signing-key.ts'

const masterKey = randomBytes(32).toString('base64')
const data = Buffer.from('the 64 characters of a root')
let root: string
let server: EmbeddedPostgres
let owner: pg.Client
let app: string
let databaseUrl: string
let signer: Signer

async function migrate(url: string): Promise<{ names: string[]; databaseUrl: string }> {
  const { urls, migrated } = await prepareDatabase(url, masterKey, [{ name: 'local-signing-key', class: SigningKey }])
  return { names: migrated, databaseUrl: urls.signer }
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'dpp-signer-'))
  await chmod(root, 0o711)
  server = await openEmbeddedPostgres({ dataDir: join(root, 'data'), log() {}, fast: true })
  owner = new pg.Client(server.url)
  await owner.connect()
  const { urls } = await prepareDatabase(server.url, masterKey, [])
  app = urls.app
  await owner.query(`alter default privileges grant select on tables to ${pg.escapeIdentifier(roleOf(app))}`)
  const migrated = await migrate(server.url)
  expect(migrated.names).toEqual(['local-signing-key'])
  databaseUrl = migrated.databaseUrl
  signer = await local.open({ databaseUrl, masterKey })
})

afterAll(async () => {
  await signer?.close?.()
  await owner?.end()
  await server?.stop()
  await rm(root, { recursive: true, force: true })
})

beforeEach(async () => {
  await owner.query('delete from local_signing_key')
})

async function privateBytes(keyId: string): Promise<Buffer> {
  const { rows } = await owner.query('select label, nonce, ciphertext from local_signing_key where id = $1', [keyId])
  const { label, nonce, ciphertext } = rows[0]
  const key = hkdfSync('sha256', Buffer.from(masterKey, 'base64'), '', 'dpp-gateway signing keys', 32)
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), nonce)
  decipher.setAAD(Buffer.from(`${keyId}\n${label}`))
  decipher.setAuthTag(ciphertext.subarray(-16))
  const der = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
  const { d } = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'jwk' })
  return Buffer.from(d as string, 'base64url')
}

async function freshly<T>(work: (signer: Signer) => Promise<T>, key = masterKey): Promise<T> {
  const fresh = await local.open({ databaseUrl, masterKey: key })
  try {
    return await work(fresh)
  } finally {
    await fresh.close?.()
  }
}

describe('the local signer', () => {
  it('meets the contract of signers', () => checkSigner(local, { databaseUrl, masterKey }))

  it('signs so that the published public key verifies, also after a restart', async () => {
    const keyId = await signer.createKey('Acme BV')
    expect(keyId).toMatch(/^local-[0-9a-f]{8}-[0-9a-f-]{27}$/)
    const jwk = await signer.publicJwk(keyId)
    expect(Object.keys(jwk)).toEqual(['kty', 'crv', 'x', 'y'])
    expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256' })
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })

    const signature = await signer.sign(keyId, data)
    expect(signature).toHaveLength(64)
    expect(verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(true)
    expect(verify('sha256', Buffer.from('other'), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(false)

    await freshly(async (restarted) => {
      expect(await restarted.publicJwk(keyId)).toEqual(jwk)
      expect(verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, await restarted.sign(keyId, data))).toBe(true)
    })
  })

  it('makes ES256 as jose understands it', async () => {
    const keyId = await signer.createKey('Acme BV')
    const header = Buffer.from('{"alg":"ES256"}').toString('base64url')
    const input = `${header}.${data.toString('base64url')}`
    const signature = Buffer.from(await signer.sign(keyId, Buffer.from(input))).toString('base64url')
    const { payload } = await compactVerify(
      `${input}.${signature}`,
      await importJWK(await signer.publicJwk(keyId), 'ES256'),
    )
    expect(Buffer.from(payload)).toEqual(data)
  })

  it.skipIf(referenceTool('openssl') === undefined)('signs so that openssl verifies', async () => {
    const keyId = await signer.createKey('Acme BV')
    const key = createPublicKey({ key: (await signer.publicJwk(keyId)) as JsonWebKey, format: 'jwk' })
    const signature = await signer.sign(keyId, data)
    await writeFile(join(root, 'key.pem'), key.export({ type: 'spki', format: 'pem' }))
    await writeFile(join(root, 'signature'), derOf(signature))
    await writeFile(join(root, 'data.bin'), data)
    const output = execFileSync(
      'openssl',
      ['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'data.bin'],
      { cwd: root, encoding: 'utf8' },
    )
    expect(output).toBe('Verified OK\n')
  })

  it('leaves no key bytes in the table or in any file of the database', async () => {
    const keyId = await signer.createKey('Acme BV')
    const secret = await privateBytes(keyId)
    await owner.query('set synchronous_commit = on; update local_signing_key set label = label')
    const { rows } = await owner.query<{ dump: string }>('select k::text as dump from local_signing_key k')
    const dump = rows.map((row) => row.dump).join('\n')
    expect(dump).toContain(keyId)
    const forms = [secret.toString('hex'), secret.toString('base64').slice(0, 40), secret.toString('base64url')]
    for (const form of forms) expect(dump).not.toContain(form)

    let searched = 0
    let found = 0
    const cluster = join(root, 'data', 'postgres')
    for (const entry of await readdir(cluster, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const content = await readFile(join(entry.parentPath, entry.name))
      searched++
      if (content.includes(keyId)) found++
      for (const form of [secret, ...forms]) expect(content.includes(form), entry.name).toBe(false)
    }
    expect(searched).toBeGreaterThan(500)
    // Control: the write-ahead log contains the row.
    expect(found).toBeGreaterThan(0)
  })

  it('uses a new nonce for every key', async () => {
    for (let n = 0; n < 20; n++) await signer.createKey('Acme BV')
    const { rows } = await owner.query('select distinct nonce, length(nonce) from local_signing_key')
    expect(rows).toHaveLength(20)
    expect(rows[0].length).toBe(12)
  })

  it('refuses a row whose ciphertext belongs to another key', async () => {
    const mine = await signer.createKey('Acme BV')
    const theirs = await signer.createKey('Other Ltd')
    await owner.query(
      `update local_signing_key k set nonce = o.nonce, ciphertext = o.ciphertext, public_jwk = o.public_jwk
         from local_signing_key o where o.id <> k.id`,
    )
    await signer.createKey('Sound AG')
    await freshly(async (fresh) => {
      for (const keyId of [mine, theirs]) {
        await expect(fresh.sign(keyId, data)).rejects.toThrow(/cannot be decrypted/)
        await expect(fresh.publicJwk(keyId)).rejects.toThrow(/cannot be decrypted/)
      }
    })
  })

  it('refuses a row with another label or a truncated ciphertext', async () => {
    const keyId = await signer.createKey('Acme BV')
    await signer.createKey('Sound AG')
    await owner.query(`update local_signing_key set label = 'Other Ltd' where id = $1`, [keyId])
    await freshly((fresh) => expect(fresh.sign(keyId, data)).rejects.toThrow(/cannot be decrypted/))
    await owner.query(
      `update local_signing_key set label = 'Acme BV', ciphertext = substr(ciphertext, 1, 8) where id = $1`,
      [keyId],
    )
    await freshly((fresh) => expect(fresh.sign(keyId, data)).rejects.toThrow(/cannot be decrypted/))
  })

  it('publishes the key that it signs with, whatever the table says', async () => {
    const keyId = await signer.createKey('Acme BV')
    const jwk = await signer.publicJwk(keyId)
    await owner.query(`update local_signing_key set public_jwk = '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}'`)
    await freshly(async (fresh) => expect(await fresh.publicJwk(keyId)).toEqual(jwk))
  })

  it('says at start that MASTER_KEY is wrong, and does not show it', async () => {
    await signer.createKey('Acme BV')
    const wrong = randomBytes(32).toString('base64')
    const error = await local.open({ databaseUrl, masterKey: wrong }).catch((error: Error) => error)
    expect(error).toBeInstanceOf(Error)
    const text = `${(error as Error).stack} ${(error as Error).cause}`
    expect(text).toContain('MASTER_KEY does not decrypt any signing key in this database')
    for (const secret of [wrong, masterKey]) expect(text).not.toContain(secret)
  })

  it.each([
    ['', 0],
    ['c2hvcnQ=', 5],
    [randomBytes(33).toString('base64'), 33],
    [undefined, 0],
  ])('refuses the master key %j', async (key, length) => {
    await expect(local.open({ databaseUrl, ...(key === undefined ? {} : { masterKey: key }) })).rejects.toThrow(
      `Invalid MASTER_KEY of ${length} bytes: set 32 bytes in Base64, for example from: openssl rand -base64 32`,
    )
  })

  it('names a key that it does not have', async () => {
    await expect(signer.sign('local-none', data)).rejects.toThrow('The signer "local" has no key local-none.')
    await expect(signer.publicJwk('local-none')).rejects.toThrow('The signer "local" has no key local-none.')
  })

  it('keeps the table from the application role, and from change by its own', async () => {
    await signer.createKey('Acme BV')
    const as = async (url: string, sql: string) => {
      const client = new pg.Client(url)
      await client.connect()
      try {
        return (await client.query(sql)).rowCount
      } finally {
        await client.end()
      }
    }
    await expect(as(app, 'select id from local_signing_key')).rejects.toThrow('permission denied')
    await expect(as(app, 'insert into local_signing_key (id) values (1)')).rejects.toThrow('permission denied')
    expect(await as(databaseUrl, 'select id from local_signing_key')).toBe(1)
    await expect(as(databaseUrl, 'delete from local_signing_key')).rejects.toThrow('permission denied')
    await expect(as(databaseUrl, `update local_signing_key set label = 'x'`)).rejects.toThrow('permission denied')
  })

  it('continues after the database has closed its connections', async () => {
    const keyId = await signer.createKey('Acme BV')
    const self = new pg.Client(databaseUrl)
    await self.connect()
    const cut = await self.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dpp-gateway signer'`,
    )
    await self.end()
    expect(cut.rowCount).toBeGreaterThan(0)
    expect(await vi.waitFor(() => signer.createKey('Acme BV'))).not.toBe(keyId)
  })

  it('migrates many databases of the cluster concurrently', async () => {
    const urls = await Promise.all(['one', 'two', 'three'].map((name) => server.createDatabase(name)))
    const migrated = await Promise.all(urls.map(migrate))
    for (const { databaseUrl } of migrated) {
      const other = await local.open({ databaseUrl, masterKey })
      expect(await other.publicJwk(await other.createKey('Acme BV'))).toMatchObject({ crv: 'P-256' })
      await other.close?.()
    }
  })

  it('says what is wrong when the database has no such table', async () => {
    await expect(local.open({ databaseUrl: await server.createDatabase('empty'), masterKey })).rejects.toThrow(
      'The signer "local" cannot reach its keys in the database: relation "local_signing_key" does not exist',
    )
  })
})

/** Encodes an ECDSA signature as DER (RFC 3279 §2.2.3) for openssl. */
function derOf(signature: Uint8Array): Buffer {
  const integer = (bytes: Buffer) => {
    let start = 0
    while (start < bytes.length - 1 && bytes[start] === 0) start++
    const value = bytes.subarray(start)
    const padded = (value[0] as number) >= 0x80 ? Buffer.concat([Buffer.of(0), value]) : value
    return Buffer.concat([Buffer.of(2, padded.length), padded])
  }
  const raw = Buffer.from(signature)
  const body = Buffer.concat([integer(raw.subarray(0, 32)), integer(raw.subarray(32))])
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}
