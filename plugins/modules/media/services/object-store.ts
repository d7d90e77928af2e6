import { createHash, createHmac } from 'node:crypto'
import { ANYWHERE, type ModuleCradle, Outgoing, unavailable } from '../../../../src/plugin/module.ts'
import type { MediaSettings } from '../settings.ts'

const MAX_REFUSAL_BYTES = 16 * 1024

interface StoredObject {
  /** Letters, digits, hyphens, full stops and slashes only. */
  readonly key: string
  readonly bytes: Buffer
  readonly sha256: Buffer
}

/** S3 client for `MEDIA_S3_ENDPOINT`; undefined if not set. The SDK has a hundred packages, and small clients use `fetch`. */
export default function objectStore({
  config,
  mediaSettings,
  log,
}: Pick<ModuleCradle, 'config' | 'log'> & { readonly mediaSettings: MediaSettings | undefined }) {
  return mediaSettings && storeAt(mediaSettings, config.bounds.objectTimeout, log)
}

function storeAt(settings: MediaSettings, withinMs: number, log: ModuleCradle['log']) {
  const { address: endpoint, bucket, prefix } = settings
  const outgoing = new Outgoing({ ...ANYWHERE, keepAlive: true })

  return { put, get, remove }

  /** @throws Problem 503 if the store rejects it */
  async function put({ key, bytes, sha256 }: StoredObject): Promise<void> {
    await exchange('PUT', key, {
      body: bytes,
      sha256: sha256.toString('hex'),
      good: [200, 201],
    })
  }

  /**
   * Reads a whole object and verifies its hash.
   * @throws Problem 503 if absent or different
   */
  async function get(
    key: string,
    { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
  ): Promise<Buffer> {
    const body = await exchange('GET', key, { maxBytes: bytes, good: [200] })
    if (hash(body) === sha256) return body
    throw failed(new Error(`The object store has other content as ${key}.`))
  }

  /** @throws Problem 503 if it may still exist */
  async function remove(key: string): Promise<void> {
    await exchange('DELETE', key, { good: [200, 204, 404] })
  }

  async function exchange(
    method: 'GET' | 'PUT' | 'DELETE',
    key: string,
    {
      body,
      sha256 = EMPTY,
      maxBytes = MAX_REFUSAL_BYTES,
      good,
    }: {
      body?: Buffer
      sha256?: string
      maxBytes?: number
      good: readonly number[]
    },
  ): Promise<Buffer> {
    const url = new URL(`${endpoint}/${bucket}/${prefix}${key}`)
    const signed = signature(settings, { method, url, sha256, at: new Date() })
    try {
      const request = { url: url.href, headers: signed, withinMs, maxBytes }
      const answer = await outgoing.send(method, request, body)
      if (good.includes(answer.status)) return answer.body
      throw new Error(`The object store responded with ${answer.status} to ${method} ${key}.`)
    } catch (error) {
      throw failed(error)
    }
  }

  function failed(cause: unknown) {
    log.warn({ err: cause }, 'object store failed')
    return unavailable('File storage is temporarily unavailable. Retry later.', 10, cause)
  }
}

const hash = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const EMPTY = hash('')

/**
 * Signs a request by headers (AWS Signature Version 4). Path and query must be canonical.
 * @param sha256 of the body, in hexadecimal
 */
export function signature(
  { region, accessKey, secretKey }: Pick<MediaSettings, 'region' | 'accessKey' | 'secretKey'>,
  { method, url, sha256, at }: { method: string; url: URL; sha256: string; at: Date },
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const headers = { host: url.host, 'x-amz-content-sha256': sha256, 'x-amz-date': time }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const request = [method, url.pathname, url.search.slice(1), lines.join(''), names, sha256].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, hash(request)].join('\n')
  const key = [region, 's3', 'aws4_request'].reduce(hmac, hmac(`AWS4${secretKey}`, day))
  const { host: _, ...sent } = headers
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${hmac(key, text).toString('hex')}`,
  }
}
