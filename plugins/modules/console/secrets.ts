import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 256 random bits, which need no slow hash. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const isSecret = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const hashOf = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Bound to the session: only the holder of its secret knows it. */
export const csrfOf = (secret: string): string => hash('sha256', `console-csrf:${secret}`, 'base64url')

export function isEqual(sent: string, expected: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
