import type { KeyObject } from 'node:crypto'
import { compactVerify } from 'jose'
import { JsonGuardError } from '../domain/json-guard.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { contentFindings, issuerOf, textOf, validityCheck } from './credential-content.ts'
import { NotRead, type VerifyOptions } from './documents.ts'
import { readJson } from './json.ts'
import { didOf, resolveKey, type VerificationKey } from './keys.ts'
import { failed, open, passed, shown } from './outcome.ts'
import type { ParsedCredential } from './parsed-credential.ts'
import type { Check, Finding } from './verification.ts'

/** Decoded JWS, not yet verified. */
export interface Token {
  readonly header: JsonRecord
  readonly payload: JsonRecord
}

/**
 * Decodes a JWS; undefined if invalid, or if the payload is not a JSON object.
 * @throws JsonGuardError if ambiguous
 */
export function readToken(compact: string): Token | undefined {
  const parts = compact.split('.', 4)
  if (parts.length !== 3 || !parts.every((part) => /^[A-Za-z0-9_-]+$/.test(part))) return undefined
  const [header, payload] = parts.map((part) => Buffer.from(part, 'base64url'))
  try {
    const token = {
      header: readJson(header as Buffer, 'The header'),
      payload: readJson(payload as Buffer, 'The payload'),
    }
    return isRecord(token.header) && isRecord(token.payload) ? (token as Token) : undefined
  } catch (error) {
    if (error instanceof JsonGuardError) throw error
    return undefined
  }
}

/** Parses and checks a credential (W3C VC-JOSE-COSE, section 3.1). */
export async function examineVcJwt(compact: string, token: Token, options: VerifyOptions): Promise<ParsedCredential> {
  const form = 'vc+jwt'
  const check = formOf(token)
  if (check.ok !== true) return { form, checks: [check] }
  const { payload } = token
  const credential = credentialOf(payload)
  return {
    form,
    credential,
    checks: [
      check,
      ...findingsCheck([...contentFindings(credential), ...dateFindings(payload)]),
      ...(await securedBy(compact, token, issuerOf(payload), options)),
      validityCheck(payload, options.now),
    ],
  }
}

export const findingsCheck = (findings: readonly Finding[]): Check[] =>
  findings.length === 0 ? [] : [failed('content', textOf(findings))]

/** RFC 7519, section 4.1: seconds. */
export const dateFindings = (payload: JsonRecord): Finding[] =>
  ['exp', 'nbf', 'iat'].flatMap((claim) =>
    payload[claim] === undefined || isSeconds(payload[claim])
      ? []
      : [{ path: claim, message: 'must be a number of seconds' }],
  )

// ECMAScript time range.
const isSeconds = (value: unknown) => typeof value === 'number' && Math.abs(value) <= 8.64e12

/** Not credential members (VC-JOSE-COSE, section 3.1.3; RFC 7519, section 4.1). */
const CLAIMS = new Set(['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf'])

const credentialOf = (payload: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(payload).filter(([claim]) => !CLAIMS.has(claim)))

function formOf({ header, payload }: Token): Check {
  if (header.typ !== undefined && header.typ !== 'vc+jwt') return failed('form', `header.typ is ${shown(header.typ)}.`)
  // VC-JOSE-COSE, section 3.1.1: these are of data model 1.1.
  for (const member of ['vc', 'vp']) {
    if (payload[member] !== undefined) return failed('form', `payload.${member} is not allowed.`)
  }
  return criticalCheck(header) ?? passed('form', 'A credential in a JSON Web Token.')
}

/** RFC 7515, section 4.1.11: reject unknown critical extensions. */
export const criticalCheck = ({ crit }: JsonRecord): Check | undefined =>
  crit === undefined ? undefined : failed('form', 'header.crit lists extensions; none is supported.')

/** Keys of other issuers are not fetched. */
async function securedBy(
  compact: string,
  { header, payload }: Token,
  issuer: string | undefined,
  options: VerifyOptions,
): Promise<Check[]> {
  const { kid } = header
  if (typeof kid !== 'string') return [failed('key', 'header.kid is missing: it must identify a key of the issuer.')]
  const absolute = kid.startsWith('#') ? `${issuer}${kid}` : kid
  if (issuer === undefined || didOf(absolute) !== issuer) {
    return [failed('issuer', `header.kid (${shown(kid)}) is not a key of the issuer (${shown(issuer ?? 'none')}).`)]
  }
  if (payload.iss !== undefined && payload.iss !== issuer) {
    return [failed('issuer', `payload.iss (${shown(payload.iss)}) differs from the issuer (${shown(issuer)}).`)]
  }
  const key = await keyCheck(absolute, options)
  if (Array.isArray(key)) return [passed('issuer', issuer), ...key]
  return [passed('issuer', issuer), passed('key', key.id), await signatureCheck(compact, key.publicKey)]
}

export async function keyCheck(id: string, options: VerifyOptions): Promise<VerificationKey | Check[]> {
  try {
    return await resolveKey(id, options.documents)
  } catch (error) {
    const { message } = error as Error
    return error instanceof NotRead
      ? [open('key', message), open('signature', 'Not checked: the key of the issuer is unknown.')]
      : [failed('key', message)]
  }
}

/** Accepts only ES256, regardless of the header. */
export async function signatureCheck(compact: string, publicKey: KeyObject): Promise<Check> {
  try {
    await compactVerify(compact, publicKey, { algorithms: ['ES256'] })
    return passed('signature', 'ES256 over header and payload.')
  } catch (error) {
    return failed(
      'signature',
      `The signature is invalid: the content was changed, or another key signed it (${(error as Error).message}).`,
    )
  }
}
