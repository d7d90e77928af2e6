import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import pg from 'pg'
import { entriesOf, leafHash, rootOf } from './merkle.ts'
import { answer, fail, JSON_HEADERS, serve } from './serve.ts'

export interface SignUpdateOptions {
  readonly databaseUrl: string
}

/** Baseline of a seal, without access control: the row read, its tree, a P-256 signature, its check, and one update. */
serve(({ databaseUrl }: SignUpdateOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const seal = async (id: string | undefined) => {
    const { rows } = await pool.query({ name: 'read', text: 'select * from bench.sealed where id = $1', values: [id] })
    const entries = entriesOf(rows[0].metadata, rows[0].subject)
    const salts = randomBytes(16 * entries.length)
    const leaves = entries.map(([key, value], index) => {
      const salt = salts.subarray(16 * index, 16 * index + 16)
      return { key, salt, hash: leafHash(salt, key, value) }
    })
    const root = rootOf(leaves.map((leaf) => leaf.hash))
    const signature = sign('sha256', Buffer.from(root), privateKey)
    if (!verify('sha256', Buffer.from(root), publicKey, signature)) throw new Error('The signature does not verify.')
    const stored = leaves.map(({ key, salt, hash }) => [
      key,
      { hash: hash.toString('hex'), salt: salt.toString('base64url') },
    ])
    const { rows: updated } = await pool.query({
      name: 'seal',
      text: `update bench.sealed set root = $2, signature = $3, leaves = $4, updated_at = now() where id = $1
        returning id, metadata, signature, leaves`,
      values: [id, root, signature.toString('base64'), JSON.stringify(Object.fromEntries(stored))],
    })
    return JSON.stringify({ success: true, passport: updated[0] })
  }
  return (req, res) => {
    req.resume()
    seal(req.url?.split('/')[4]).then((body) => answer(res, 200, JSON_HEADERS, body), fail(res))
  }
})
