import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import pg from 'pg'
import { entriesOf, leafHash, rootOf } from './merkle.ts'
import { answer, serve, withBody } from './serve.ts'

export interface VerifyReadOptions {
  readonly databaseUrl: string
  /** Alternating names and values. */
  readonly headers: readonly string[]
}

/** Baseline of a verification: the document parsed, its root, its signature under a cached key, and one prepared read. */
serve(({ databaseUrl, headers }: VerifyReadOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
  const keys = new Map<string, KeyObject>()
  const keyOf = (pem: string): KeyObject => {
    const key = keys.get(pem) ?? createPublicKey(pem)
    keys.set(pem, key)
    return key
  }
  return (req, res) => {
    withBody(req, res, async (sent) => {
      const { metadata, proof } = JSON.parse(sent.toString()).payload
      const root = rootOf(
        entriesOf(metadata, proof.subject).map(([key, value]) =>
          leafHash(Buffer.from(proof.salts[key], 'base64url'), key, value),
        ),
      )
      const signature = Buffer.from(proof.signatureValue, 'base64')
      if (!verify('sha256', Buffer.from(root), keyOf(proof.publicKeyPem), signature))
        throw new Error('The signature is invalid.')
      const { rows } = await pool.query({
        name: 'seal',
        text: 'select answer from bench.seal where root = $1 and passport_id = $2 and signature = $3',
        values: [root, proof.subject.id, proof.signatureValue],
      })
      if (rows.length === 0) throw new Error('The seal is unknown.')
      answer(res, 200, headers, rows[0].answer)
    })
  }
})
