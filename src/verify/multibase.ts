import { decode } from 'base58-universal'

/** Decodes exactly `length` bytes, or returns undefined. Quadratic time. */
export function fromBase58(text: string, length: number): Uint8Array | undefined {
  if (text.length > 2 * length || !/^z[1-9A-HJ-NP-Za-km-z]+$/.test(text)) return undefined
  const bytes: Uint8Array | undefined = decode(text.slice(1))
  return bytes?.length === length ? bytes : undefined
}

/** Decodes exactly `length` bytes (base58btc or base64url), or returns undefined (Controlled Identifiers 1.0, section 2.4). */
export function fromMultibase(text: string, length: number): Uint8Array | undefined {
  if (text.startsWith('z')) return fromBase58(text, length)
  if (text.length > 2 * length || !/^u[A-Za-z0-9_-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text.slice(1), 'base64url')
  return bytes.length === length ? bytes : undefined
}
