import { createHash, X509Certificate } from 'node:crypto'
import { didWeb } from '../domain/issuer.ts'
import { MAX_LEVELS } from '../domain/json-guard.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { issuerOf, isTime, listOf, validityCheck } from './credential-content.ts'
import { NotRead, type VerifyOptions } from './documents.ts'
import { readJson } from './json.ts'
import { jwkPublicKey } from './keys.ts'
import { failed, open, passed, shown } from './outcome.ts'
import type { ParsedCredential } from './parsed-credential.ts'
import { criticalCheck, dateFindings, findingsCheck, signatureCheck, type Token } from './vc-jwt.ts'
import type { Check, Finding } from './verification.ts'

const HASHES: ReadonlyMap<unknown, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
])

/** One per characteristic of a passport. */
const MAX_DISCLOSURES = 2000

const FORM = 'dc+sd-jwt'

/** Parses and checks an SD-JWT VC (RFC 9901; draft-ietf-oauth-sd-jwt-vc) with JWT VC issuer metadata. */
export async function examineSdJwtVc(text: string, token: Token, options: VerifyOptions): Promise<ParsedCredential> {
  const [compact = '', ...rest] = text.split('~', MAX_DISCLOSURES + 3)
  const form = formOf(token, rest)
  if (form.ok !== true) return { form: FORM, checks: [form] }
  const { payload } = token
  const disclosed = disclosedPayload(payload, rest.slice(0, -1))
  const content =
    disclosed instanceof Error ? [failed('content', disclosed.message)] : findingsCheck(contentFindings(disclosed))
  const credential = disclosed instanceof Error ? undefined : disclosed
  const disclosureCheck = passed('content', 'The signed payload references every disclosure.')
  return {
    form: FORM,
    credential,
    checks: [
      form,
      ...(content.length === 0 ? [disclosureCheck] : content),
      ...(await securedByMetadata(compact, token, payload.iss, credential, options)),
      validityCheck(credential ?? payload, options.now),
    ],
  }
}

function formOf({ header }: Token, rest: readonly string[]): Check {
  if (header.typ !== 'dc+sd-jwt' && header.typ !== 'vc+sd-jwt') {
    return failed('form', `header.typ is ${shown(header.typ)}, must be dc+sd-jwt.`)
  }
  if (rest.length - 1 > MAX_DISCLOSURES)
    return failed('form', `The token has more than ${MAX_DISCLOSURES} disclosures.`)
  if (rest.at(-1) !== '') return failed('form', 'The token ends with a key binding token, which is not supported.')
  return criticalCheck(header) ?? passed('form', `An SD-JWT VC with ${rest.length - 1} disclosures.`)
}

/** Never disclosures (draft-ietf-oauth-sd-jwt-vc, section 2.2.2.2), except `_sd_alg`. */
const ALWAYS_CLEAR = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status', '_sd_alg']

function contentFindings(payload: JsonRecord): Finding[] {
  return [
    ...(typeof payload.vct === 'string' ? [] : [{ path: 'vct', message: 'is missing' }]),
    ...dateFindings(payload),
    ...['validFrom', 'validUntil'].flatMap((path) =>
      payload[path] === undefined || isTime(payload[path])
        ? []
        : [{ path, message: 'must be a date and time with a time zone' }],
    ),
  ]
}

/** Resolves disclosures (RFC 9901, section 7.1): each is referenced exactly once, digests are unique, signed claims are never replaced. */
function disclosedPayload(payload: JsonRecord, disclosures: readonly string[]): JsonRecord | Error {
  const algorithm = HASHES.get(payload._sd_alg ?? 'sha-256')
  if (algorithm === undefined) return new Error(`payload._sd_alg is ${shown(payload._sd_alg)}.`)
  try {
    const known = new Map<string, Disclosure>()
    for (const disclosure of disclosures) {
      const digest = createHash(algorithm).update(disclosure).digest('base64url')
      if (known.has(digest)) throw new Error('The token contains a disclosure twice.')
      known.set(digest, readDisclosure(disclosure))
    }
    const disclosed = new Disclosing(known).value(payload, 0)
    if (known.size > 0) throw new Error(`The signed payload does not reference ${known.size} of the disclosures.`)
    return disclosed as JsonRecord
  } catch (error) {
    return error as Error
  }
}

interface Disclosure {
  readonly name?: string
  readonly value: unknown
}

function readDisclosure(disclosure: string): Disclosure {
  const parts = /^[A-Za-z0-9_-]+$/.test(disclosure)
    ? readJson(Buffer.from(disclosure, 'base64url'), 'A disclosure')
    : undefined
  if (!Array.isArray(parts) || typeof parts[0] !== 'string') throw new Error('A disclosure is malformed.')
  if (parts.length === 2) return { value: parts[1] }
  if (parts.length !== 3 || typeof parts[1] !== 'string') throw new Error('A disclosure is malformed.')
  // RFC 9901, section 7.1 step 3.2.2: such names would replace signed content.
  if (['_sd', '...'].includes(parts[1])) throw new Error(`A disclosure has the forbidden name ${parts[1]}.`)
  return { name: parts[1], value: parts[2] }
}

class Disclosing {
  readonly #known: Map<string, Disclosure>
  readonly #seen = new Set<unknown>()

  constructor(known: Map<string, Disclosure>) {
    this.#known = known
  }

  value(value: unknown, depth: number): unknown {
    if (depth > MAX_LEVELS) throw new Error(`The payload is nested more than ${MAX_LEVELS} levels deep.`)
    if (Array.isArray(value)) return value.flatMap((entry) => this.#element(entry, depth + 1))
    return isRecord(value) ? this.#object(value, depth + 1) : value
  }

  #element(entry: unknown, depth: number): unknown[] {
    if (!isRecord(entry) || !Object.hasOwn(entry, '...')) return [this.value(entry, depth)]
    if (Object.keys(entry).length > 1) throw new Error('The object with the digest of an element has other members.')
    const disclosure = this.#take(entry['...'])
    if (disclosure?.name !== undefined) throw new Error(`The disclosure of ${shown(disclosure.name)} is in a list.`)
    return disclosure === undefined ? [] : [this.value(disclosure.value, depth)]
  }

  #object({ _sd: digests = [], _sd_alg: algorithm, ...clear }: JsonRecord, depth: number): JsonRecord {
    if (Object.hasOwn(clear, '...')) throw new Error('The digest of an element is not in a list.')
    if (algorithm !== undefined && depth > 1) throw new Error('_sd_alg is not at the top level.')
    if (!Array.isArray(digests)) throw new Error('_sd is not a list.')
    const members = Object.entries(clear).map(([name, value]): [string, unknown] => [name, this.value(value, depth)])
    for (const digest of digests) {
      const disclosure = this.#take(digest)
      if (disclosure === undefined) continue
      const { name } = disclosure
      if (name === undefined) throw new Error('The disclosure of an element is not in a list.')
      if (depth === 1 && ALWAYS_CLEAR.includes(name)) throw new Error(`${name} must not be selectively disclosed.`)
      if (members.some(([other]) => other === name)) throw new Error(`A disclosure replaces ${shown(name)}.`)
      members.push([name, this.value(disclosure.value, depth)])
    }
    return Object.fromEntries(members)
  }

  #take(digest: unknown): Disclosure | undefined {
    if (typeof digest !== 'string') throw new Error('A digest is not a string.')
    if (this.#seen.has(digest)) throw new Error('A digest occurs twice.')
    this.#seen.add(digest)
    const disclosure = this.#known.get(digest)
    this.#known.delete(digest)
    return disclosure
  }
}

async function securedByMetadata(
  compact: string,
  token: Token,
  iss: unknown,
  credential: JsonRecord | undefined,
  options: VerifyOptions,
): Promise<Check[]> {
  if (typeof iss !== 'string' || !/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(iss) || !URL.canParse(iss)) {
    return [failed('issuer', `payload.iss is ${shown(iss ?? 'missing')}, must be the address of the issuer.`)]
  }
  const named = credential?.issuer === undefined ? undefined : issuerOf(credential)
  if (credential?.issuer !== undefined && named !== didWeb(iss)) {
    return [failed('issuer', `issuer (${shown(named ?? 'none')}) differs from iss (${shown(iss)}).`)]
  }
  const checks = await metadataChecks(compact, token, iss, options)
  return [passed('issuer', iss), ...checks]
}

/** Checks JWT VC issuer metadata (draft-ietf-oauth-sd-jwt-vc, section 5) and signature. */
export async function metadataChecks(
  compact: string,
  { header }: Token,
  iss: string,
  { documents }: VerifyOptions,
): Promise<Check[]> {
  const { origin, pathname } = new URL(iss)
  const url = `${origin}/.well-known/jwt-vc-issuer${pathname === '/' ? '' : pathname}`
  try {
    if (typeof header.kid !== 'string') throw new Error('header.kid is missing: it must identify a key of the issuer.')
    const metadata = readJson(await documents.read(url, 'application/json'), url)
    if (!isRecord(metadata) || metadata.issuer !== iss)
      throw new Error(`The metadata at ${url} does not belong to ${iss}.`)
    const keys = isRecord(metadata.jwks) ? listOf(metadata.jwks.keys) : []
    const jwk = keys.find((key) => isRecord(key) && key.kid === header.kid)
    if (jwk === undefined) throw new Error(`${url} has no key ${shown(header.kid)}.`)
    const publicKey = jwkPublicKey(jwk)
    const signature = await signatureCheck(compact, publicKey)
    if (signature.ok === true && header.x5c !== undefined && !leafOf(header.x5c).publicKey.equals(publicKey)) {
      throw new Error('The certificate in header.x5c is not for the signing key.')
    }
    return [passed('key', header.kid), signature]
  } catch (error) {
    const { message } = error as Error
    return error instanceof NotRead
      ? [open('key', message), open('signature', 'Not checked: the key of the issuer is unknown.')]
      : [failed('key', message)]
  }
}

const MAX_CERTIFICATE_CHARACTERS = 11_000
const MAX_CERTIFICATES = 4

/** The metadata identifies its owner, not the chain. */
function leafOf(x5c: unknown): X509Certificate {
  const [leaf] = Array.isArray(x5c) && x5c.length <= MAX_CERTIFICATES ? x5c : []
  if (typeof leaf !== 'string' || leaf.length > MAX_CERTIFICATE_CHARACTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(leaf)) {
    throw new Error('header.x5c is not a certificate chain.')
  }
  return new X509Certificate(Buffer.from(leaf, 'base64'))
}
