import {
  CURVE_B,
  demand,
  ECDSA,
  FIELD,
  fromHex,
  has,
  isObject,
  isText,
  MAX_BYTES,
  number,
  parseText,
  Refused,
  sha256,
  utf8,
} from './seal.js'

// Uses only WebCrypto. Keys and status lists are fetched only from this server, so other issuers remain undetermined.

const MAX_DISCLOSURES = 2000
const MAX_LIST_BYTES = 16777216
const MIN_BITS = 131072
const CLOCK_SKEW_MS = 300000
const V2 = 'https://www.w3.org/ns/credentials/v2'

/** Undetermined result, neither pass nor fail. */
class Unknown extends Error {}

export const isToken = (text) =>
  /^[A-Za-z0-9_-]{1,9999}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(?:~[A-Za-z0-9_~-]*)?$/.test(text)

/**
 * Verifies a JWT (W3C VC-JOSE-COSE) or SD-JWT VC; never throws. `origin` is this server's, `read(path, type)` fetches from it; the verdict
 * is at best `undecided` without them.
 * @returns { verdict, checks, credential }; `ok` of a check is null if undetermined
 */
export async function verifyCredential(text, { origin, read }, now = new Date()) {
  const checks = []
  const found = { checks }
  const step = async (name, make) => {
    try {
      checks.push({ name, ok: true, detail: (await make()) ?? '' })
    } catch (error) {
      const ok = error instanceof Unknown ? null : false
      checks.push({
        name,
        ok,
        detail:
          error instanceof Refused || error instanceof Unknown ? error.message : `The check was aborted: ${error}`,
      })
    }
    return checks.at(-1).ok
  }
  const place = { origin, read }
  await step('form', () => {
    found.token = readToken(text)
  })
  if (found.token === undefined) return { ...found, verdict: 'not valid' }
  const { token } = found
  await step('content', async () => {
    found.credential = token.isDisclosing ? await disclose(token) : credentialOf(token.payload)
  })
  await step('owner', () => {
    found.issuer = token.isDisclosing ? siteOf(token.payload, place) : didOf(token, place)
  })
  const isSigned = found.issuer !== undefined && (await step('signature', () => checkToken(token, found.issuer, place)))
  await step('validity', () => checkTimes(found.credential ?? token.payload, now))
  // The list is fetched only for a verified signature.
  if (isSigned === true)
    await step('status', () => (token.isDisclosing ? checkTokenStatus : checkStatus)(token, found, place, now))
  const isWrong = checks.some(({ ok }) => ok === false)
  const isSure = isSigned === true && checks.every(({ ok }) => ok === true)
  return { ...found, verdict: isWrong ? 'not valid' : isSure ? 'valid' : 'undecided' }
}

function bytesOf(text, place) {
  try {
    return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (character) => character.charCodeAt(0))
  } catch {
    throw new Refused(`${place} is not Base64url.`)
  }
}

const jsonOf = (text, place) => {
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(text, place)))
  } catch (error) {
    throw error instanceof Refused ? error : new Refused(`${place} is not UTF-8.`)
  }
}

function readToken(text) {
  demand(text.length <= MAX_BYTES, 'The token is larger than 3,145,728 bytes.')
  demand(isToken(text), 'The text is not a JSON Web Token.')
  const [compact, ...disclosures] = text.split('~', MAX_DISCLOSURES + 3)
  const token = readCompact(compact)
  const { header, payload } = token
  const isDisclosing = disclosures.length > 0
  if (isDisclosing) {
    demand(['dc+sd-jwt', 'vc+sd-jwt'].includes(header.typ), 'header.typ must be dc+sd-jwt or vc+sd-jwt.')
    demand(disclosures.length <= MAX_DISCLOSURES + 1, 'The token has more than 2,000 disclosures.')
    demand(disclosures.pop() === '', 'The token ends with a key binding token, which this verifier does not support.')
  } else {
    demand(header.typ === undefined || header.typ === 'vc+jwt', 'header.typ is not vc+jwt.')
    demand(!has(payload, 'vc') && !has(payload, 'vp'), 'The payload must be the credential itself.')
  }
  return { ...token, disclosures, isDisclosing }
}

/** Decodes a JWS without verifying it. */
function readCompact(text) {
  const [head, body, signature] = text.split('.', 3)
  const [header, payload] = [jsonOf(head, 'The header'), jsonOf(body, 'The payload')]
  demand(isObject(header) && isObject(payload), 'Header and payload must be objects.')
  demand(header.alg === 'ES256', 'header.alg is not ES256.')
  demand(!has(header, 'crit'), 'header.crit lists extensions; this verifier supports none.')
  return { header, payload, signed: utf8.encode(`${head}.${body}`), signature: bytesOf(signature, 'The signature') }
}

const listOf = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value])
const CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'cnf']

function credentialOf(payload) {
  demand(Array.isArray(payload['@context']) && payload['@context'][0] === V2, `@context does not begin with ${V2}.`)
  demand(listOf(payload.type).includes('VerifiableCredential'), 'type does not include VerifiableCredential.')
  demand(listOf(payload.credentialSubject).length > 0, 'credentialSubject is missing.')
  for (const claim of ['exp', 'nbf', 'iat']) {
    demand(!has(payload, claim) || typeof payload[claim] === 'number', `${claim} is not a number of seconds.`)
  }
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !CLAIMS.includes(name)))
}

/** RFC 9901, section 7.1: each disclosure is referenced once; none replaces a signed claim. */
async function disclose({ payload, disclosures }) {
  demand((payload._sd_alg ?? 'sha-256') === 'sha-256', 'payload._sd_alg is not sha-256.')
  const known = new Map()
  for (const disclosure of disclosures) {
    const digest = toBase64url(await sha256(utf8.encode(disclosure)))
    demand(!known.has(digest), 'The token contains a disclosure twice.')
    const parts = jsonOf(disclosure, 'A disclosure')
    demand(Array.isArray(parts) && isText(parts[0]) && [2, 3].includes(parts.length), 'A disclosure is malformed.')
    demand(
      parts.length === 2 || (isText(parts[1]) && !['_sd', '...'].includes(parts[1])),
      'A disclosure has an invalid name.',
    )
    known.set(digest, parts)
  }
  const seen = new Set()
  const take = (digest, length) => {
    demand(isText(digest) && !seen.has(digest), 'A digest occurs twice or is not a string.')
    seen.add(digest)
    const parts = known.get(digest)
    known.delete(digest)
    demand(parts === undefined || parts.length === length, 'A disclosure is in the wrong place.')
    return parts
  }
  const disclosed = (value, depth) => {
    demand(depth <= 66, 'The payload is nested more than 66 levels deep.')
    if (Array.isArray(value)) {
      return value.flatMap((entry) => {
        if (!isObject(entry) || !has(entry, '...')) return [disclosed(entry, depth + 1)]
        demand(Object.keys(entry).length === 1, 'The object with the digest of an element has other members.')
        const parts = take(entry['...'], 2)
        return parts === undefined ? [] : [disclosed(parts[1], depth + 1)]
      })
    }
    if (!isObject(value)) return value
    const { _sd: digests = [], _sd_alg: algorithm, ...clear } = value
    demand(!has(clear, '...'), 'The digest of an element is not in a list.')
    demand(algorithm === undefined || depth === 0, '_sd_alg is not at the top level.')
    demand(Array.isArray(digests), '_sd is not a list.')
    const members = new Map(Object.entries(clear).map(([name, inner]) => [name, disclosed(inner, depth + 1)]))
    for (const digest of digests) {
      const parts = take(digest, 3)
      if (parts === undefined) continue
      demand(depth > 0 || !ALWAYS_CLEAR.includes(parts[1]), `${parts[1]} must not be selectively disclosed.`)
      demand(!members.has(parts[1]), `A disclosure replaces ${parts[1]}.`)
      members.set(parts[1], disclosed(parts[2], depth + 1))
    }
    return Object.fromEntries(members)
  }
  const credential = disclosed(payload, 0)
  demand(known.size === 0, 'The signed payload does not reference a disclosure.')
  demand(isText(credential.vct), 'vct is missing.')
  return credential
}

const ALWAYS_CLEAR = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status', '_sd_alg']
const toBase64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replaceAll('=', '')

const issuerOf = ({ issuer }) => (isObject(issuer) ? issuer.id : issuer)

function didOf({ header, payload }, { origin }) {
  const did = issuerOf(payload)
  demand(isText(did) && isText(header.kid), 'The issuer or its key is missing.')
  const kid = header.kid.startsWith('#') ? did + header.kid : header.kid
  demand(kid.split('#', 1)[0] === did, 'header.kid is not a key of the issuer.')
  demand(payload.iss === undefined || payload.iss === did, 'payload.iss differs from the issuer.')
  const [method, web, host, ...path] = did.split(':')
  const isHere =
    origin !== undefined &&
    method === 'did' &&
    web === 'web' &&
    host.replace('%3A', ':').toLowerCase() === new URL(origin).host
  if (!isHere || path.length === 0 || !path.every((part) => /^[A-Za-z0-9_-]+$/.test(part)))
    throw new Unknown(`The issuer ${did} is on another server. This page reads only from its own server.`)
  return { id: did, kid, path: `/${path.join('/')}/did.json` }
}

function siteOf({ iss }, { origin }) {
  demand(isText(iss), 'payload.iss is missing.')
  const path = origin !== undefined && iss.startsWith(`${origin}/`) ? iss.slice(origin.length) : ''
  if (!/^(?:\/[A-Za-z0-9_-]+)+$/.test(path))
    throw new Unknown(`The issuer ${iss} is on another server. This page reads only from its own server.`)
  return { id: iss, path: `/.well-known/jwt-vc-issuer${path}` }
}

async function readJson({ read }, path) {
  let text
  try {
    text = await read(path, 'application/json, application/did+ld+json')
  } catch (error) {
    throw new Unknown(`${path} cannot be read: ${error.message}`)
  }
  return parseText(text)
}

async function checkToken({ header, signed, signature }, issuer, place) {
  const document = await readJson(place, issuer.path)
  const key = issuer.kid === undefined ? siteKey(document, header, issuer) : didKey(document, issuer)
  demand(isObject(key) && key.kty === 'EC' && key.crv === 'P-256', 'The key is not a P-256 key.')
  const known = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x: key.x, y: key.y }, ECDSA, false, [
    'verify',
  ])
  demand(
    signature.length === 64 && (await crypto.subtle.verify(ECDSA, known, signature, signed)),
    'The signature is invalid: the content was changed, or another key signed it.',
  )
}

function siteKey(document, { kid }, { id }) {
  demand(isObject(document) && document.issuer === id && isText(kid), 'The metadata belongs to another issuer.')
  return listOf(document.jwks?.keys).find((key) => isObject(key) && key.kid === kid)
}

function didKey(document, { id, kid }) {
  demand(isObject(document) && document.id === id, 'The DID document belongs to another issuer.')
  const absolute = (name) => (isText(name) && name.startsWith('#') ? id + name : name)
  const method = listOf(document.verificationMethod).find((one) => isObject(one) && absolute(one.id) === kid)
  const isListed = listOf(document.assertionMethod).some((name) => absolute(name) === kid)
  demand(
    method !== undefined && method.controller === id && isListed,
    'The issuer has no such key for assertionMethod.',
  )
  return method.type === 'Multikey' ? multikey(method.publicKeyMultibase) : method.publicKeyJwk
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** Decodes a Multikey: `z`, 0x8024 and the compressed point (SEC 1, 2.3.4). */
function multikey(text) {
  demand(isText(text) && /^z[1-9A-HJ-NP-Za-km-z]{48}$/.test(text), 'The key is not a P-256 key in Multikey format.')
  let value = 0n
  for (const digit of text.slice(1)) value = value * 58n + BigInt(BASE58.indexOf(digit))
  const bytes = fromHex(value.toString(16).padStart(70, '0'))
  demand(
    bytes.length === 35 && bytes[0] === 0x80 && bytes[1] === 0x24 && (bytes[2] | 1) === 3,
    'The key is not a P-256 key in Multikey format.',
  )
  const x = number(bytes.slice(3))
  const root = power((x * x * x - 3n * x + CURVE_B) % FIELD, (FIELD + 1n) / 4n)
  const y = (root & 1n) === BigInt(bytes[2] & 1) ? root : FIELD - root
  const digits = (coordinate) => toBase64url(fromHex(coordinate.toString(16).padStart(64, '0')))
  return { kty: 'EC', crv: 'P-256', x: digits(x), y: digits(y) }
}

function power(base, exponent) {
  let result = 1n
  for (
    let left = exponent, square = ((base % FIELD) + FIELD) % FIELD;
    left > 0n;
    left >>= 1n, square = (square * square) % FIELD
  ) {
    if (left & 1n) result = (result * square) % FIELD
  }
  return result
}

function checkTimes(claims, now) {
  const time = (name) =>
    typeof claims[name] === 'number' ? claims[name] * 1000 : isText(claims[name]) ? Date.parse(claims[name]) : NaN
  for (const name of ['validUntil', 'exp'])
    demand(!(time(name) < now.getTime() - CLOCK_SKEW_MS), `The credential has expired: ${name}.`)
  for (const name of ['validFrom', 'nbf'])
    demand(!(time(name) > now.getTime() + CLOCK_SKEW_MS), `The credential is not valid yet: ${name}.`)
}

/** Returns the path of an address on this server; others are never contacted. */
function pathOf(address, { origin }) {
  if (!isText(address) || origin === undefined || !address.startsWith(`${origin}/`))
    throw new Unknown('The status list is on another server. This page reads only from its own server.')
  return address.slice(origin.length)
}

async function listAt(address, type, place) {
  const path = pathOf(address, place)
  try {
    const text = (await place.read(path, type)).trim()
    demand(isToken(text), 'not a JSON Web Token')
    return readCompact(text)
  } catch (error) {
    throw new Unknown(`The status list cannot be read: ${error.message}`)
  }
}

/** W3C Bitstring Status List 1.0, section 3.2. */
async function checkStatus({ payload }, { issuer }, place, now) {
  const entries = listOf(payload.credentialStatus)
  demand(entries.length <= 4, 'credentialStatus has more than 4 entries.')
  for (const entry of entries) {
    if (!isObject(entry) || entry.type !== 'BitstringStatusListEntry' || entry.statusSize > 1)
      throw new Unknown('The status type is not supported.')
    const list = await listAt(entry.statusListCredential, 'application/vc+jwt', place)
    const { credentialSubject: subject } = list.payload
    const isIts = list.payload.id === entry.statusListCredential && issuerOf(list.payload) === issuer.id
    demand(
      isIts && isObject(subject) && listOf(subject.statusPurpose).includes(entry.statusPurpose),
      'The status list at this address belongs to another issuer or purpose.',
    )
    credentialOf(list.payload)
    await checkToken(list, didOf(list, place), place)
    checkTimes(list.payload, now)
    demand(
      isText(subject.encodedList) && subject.encodedList.startsWith('u'),
      'encodedList of the status list is malformed.',
    )
    const bits = await unpack('gzip', bytesOf(subject.encodedList.slice(1), 'The status list'))
    const index = Number(entry.statusListIndex)
    demand(
      bits.length * 8 >= MIN_BITS && Number.isSafeInteger(index) && index >= 0 && index < bits.length * 8,
      'The status list is too short.',
    )
    demand(((bits[index >> 3] ?? 0) & (0x80 >> (index % 8))) === 0, 'The issuer has revoked the credential.')
  }
}

/** Token Status List (draft-ietf-oauth-status-list, section 8.3). */
async function checkTokenStatus({ payload }, { issuer }, place, now) {
  const { uri, idx } = payload.status?.status_list ?? {}
  if (uri === undefined) throw new Unknown('The credential has no status list.')
  const { header, payload: list, ...signed } = await listAt(uri, 'application/statuslist+jwt', place)
  demand(
    header.typ === 'statuslist+jwt' && list.sub === uri && [undefined, issuer.id].includes(list.iss),
    'The status list at this address belongs to another issuer or purpose.',
  )
  await checkToken({ header, ...signed }, issuer, place)
  checkTimes(list, now)
  const { bits, lst } = list.status_list ?? {}
  demand([1, 2, 4, 8].includes(bits) && isText(lst), 'The status list is malformed: bits or lst is missing or invalid.')
  const bytes = await unpack('deflate', bytesOf(lst, 'The status list'))
  const byte = Number.isSafeInteger(idx) && idx >= 0 ? bytes[Math.floor((idx * bits) / 8)] : undefined
  demand(byte !== undefined, 'The status list is too short.')
  demand(((byte >> ((idx * bits) % 8)) & ((1 << bits) - 1)) === 0, 'The issuer has revoked the credential.')
}

/** A small archive can unpack to any size. */
async function unpack(format, packed) {
  const parts = []
  let length = 0
  try {
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format)).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length
      if (length > MAX_LIST_BYTES) throw new Error('too large')
      parts.push(part.value)
    }
  } catch (error) {
    throw new Unknown(`The status list cannot be decompressed: ${error.message}`)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}
