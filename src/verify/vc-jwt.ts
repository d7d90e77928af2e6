import { compactVerify, decodeProtectedHeader } from 'jose'
import { contentChecks } from './content.ts'
import { isObject, issuerOf } from './credential-content.ts'
import type { VerifyOptions } from './documents.ts'
import { resolveKey, type VerificationKey } from './keys.ts'
import { conclude, failed, passed } from './outcome.ts'
import { statusCheck } from './status.ts'
import type { Check, Verification } from './verification.ts'

type Json = Readonly<Record<string, unknown>>

/** A JWS in its parts; nothing of it is trusted yet. */
export interface Token {
  readonly header: Json
  readonly payload: Json
}

/** The parts of a compact JWS whose payload is a JSON object, or undefined. */
export function readToken(compact: string): Token | undefined {
  const parts = compact.split('.')
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return undefined
  try {
    const header: unknown = decodeProtectedHeader(compact)
    const payload: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
    return isObject(header) && isObject(payload) ? { header, payload } : undefined
  } catch {
    return undefined
  }
}

/** Verifies a credential that JOSE secures (W3C VC-JOSE-COSE, section 3.1). */
export async function verifyVcJwt(compact: string, options: VerifyOptions): Promise<Verification> {
  const token = readToken(compact)
  if (token === undefined) return conclude('vc+jwt', [failed('form', 'This is no compact JWS with a JSON payload.')])
  const { payload } = token
  const secured = await securedBy(compact, token, issuerOf(payload), options)
  const isList = isObject(payload.credentialSubject) && payload.credentialSubject.type === 'BitstringStatusList'
  return conclude('vc+jwt', [
    formOf(token),
    ...(await contentChecks(credentialOf(payload), options)),
    ...secured,
    ...(isList ? [] : [await statusCheck(payload, options)]),
  ])
}

/** Claims of the token that are no members of the credential (VC-JOSE-COSE, section 3.1.3; RFC 7519, section 4.1). */
const CLAIMS = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf'])

const credentialOf = (payload: Json): Json =>
  Object.fromEntries(Object.entries(payload).filter(([claim]) => !CLAIMS.has(claim)))

function formOf({ header, payload }: Token): Check {
  if (header.typ !== undefined && header.typ !== 'vc+jwt') return failed('form', `header.typ is ${String(header.typ)}.`)
  // VC-JOSE-COSE, section 3.1.1: the payload is the credential; these members are of the data model 1.1.
  for (const member of ['vc', 'vp']) {
    if (payload[member] !== undefined) return failed('form', `payload.${member} must not be there.`)
  }
  return passed('form', 'A credential in a JSON Web Token.')
}

/** Issuer, key and signature of a JWS in the name of `issuer`, whose key is a DID URL. */
export async function securedBy(
  compact: string,
  { header, payload }: Token,
  issuer: string | undefined,
  options: VerifyOptions,
): Promise<Check[]> {
  const { kid } = header
  if (typeof kid !== 'string') return [failed('key', 'header.kid is missing.')]
  const absolute = kid.startsWith('#') ? `${issuer}${kid}` : kid
  const isIssuer = issuer !== undefined && absolute.startsWith(`${issuer}#`)
  const isSame = payload.iss === undefined || payload.iss === issuer
  const issuerCheck = !isIssuer
    ? failed('issuer', `header.kid (${kid}) is no key of the issuer (${issuer ?? 'none'}).`)
    : !isSame
      ? failed('issuer', `payload.iss (${String(payload.iss)}) differs from the issuer (${issuer}).`)
      : passed('issuer', issuer)
  let key: VerificationKey
  try {
    key = await resolveKey(absolute, options.documents)
  } catch (error) {
    return [issuerCheck, failed('key', (error as Error).message), { name: 'signature', ok: null, detail: 'No key.' }]
  }
  return [issuerCheck, passed('key', key.id), await signatureCheck(compact, key.publicKey)]
}

/** ES256 alone is accepted, whatever the header says. */
export async function signatureCheck(compact: string, publicKey: VerificationKey['publicKey']): Promise<Check> {
  try {
    await compactVerify(compact, publicKey, { algorithms: ['ES256'] })
    return passed('signature', 'ES256 over header and payload.')
  } catch (error) {
    return failed('signature', (error as Error).message)
  }
}
