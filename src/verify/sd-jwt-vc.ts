import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { dictionary } from '../domain/record.ts'
import { CLOCK_SKEW_MS, isObject, listOf } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { conclude, failed, open, passed } from './outcome.ts'
import { tokenStatusCheck } from './status.ts'
import { readToken, signatureCheck } from './vc-jwt.ts'
import type { Check, Verification } from './verification.ts'

/** RFC 9901 hashes that are accepted. */
const HASHES = dictionary<string>({ 'sha-256': 'sha256', 'sha-384': 'sha384', 'sha-512': 'sha512' })

/** Verifies an SD-JWT VC (RFC 9901; draft-ietf-oauth-sd-jwt-vc) whose issuer publishes its keys as JWT VC issuer metadata. */
export async function verifySdJwtVc(text: string, options: VerifyOptions): Promise<Verification> {
  const form = 'dc+sd-jwt'
  const [compact = '', ...rest] = text.split('~')
  const token = readToken(compact)
  if (token === undefined) return conclude(form, [failed('form', 'This is no SD-JWT.')])
  const { header, payload } = token
  if (header.typ !== 'dc+sd-jwt' && header.typ !== 'vc+sd-jwt') {
    return conclude(form, [failed('form', `header.typ is ${String(header.typ)}.`)])
  }
  if (rest.at(-1) !== '')
    return conclude(form, [failed('form', 'It ends with a key binding token, but no key is bound.')])
  const content = contentCheck(payload, rest.slice(0, -1), options)
  const { iss } = payload
  const secured = (of: string) => securedByMetadata(of, iss, options)
  return conclude(form, [
    passed('form', `An SD-JWT VC with ${rest.length - 1} disclosures.`),
    content,
    ...(await secured(compact)),
    await tokenStatusCheck(payload, options, secured),
  ])
}

function contentCheck(
  payload: Readonly<Record<string, unknown>>,
  disclosures: readonly string[],
  { now }: VerifyOptions,
): Check {
  const earliest = (now.getTime() - CLOCK_SKEW_MS) / 1000
  const latest = (now.getTime() + CLOCK_SKEW_MS) / 1000
  if (typeof payload.iss !== 'string') return failed('content', 'payload.iss is missing.')
  if (typeof payload.vct !== 'string') return failed('content', 'payload.vct is missing.')
  if (typeof payload.exp === 'number' && payload.exp < earliest) return failed('content', 'payload.exp has passed.')
  if (typeof payload.nbf === 'number' && payload.nbf > latest) return failed('content', 'payload.nbf is in the future.')
  const algorithm = HASHES[String(payload._sd_alg ?? 'sha-256')]
  if (algorithm === undefined) return failed('content', `payload._sd_alg is ${String(payload._sd_alg)}.`)
  return disclosureCheck(payload, disclosures, algorithm)
}

/** RFC 9901, section 7.1: every disclosure is referred to exactly once, and no digest twice. */
function disclosureCheck(payload: unknown, disclosures: readonly string[], algorithm: string): Check {
  const known = new Map<string, unknown>()
  for (const disclosure of disclosures) {
    const digest = createHash(algorithm).update(disclosure).digest('base64url')
    const parts = readDisclosure(disclosure)
    if (parts === undefined) return failed('content', `This is no disclosure: ${disclosure.slice(0, 40)}`)
    if (known.has(digest)) return failed('content', 'A disclosure is there twice.')
    known.set(digest, parts.at(-1))
  }
  const seen = new Set<string>()
  const places: unknown[] = [payload]
  while (places.length > 0) {
    const place = places.pop()
    if (typeof place !== 'object' || place === null) continue
    const digests = isObject(place) ? [...listOf(place._sd), ...('...' in place ? [place['...']] : [])] : []
    for (const digest of digests) {
      if (typeof digest !== 'string' || seen.has(digest))
        return failed('content', 'A digest is not a text, or there twice.')
      seen.add(digest)
      places.push(known.get(digest))
    }
    places.push(...Object.values(place))
  }
  const stray = [...known.keys()].filter((digest) => !seen.has(digest)).length
  return stray === 0
    ? passed('content', 'Every disclosure belongs to what is signed.')
    : failed('content', `${stray} of the disclosures belong to nothing that is signed.`)
}

function readDisclosure(disclosure: string): readonly unknown[] | undefined {
  try {
    const parts: unknown = JSON.parse(Buffer.from(disclosure, 'base64url').toString())
    const isDisclosure =
      Array.isArray(parts) && (parts.length === 2 || parts.length === 3) && typeof parts[0] === 'string'
    // RFC 9901, section 7.1 step 3.2.2: such names would replace what is signed.
    return isDisclosure && !(parts.length === 3 && ['_sd', '...'].includes(String(parts[1]))) ? parts : undefined
  } catch {
    return undefined
  }
}

async function securedByMetadata(compact: string, iss: unknown, { documents }: VerifyOptions): Promise<Check[]> {
  const token = readToken(compact)
  if (token === undefined || typeof iss !== 'string' || !URL.canParse(iss))
    return [failed('issuer', 'payload.iss is no address.')]
  if (token.payload.iss !== undefined && token.payload.iss !== iss)
    return [failed('issuer', `${String(token.payload.iss)} is not ${iss}.`)]
  const { origin, pathname } = new URL(iss)
  const url = `${origin}/.well-known/jwt-vc-issuer${pathname === '/' ? '' : pathname}`
  const text = await documents.read(url, 'application/json').catch((error: Error) => error)
  if (text instanceof Error) return [failed('issuer', text.message), open('signature', 'No key.')]
  let publicKey: KeyObject
  try {
    const metadata = JSON.parse(text)
    if (metadata.issuer !== iss) return [failed('issuer', `The metadata at ${url} is of ${String(metadata.issuer)}.`)]
    const jwk = listOf(metadata.jwks?.keys).find((key) => isObject(key) && key.kid === token.header.kid)
    if (!isObject(jwk)) return [passed('issuer', iss), failed('key', `${url} has no key ${String(token.header.kid)}.`)]
    publicKey = createPublicKey({ key: jwk as never, format: 'jwk' })
  } catch (error) {
    return [failed('key', `${url} has no usable key: ${(error as Error).message}`)]
  }
  return [passed('issuer', iss), passed('key', String(token.header.kid)), await signatureCheck(compact, publicKey)]
}
