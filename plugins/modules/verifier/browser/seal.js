// The seal rule (docs/reference/seal-rule.md) by clause, with WebCrypto only; works offline.

const REDACTED = '[REDACTED - Privileged Access Required]'
const SUBJECT = '@passport'

/** Invalid document. `altered`: key of the changed value, if known. */
export class Refused extends Error {
  constructor(reason, altered) {
    super(reason)
    this.altered = altered
  }
}
export const demand = (holds, reason, altered) => {
  if (!holds) throw new Refused(reason, altered)
}
export const has = (object, name) => Object.hasOwn(object, name)
export const words = (text) => new Set(text.split(' '))

// T. Text

export const MAX_BYTES = 3145728
const MAX_DEPTH = 66
const MAX_MEMBERS = 100000
const LONGEST_NAME = 256
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

/** Checks size, depth and members before parsing. */
export function parseText(given) {
  demand(
    given.length <= MAX_BYTES && utf8.encode(given).length <= MAX_BYTES,
    'The document is larger than 3,145,728 bytes.',
  )
  demand(given.isWellFormed(), 'The text is not UTF-8.')
  const text = given.startsWith('\ufeff') ? given.slice(1) : given
  scan(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('The text is not complete JSON.')
  }
}

/** Rejects ambiguous JSON that JSON.parse accepts. */
function scan(text) {
  const open = []
  let members = 0
  for (let at = 0; at < text.length; ) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      const value = decode(text.slice(at, end))
      if (value === undefined) return
      demand(!value.includes('\0'), 'A string contains the character U+0000.')
      demand(value.isWellFormed(), 'A string contains a lone surrogate.')
      const object = open.at(-1)
      if (object?.expectsName) {
        members += 1
        demand(members <= MAX_MEMBERS, 'The document has more than 100,000 members.')
        demand(value.length <= LONGEST_NAME, `The name ${value.slice(0, 40)}… is longer than 256 characters.`)
        demand(!FORBIDDEN.has(value), `The member name ${value} is forbidden.`)
        demand(!object.names.has(value), `The member ${value} occurs twice.`)
        object.names.add(value)
        object.expectsName = false
      }
      at = end
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const literal = matchAt(/[-+.0-9eE]+/y, text, at)
      demand(isExact(literal), `${literal.slice(0, 40)} is a number that cannot be represented exactly.`)
      at += literal.length
    } else {
      if (character === '{') open.push({ names: new Set(), expectsName: true })
      if (character === '[') open.push({})
      if (character === '}' || character === ']') open.pop()
      if (character === ',' && open.at(-1)?.names) open.at(-1).expectsName = true
      demand(open.length <= MAX_DEPTH, 'The document is nested more than 66 levels deep.')
      at += 1
    }
  }
}

function matchAt(pattern, text, at) {
  pattern.lastIndex = at
  return pattern.exec(text)[0]
}

function endOfString(text, start) {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function decode(quoted) {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  try {
    return JSON.parse(quoted)
  } catch {
    return undefined
  }
}

/** True if a double represents the literal exactly. */
function isExact(literal) {
  const given = significant(literal)
  if (given === undefined || given.digits === '') return true
  const held = significant(String(Number(literal)))
  return held !== undefined && given.digits === held.digits && given.power === held.power
}

function significant(literal) {
  const found = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(literal)
  if (found === null) return undefined
  const [, whole, fraction = '', exponent = '0'] = found
  const all = whole + fraction
  let start = 0
  let end = all.length
  while (start < end && all[start] === '0') start += 1
  while (end > start && all[end - 1] === '0') end -= 1
  return { digits: all.slice(start, end), power: Number(exponent) + all.length - end - fraction.length }
}

export const utf8 = new TextEncoder()
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
export const fromHex = (text) => Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16))
export const number = (bytes) => BigInt(`0x0${hex(bytes)}`)
const sameBytes = (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at])
const join = (...parts) => {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest('SHA-256', join(...parts)))

function fromBase64(text, place, maxBytes = Infinity) {
  demand(typeof text === 'string' && text !== '', `${place} is missing or empty.`)
  let bytes = new Uint8Array()
  try {
    bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    /* reported below */
  }
  demand(toBase64(bytes) === text, `${place} is not canonical Base64.`)
  demand(bytes.length <= maxBytes, `${place} has more than ${maxBytes} bytes.`)
  return bytes
}
export const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** RFC 8785: JSON.stringify formats as required; sort() compares UTF-16 code units. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`
}

// F. Form

const FIXED = words(
  '@context @type @id id productId digitalLinkUri uniqueProductIdentifier digitalSeal signingPublicKey status ' +
    'archivedAt retentionUntil proof createdAt updatedAt economicOperator manufacturingFacility metadata',
)
const IN_PROOF = words(
  'type @type signatureAlgorithm created proofPurpose verificationMethod signatureValue publicKeyPem ' +
    'x5c rfc3161 merkleRoot redactedLeaves salts subject',
)
const IN_OPERATOR = words('@type id name regId role contact')
const IN_CONTACT = words('address email phone website')
const ADDED_LISTS = new Map([
  ['media', words('id kind mediaType title url sizes documentType language sha256')],
  ['links', words('rel target identifier since')],
])
const ADDED_OBJECTS = new Map([
  ['recall', words('reason at contact url')],
  ['registration', words('registry identifier registeredAt version hash proof')],
])
const ADDED_TEXTS = words('granularity availableUntil')
const IN_FACILITY = words('@type id gln name activity country streetAddress city postalCode')
const IN_TIMESTAMP = words('genTime token')
const STATUS = words('DRAFT ACTIVE RECALLED DECOMMISSIONED')

export const isText = (value) => typeof value === 'string'
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

function demandObject(value, place, allowed) {
  demand(isObject(value), `${place} is missing or not an object.`)
  if (allowed === undefined) return
  for (const name of Object.keys(value)) demand(allowed.has(name), `${place} has the unknown member ${name}.`)
}

function checkForm(document) {
  demand(isObject(document), 'The JSON is not a passport document.')
  demand(document['@type'] === 'DigitalProductPassport', '@type is not DigitalProductPassport.')
  const { metadata, proof } = document
  demandObject(metadata, 'metadata')
  demand(Object.keys(metadata).length > 0, 'metadata is empty.')
  demand(has(document, 'proof') && proof !== null, 'This passport is not sealed: it has no proof.')
  demandObject(proof, 'proof', IN_PROOF)
  for (const name of Object.keys(document)) {
    if (FIXED.has(name)) continue
    if (!has(metadata, name)) checkAddition(name, document[name])
    else
      demand(
        canonical(document[name]) === canonical(metadata[name]),
        `${name} differs from the sealed value in metadata.`,
        name,
      )
  }
  checkNames(metadata)
  checkReferences(document)
  checkProof(proof)
  demand(
    !has(document, 'digitalSeal') || document.digitalSeal === proof.signatureValue,
    'digitalSeal differs from the proof.',
  )
  demand(
    !has(document, 'signingPublicKey') || document.signingPublicKey === proof.publicKeyPem,
    'signingPublicKey differs from the proof.',
  )
  checkAddresses(document)
}

function checkAddition(name, value) {
  if (ADDED_TEXTS.has(name)) demand(isText(value), `${name} is not a string.`)
  else if (ADDED_OBJECTS.has(name)) demandObject(value, name, ADDED_OBJECTS.get(name))
  else {
    demand(ADDED_LISTS.has(name) && Array.isArray(value), `${name} is not part of the sealed content.`)
    for (const item of value) demandObject(item, name, ADDED_LISTS.get(name))
  }
  checkNames(value)
}

function checkNames(value) {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    demand(Array.isArray(value) || !name.startsWith('@'), `The member name ${name} must not begin with @.`)
    checkNames(inner)
  }
}

function checkReferences({ economicOperator, manufacturingFacility = null, ...document }) {
  demandObject(economicOperator, 'economicOperator', IN_OPERATOR)
  const { contact = {}, ...operator } = economicOperator
  demandObject(contact, 'economicOperator.contact', IN_CONTACT)
  for (const [name, value] of [...Object.entries(operator), ...Object.entries(contact)]) {
    demand(isText(value), `economicOperator: ${name} is not a string.`)
  }
  demand([undefined, 'EconomicOperator'].includes(economicOperator['@type']), 'economicOperator.@type is another.')
  if (manufacturingFacility !== null) {
    demandObject(manufacturingFacility, 'manufacturingFacility', IN_FACILITY)
    for (const [name, value] of Object.entries(manufacturingFacility)) {
      demand(value === null || isText(value), `manufacturingFacility.${name} is not a string.`)
    }
    demand(
      [undefined, 'Facility'].includes(manufacturingFacility['@type']),
      'manufacturingFacility.@type must be Facility.',
    )
  }
  demand(!has(document, 'status') || STATUS.has(document.status), 'status is not a valid status.')
  for (const name of ['archivedAt', 'retentionUntil', 'createdAt', 'updatedAt']) {
    demand((document[name] ?? null) === null || isText(document[name]), `${name} is not a string.`)
  }
}

function checkProof(proof) {
  for (const name of IN_PROOF) {
    demand(has(proof, name) || ['x5c', 'rfc3161', 'redactedLeaves'].includes(name), `proof.${name} is missing.`)
  }
  for (const [name, expected] of [
    ['type', 'MerkleTreeAttestationProof'],
    ['@type', ['MerkleTreeAttestationProof']],
    ['signatureAlgorithm', 'ECDSA-P256-SHA256-over-MerkleRoot'],
    ['proofPurpose', 'assertionMethod'],
  ])
    demand(canonical(proof[name]) === canonical(expected), `proof.${name} is not the value of a seal.`)
  demand(isText(proof.merkleRoot) && /^[0-9a-f]{64}$/.test(proof.merkleRoot), 'proof.merkleRoot is malformed.')
  fromBase64(proof.signatureValue, 'proof.signatureValue')
  readKey(proof.publicKeyPem)
  demand(
    isText(proof.created) && isRealTime(proof.created),
    'proof.created is not a timestamp as YYYY-MM-DDThh:mm:ss.sssZ.',
  )
  const { salts, redactedLeaves = {}, x5c = ['AA=='], rfc3161 = { token: 'AA==' } } = proof
  demandObject(salts, 'proof.salts')
  for (const [key, salt] of Object.entries(salts)) readSalt(salt, `proof.salts.${key}`)
  demandObject(redactedLeaves, 'proof.redactedLeaves')
  for (const [key, leaf] of Object.entries(redactedLeaves)) {
    demand(isText(leaf) && /^[0-9a-f]{64}$/.test(leaf), `proof.redactedLeaves.${key} is malformed.`)
  }
  demand(
    Array.isArray(x5c) && (x5c.length === 1 || x5c.length === 2),
    'proof.x5c is not a list of one or two certificates.',
  )
  for (const entry of x5c) fromBase64(entry, 'proof.x5c', 8192)
  demandObject(rfc3161, 'proof.rfc3161', IN_TIMESTAMP)
  demand((rfc3161.genTime ?? null) === null || isText(rfc3161.genTime), 'proof.rfc3161.genTime is not a string.')
  fromBase64(rfc3161.token, 'proof.rfc3161.token', 16384)
}

function isRealTime(text) {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

function readSalt(text, place) {
  demand(isText(text) && /^[A-Za-z0-9_-]{22}$/.test(text), `${place} is not a salt.`)
  return fromBase64(`${text.replace(/-/g, '+').replace(/_/g, '/')}==`, place)
}

function checkAddresses(document) {
  const { proof, productId } = document
  demand(isText(productId), 'productId is missing.')
  demandObject(proof.subject, 'proof.subject')
  const end = `/passport/${proof.subject.id}#key-1`
  const method = proof.verificationMethod
  const isOurs = isText(method) && method.endsWith(end) && /^https?:\/\/[!"$->@-~]+$/.test(method.slice(0, -end.length))
  demand(isOurs, 'proof.verificationMethod does not belong to this passport.')
  const base = method.slice(0, -end.length)
  const product = encodeURIComponent(productId).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  for (const name of ['@id', 'digitalLinkUri']) {
    const isLink =
      !has(document, name) || ['01', '8003'].some((kind) => document[name] === `${base}/${kind}/${product}`)
    demand(isLink, `${name} does not link to this product.`)
  }
  const isGlobal = /^(?:did:[a-z0-9]+:|https?:\/\/)[!-~]+$/.test(productId)
  const identifiers = isGlobal ? [productId] : ['01', '8003'].map((kind) => `${base}/${kind}/${product}`)
  demand(
    !has(document, 'uniqueProductIdentifier') || identifiers.includes(document.uniqueProductIdentifier),
    'uniqueProductIdentifier does not identify this product.',
  )
  if (!has(document, '@context')) return
  const context = document['@context']
  demand(
    Array.isArray(context) && context.length === 2 && context[0] === `${base}/context/v1`,
    '@context is not the context of a passport.',
  )
  demandObject(context[1], '@context[1]')
  for (const [term, meaning] of Object.entries(context[1])) {
    const address = `${base}/context/v1#${encodeURIComponent(term)}`
    const isKnown = [`${base}/ns/dpp#${term}`, address].includes(meaning) || isOfTexts(meaning, address, term, document)
    demand(isKnown && !term.startsWith('@'), `@context redefines ${term}.`)
  }
}

/** True if the meaning declares a language map and the metadata has such texts. */
function isOfTexts(meaning, address, term, { metadata }) {
  if (!isObject(meaning) || Object.keys(meaning).length !== 2 || !isObject(metadata) || !has(metadata, term))
    return false
  const isText = ([language, value]) => typeof value === 'string' && /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language)
  return (
    meaning['@id'] === address &&
    meaning['@container'] === '@language' &&
    isObject(metadata[term]) &&
    Object.entries(metadata[term]).every(isText)
  )
}

// S. Subject, M. masks, P. places, R. root

function checkSubject(document, now) {
  const { metadata, proof, economicOperator } = document
  const { subject } = proof
  const exactly = (value, names, place) => {
    demandObject(value, place, new Set(names))
    for (const name of names) demand(has(value, name), `${place}.${name} is missing.`)
  }
  exactly(subject, ['id', 'productId', 'operator', 'created', 'maskable'], 'proof.subject')
  exactly(subject.operator, ['id', 'regId'], 'proof.subject.operator')
  const bound = [
    ['id', subject.id, document.id],
    ['productId', subject.productId, document.productId],
    ['economicOperator.id', subject.operator.id, economicOperator.id],
    ['economicOperator.regId', subject.operator.regId, economicOperator.regId],
    ['proof.created', subject.created, proof.created],
  ]
  for (const [place, sealed, given] of bound)
    demand(isText(sealed) && given === sealed, `${place} differs from the sealed value.`, place)
  const { maskable } = subject
  demand(Array.isArray(maskable), 'proof.subject.maskable is not a list.')
  for (const [at, key] of maskable.entries()) {
    demand(isText(key) && has(metadata, key), 'proof.subject.maskable lists a key that is not in metadata.')
    demand(at === 0 || maskable[at - 1] < key, 'proof.subject.maskable is not sorted.')
  }
  demand(new Date(subject.created).getTime() <= now.getTime() + 300000, 'proof.created is in the future.')
}

function checkMasks({ metadata, proof: { salts, redactedLeaves = {}, subject } }) {
  for (const [key, value] of Object.entries(metadata)) {
    if (value === REDACTED) {
      demand(subject.maskable.includes(key), `${key} is masked, but the seal does not allow it.`)
      demand(has(redactedLeaves, key), `${key} is masked, but was not sealed.`)
      demand(!has(salts, key), `${key} is masked, but has a salt.`)
    } else {
      demand(has(salts, key), `${key} was not sealed: its salt is missing.`, key)
      demand(!has(redactedLeaves, key), `${key} is shown, but has the leaf of a masked value.`)
    }
  }
  demand(has(salts, SUBJECT), 'The salt of @passport is missing.')
  for (const key of Object.keys(salts))
    demand(key === SUBJECT || has(metadata, key), `${key} has a salt, but no value.`)
  for (const key of Object.keys(redactedLeaves)) demand(has(metadata, key), `${key} has a leaf, but no value.`)
}

const sealedKeys = (metadata) => [...Object.keys(metadata), SUBJECT].sort()

function checkPlaces({ metadata, proof: { salts } }) {
  const keys = sealedKeys(metadata)
  for (const [index, key] of keys.entries()) {
    if (!has(salts, key)) continue
    const place = new DataView(readSalt(salts[key], key).buffer)
    const isHere = place.getUint16(0) === index && place.getUint16(2) === keys.length
    demand(isHere, `${key} was sealed at another position, or with another number of entries.`)
  }
}

/** Computes the root in hexadecimal (RFC 9162 section 2.1). */
export async function rebuildRoot({ metadata, proof: { salts, redactedLeaves = {}, subject } }) {
  let level = await Promise.all(
    sealedKeys(metadata).map((key) => {
      if (has(redactedLeaves, key)) return fromHex(redactedLeaves[key])
      const value = key === SUBJECT ? subject : metadata[key]
      return sha256(Uint8Array.of(0), readSalt(salts[key], key), utf8.encode(canonical([key, value])))
    }),
  )
  // A node without a sibling moves up unchanged.
  while (level.length > 1) {
    const next = []
    for (let at = 0; at < level.length; at += 2) {
      next.push(at + 1 < level.length ? sha256(Uint8Array.of(1), level[at], level[at + 1]) : level[at])
    }
    level = await Promise.all(next)
  }
  return hex(level[0])
}

// G. Signature

export const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
export const FIELD = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
export const CURVE_B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const P256_KEY = '3059301306072a8648ce3d020106082a8648ce3d03010703420004'

export function readKey(pem) {
  const form = /^-----BEGIN PUBLIC KEY-----\n(.{64})\n(.{60})\n-----END PUBLIC KEY-----$/
  const found = isText(pem) ? form.exec(pem) : null
  demand(found, 'proof.publicKeyPem is not one public key in PEM.')
  const spki = fromBase64(found[1] + found[2], 'proof.publicKeyPem')
  demandPoint(spki, 'proof.publicKeyPem')
  return spki
}

export function demandPoint(spki, place) {
  demand(spki.length === 91 && hex(spki).startsWith(P256_KEY), `${place} is not a P-256 key.`)
  const [x, y] = [number(spki.slice(27, 59)), number(spki.slice(59))]
  demand(
    x < FIELD && y < FIELD && (y * y - x * x * x + 3n * x - CURVE_B) % FIELD === 0n,
    `${place} is not a point on the curve P-256.`,
  )
}

function readSignature(der, place) {
  const [sequence, ...behind] = elements(der, place)
  demand(sequence?.tag === 0x30 && behind.length === 0 && sequence.parts.length === 2, `${place} is malformed.`)
  const [r, s] = sequence.parts.map((part) => {
    demandInteger(part, place)
    demand(part.content[0] < 0x80, `${place} is out of range.`)
    return number(part.content)
  })
  demand(r >= 1n && r < ORDER && s >= 1n && s < ORDER, `${place} is out of range.`)
  return { r, s }
}

async function isSignedBy(spki, { r, s }, data) {
  const key = await crypto.subtle.importKey('spki', spki, ECDSA, false, ['verify'])
  const digits = (value) => value.toString(16).padStart(64, '0')
  return crypto.subtle.verify(ECDSA, key, fromHex(digits(r) + digits(s)), data)
}

async function checkSignature({ signatureValue, publicKeyPem, merkleRoot }) {
  const signature = readSignature(fromBase64(signatureValue, 'proof.signatureValue'), 'proof.signatureValue')
  demand(signature.s <= ORDER / 2n, 'proof.signatureValue is not canonical: s is in the upper half of the range.')
  const isSigned = await isSignedBy(readKey(publicKeyPem), signature, utf8.encode(merkleRoot))
  demand(isSigned, 'The key of the proof did not sign this content.')
}

// C. Certificate

/** Parses strict DER (X.690). */
function elements(bytes, place, depth = 1) {
  const well = (holds) => demand(holds, `${place} is not DER.`)
  well(depth <= 16)
  const out = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]
    let length = bytes[at + 1]
    let start = at + 2
    well(length !== undefined && (tag & 0x1f) !== 0x1f)
    if (length >= 0x80) {
      const digits = bytes.subarray(start, start + length - 0x80)
      well(digits.length === length - 0x80 && digits.length >= 1 && digits.length <= 3 && digits[0] !== 0)
      start += digits.length
      length = Number(number(digits))
      well(length >= 0x80)
    }
    const end = start + length
    well(end <= bytes.length)
    const content = bytes.subarray(start, end)
    out.push({
      tag,
      content,
      raw: bytes.subarray(at, end),
      parts: tag & 0x20 ? elements(content, place, depth + 1) : [],
    })
    at = end
  }
  return out
}

const hasTags = (list, ...tags) => list.length === tags.length && list.every(({ tag }, at) => tag === tags[at])

function demandInteger({ tag, content }, place) {
  const [first, second] = content
  const isPadded = (first === 0 && second < 0x80) || (first === 0xff && second >= 0x80)
  demand(tag === 0x02 && content.length > 0 && !isPadded, `${place} has a malformed number.`)
}

/** Parses a certificate; its extensions only after the signature is verified. */
function readCertificate(der, place) {
  const well = (holds) => demand(holds, `${place} is not a certificate in DER.`)
  const outer = elements(der, place)
  well(hasTags(outer, 0x30) && hasTags(outer[0].parts, 0x30, 0x30, 0x03))
  const [body, algorithm, signature] = outer[0].parts
  well(hasTags(body.parts, 0xa0, 0x02, 0x30, 0x30, 0x30, 0x30, 0x30, 0xa3))
  const [version, serial, innerAlgorithm, issuer, validity, subject, spki, extensions] = body.parts
  well(hex(version.content) === '020102' && signature.content[0] === 0 && validity.parts.length === 2)
  well(hasTags(extensions.parts, 0x30))
  demandInteger(serial, place)
  const [begin, end] = validity.parts.map((part) => readTime(part, place))
  return {
    begin,
    end,
    body: body.raw,
    issuer: issuer.raw,
    subject: subject.raw,
    serial: hex(serial.content),
    spki: spki.raw,
    name: readName(subject),
    signature: signature.content.subarray(1),
    extensions: extensions.parts[0].parts,
    isEcdsaSha256: [algorithm, innerAlgorithm].every(isEcdsaSha256),
  }
}

const isEcdsaSha256 = ({ content }) => hex(content) === '06082a8648ce3d040302'

function readTime({ tag, content }, place) {
  const digits = String.fromCharCode(...content)
  const isShort = tag === 0x17
  const full = isShort ? (digits < '5' ? '20' : '19') + digits : digits
  const iso = full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6.000Z')
  demand((isShort || tag === 0x18) && /^\d{14}Z$/.test(full) && isRealTime(iso), `${place} has a malformed time.`)
  return new Date(iso)
}

const NAME_PARTS = { 550403: 'name', '55040a': 'organisation', 550406: 'country' }
/** Parses the subject; `text` is complete. */
function readName(subject) {
  const found = {}
  for (const {
    parts: [id, value],
  } of subject.parts.flatMap(({ parts }) => parts)) {
    const part = id && value && NAME_PARTS[hex(id.content)]
    if (part) found[part] ??= new TextDecoder().decode(value.content)
  }
  const { name = 'an owner without a name', organisation, country } = found
  const text = [name, organisation === name ? undefined : organisation, country]
    .filter((part) => part !== undefined)
    .join(', ')
  return { name, country, text }
}

const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'

function readExtensions(list, place) {
  const found = new Map()
  for (const { tag, parts } of list) {
    const isCritical = hasTags(parts, 0x06, 0x01, 0x04)
    const isWell = tag === 0x30 && (isCritical ? hex(parts[1].content) === 'ff' : hasTags(parts, 0x06, 0x04))
    demand(isWell, `${place} has a malformed extension.`)
    const id = hex(parts[0].content)
    demand(!found.has(id), `${place} has an extension twice.`)
    found.set(id, { isCritical, content: parts.at(-1).content })
  }
  return found
}

function readPurpose(extensions, place) {
  demand(extensions.has(KEY_USAGE), `${place} has no key usage.`)
  const usage = elements(extensions.get(KEY_USAGE).content, place)
  const [unused, first, second] = usage[0]?.content ?? []
  const last = second ?? first
  const isWell =
    hasTags(usage, 0x03) &&
    [2, 3].includes(usage[0].content.length) &&
    unused <= 7 &&
    (last & ((1 << unused) - 1)) === 0
  demand(isWell, `${place} has a malformed key usage.`)
  return { data: (first & 0x80) !== 0, certificates: (first & 0x04) !== 0, ca: readIsCa(extensions, place) }
}

function readIsCa(extensions, place) {
  if (!extensions.has(BASIC_CONSTRAINTS)) return false
  const found = elements(extensions.get(BASIC_CONSTRAINTS).content, place)
  const well = (holds) => demand(holds, `${place} has malformed basic constraints.`)
  well(hasTags(found, 0x30))
  const [first] = found[0].parts
  const isCa = first?.tag === 0x01
  well(!isCa || hex(first.content) === 'ff')
  const numbers = found[0].parts.slice(isCa ? 1 : 0)
  well(numbers.length <= 1)
  for (const part of numbers) demandInteger(part, place)
  return isCa
}

const MAX_AUTHORITIES = 8

function readAuthorities(pem) {
  const parts = pem.split('-----END CERTIFICATE-----')
  const behind = parts.pop()
  const found = parts.map((part) => /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)$/.exec(part))
  demand(
    found.length > 0 && found.length <= MAX_AUTHORITIES && found.every(Boolean) && behind.trim() === '',
    `The seal CA file must contain 1 to ${MAX_AUTHORITIES} certificates in PEM.`,
  )
  return found.map(([, body]) => readAuthority(body))
}

/** An invalid CA does not affect the document's validity. */
function readAuthority(body) {
  const place = 'The certificate of the seal CA'
  const der = fromBase64(body.replace(/\s/g, ''), place)
  const authority = readCertificate(der, place)
  demandPoint(authority.spki, place)
  const { ca, certificates } = readPurpose(readExtensions(authority.extensions, place), place)
  demand(
    ca && certificates,
    'The seal CA certificate is not a CA certificate (basicConstraints CA and keyCertSign required).',
  )
  return { der, ...authority }
}

/** Checks that a seal CA issued the certificate of the proof's key. */
async function checkCertificate({ x5c, publicKeyPem, created }, authorities) {
  const place = 'The certificate of the key'
  demand(x5c !== undefined, 'The proof has no certificate, so the owner of its key is not certified.')
  const [der, second] = x5c.map((entry) => fromBase64(entry, 'proof.x5c'))
  const leaf = readCertificate(der, place)
  demand(leaf.isEcdsaSha256, `${place} is not signed with ECDSA and SHA-256.`)
  demand(sameBytes(leaf.spki, readKey(publicKeyPem)), `${place} is for another key.`)
  const signature = readSignature(leaf.signature, place)
  let authority
  for (const one of authorities) {
    if (!sameBytes(leaf.issuer, one.subject) || !(await isSignedBy(one.spki, signature, leaf.body))) continue
    authority = one
    break
  }
  demand(authority !== undefined, `${place} was not issued by this seal CA.`)
  const at = new Date(created)
  for (const { begin, end } of [leaf, authority])
    demand(begin <= at && at <= end, `A certificate was not valid at ${created}.`)
  const extensions = readExtensions(leaf.extensions, place)
  const { data, certificates, ca } = readPurpose(extensions, place)
  demand(
    data && !certificates && !ca && !extensions.has(EXTENDED_KEY_USAGE),
    `${place} is not a certificate for seals.`,
  )
  for (const [id, { isCritical }] of extensions) {
    demand(!isCritical || id === KEY_USAGE || id === BASIC_CONSTRAINTS, `${place} has an unknown critical extension.`)
  }
  demand(
    second === undefined || sameBytes(second, authority.der),
    'The second certificate of the chain is not the seal CA certificate.',
  )
  return { leaf, authority }
}

// L. Revocation lists

const MAX_REVOCATION_BYTES = 1048576
const REVOKED_LIST = 'The certificate revocation list'

/** Parses an unverified CRL (RFC 5280, section 5); undefined if malformed or with unknown critical extensions. */
function readRevocationList(der) {
  const well = (holds) => demand(holds, `${REVOKED_LIST} is malformed.`)
  const plain = (extensions) => {
    for (const { isCritical } of readExtensions(extensions, REVOKED_LIST).values()) well(!isCritical)
  }
  try {
    well(der.length <= MAX_REVOCATION_BYTES)
    const outer = elements(der, REVOKED_LIST)
    well(hasTags(outer, 0x30) && hasTags(outer[0].parts, 0x30, 0x30, 0x03))
    const [body, algorithm, signature] = outer[0].parts
    const [version, innerAlgorithm, issuer, begin, end, ...rest] = body.parts
    const entries = rest.length === 2 ? rest.shift() : { tag: 0x30, parts: [] }
    well(hasTags([version, innerAlgorithm, issuer, entries, ...rest].filter(Boolean), 0x02, 0x30, 0x30, 0x30, 0xa0))
    well(hex(version.content) === '01' && signature.content[0] === 0 && hasTags(rest[0].parts, 0x30))
    plain(rest[0].parts[0].parts)
    const revoked = new Map()
    for (const { tag, parts } of entries.parts) {
      const [serial, since, extensions, ...more] = parts
      well(tag === 0x30 && since !== undefined && more.length === 0)
      demandInteger(serial, REVOKED_LIST)
      plain(extensions?.parts ?? [])
      revoked.set(hex(serial.content), readTime(since, REVOKED_LIST))
    }
    return {
      body: body.raw,
      issuer: issuer.raw,
      signature: readSignature(signature.content.subarray(1), REVOKED_LIST),
      isEcdsaSha256: [algorithm, innerAlgorithm].every(isEcdsaSha256),
      begin: readTime(begin, REVOKED_LIST),
      end: readTime(end, REVOKED_LIST),
      revoked,
    }
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

/** Checks the CRLs. Unknown is never valid, nor is a seal dated only by its key holder. */
async function judgeRevocation({ created }, { leaf, authority }, lists, now) {
  let list
  for (const one of lists.map(readRevocationList)) {
    const isOwn = one?.isEcdsaSha256 && sameBytes(one.issuer, authority.subject)
    if (!isOwn || (list !== undefined && one.begin <= list.begin)) continue
    if (await isSignedBy(authority.spki, one.signature, one.body)) list = one
  }
  if (list === undefined)
    return {
      verdict: 'undecided',
      reason: 'The revocation status is unknown: no certificate revocation list of the seal CA was given.',
    }
  if (now < list.begin || now > list.end) return { verdict: 'undecided', reason: `${REVOKED_LIST} is not current.` }
  const since = list.revoked.get(leaf.serial)
  if (since === undefined) return { verdict: 'valid', reason: 'The certificate is not revoked.' }
  const reason = `The certificate is revoked from ${since.toISOString()}`
  return new Date(created) >= since
    ? { verdict: 'not valid', reason: `${reason}, before the seal.` }
    : { verdict: 'undecided', reason: `${reason}, and no trusted timestamp proves that the seal is older.` }
}

/** Returns the SHA-256 of the seal CAs. */
export async function fingerprintOf(pem) {
  const fingerprints = await Promise.all(
    readAuthorities(pem).map(async ({ der }) =>
      hex(await sha256(der))
        .toUpperCase()
        .match(/../g)
        .join(':'),
    ),
  )
  return fingerprints.join(', ')
}

// Verdict

/**
 * Verifies a passport document by the seal rule; never throws.
 * @param sealCa PEM; the verdict is at best `undecided` without it
 * @param options `lists`: CRLs in DER; revocation is not checked without them
 * @returns { verdict, reason, clause }: failed clause (`CA`: invalid seal CA); document and owner if nothing failed; `altered`: key of the
 * changed value, if known
 */
export async function verifySeal(text, sealCa, { now = new Date(), lists } = {}) {
  let clause = 'T'
  try {
    const document = parseText(text)
    clause = 'F'
    checkForm(document)
    clause = 'S'
    checkSubject(document, now)
    clause = 'M'
    checkMasks(document)
    clause = 'P'
    checkPlaces(document)
    clause = 'R'
    const root = await rebuildRoot(document)
    demand(root === document.proof.merkleRoot, 'The values differ from the sealed values: they give another root.')
    clause = 'G'
    await checkSignature(document.proof)
    if (sealCa === undefined) return { verdict: 'undecided', reason: 'No seal CA certificate was given.', document }
    clause = 'CA'
    const authorities = readAuthorities(sealCa)
    clause = 'C'
    const issued = await checkCertificate(document.proof, authorities)
    const owner = issued.leaf.name
    if (lists === undefined) return { verdict: 'valid', reason: `Sealed by ${owner.text}.`, owner, document }
    const { verdict, reason } = await judgeRevocation(document.proof, issued, lists, now)
    return verdict === 'valid'
      ? { verdict, reason: `Sealed by ${owner.text}. ${reason}`, owner, document }
      : { verdict, reason, clause: 'L', owner, document }
  } catch (error) {
    const reason = error instanceof Refused ? error.message : `The check was aborted: ${error}`
    return { verdict: 'not valid', reason, clause, ...(error.altered === undefined ? {} : { altered: error.altered }) }
  }
}
