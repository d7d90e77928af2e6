// A second implementation of the seal rule (docs/seal-rule.md): node:crypto alone, and no code of the gateway.
//
//   node test/conformance/seal-reference.mjs                             prints what seal-vectors.json holds
//   node test/conformance/seal-reference.mjs passport.json [seal-ca.pem] judges a document: 0 valid, 1 not valid, 4 undecided
//                                                                        (2 wrong usage, 3 cannot be read)
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const REDACTED = '[REDACTED - Privileged Access Required]'
export const SUBJECT_KEY = '@passport'

/** The document does not hold; the message names the place. */
class Refused extends Error {}
/** No document at all: no UTF-8, no JSON, too large. */
class Unreadable extends Refused {}
/** What is given as seal CA is none. */
class BadAuthority extends Refused {}

function demand(holds, reason, Kind = Refused) {
  if (!holds) throw new Kind(reason)
}

// ---- T. Text -----------------------------------------------------------------------------------------------------------

const MOST_BYTES = 3_145_728
const MOST_DEPTH = 66
const MOST_MEMBERS = 100_000
const LONGEST_NAME = 256
const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype']
const ESCAPES = new Map(
  [...'"\\/'].map((same) => [same, same]).concat([...'bfnrt'].map((c, at) => [c, '\b\f\n\r\t'[at]])),
)
const LITERALS = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** The value of a JSON text that every reader understands in one way. Throws Unreadable or Refused. */
export function parseText(input) {
  if (typeof input === 'string') demand(input.isWellFormed(), 'The text is not UTF-8.', Unreadable)
  const bytes = Buffer.from(input)
  demand(bytes.length <= MOST_BYTES, `The document is larger than ${MOST_BYTES} bytes.`, Unreadable)
  let text
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Unreadable('The text is not UTF-8.')
  }
  return new Parser(text).document()
}

class Parser {
  #text
  #at = 0
  #depth = 0
  #members = 0

  constructor(text) {
    this.#text = text
  }

  document() {
    const value = this.#value()
    this.#space()
    if (this.#at < this.#text.length) this.#syntax()
    return value
  }

  #syntax() {
    throw new Unreadable(`The text is not JSON (at character ${this.#at}).`)
  }

  #space() {
    while (' \t\n\r'.includes(this.#text[this.#at] ?? 'end')) this.#at += 1
  }

  /** Takes the given character, after white space, if it is the next one. */
  #take(character) {
    this.#space()
    const isNext = this.#text[this.#at] === character
    if (isNext) this.#at += 1
    return isNext
  }

  #value() {
    this.#space()
    const next = this.#text[this.#at]
    if (next === '{') return this.#nested(() => this.#object())
    if (next === '[') return this.#nested(() => this.#list())
    if (next === '"') return this.#string()
    for (const [literal, value] of LITERALS) {
      if (!this.#text.startsWith(literal, this.#at)) continue
      this.#at += literal.length
      return value
    }
    return this.#number()
  }

  #nested(read) {
    this.#depth += 1
    demand(this.#depth <= MOST_DEPTH, `More than ${MOST_DEPTH} objects and lists are inside one another.`)
    this.#at += 1
    const value = read()
    this.#depth -= 1
    return value
  }

  #list() {
    const list = []
    if (this.#take(']')) return list
    do list.push(this.#value())
    while (this.#take(','))
    if (!this.#take(']')) this.#syntax()
    return list
  }

  #object() {
    const members = new Map()
    if (this.#take('}')) return {}
    do {
      this.#space()
      if (this.#text[this.#at] !== '"') this.#syntax()
      const name = this.#string()
      if (!this.#take(':')) this.#syntax()
      this.#members += 1
      demand(this.#members <= MOST_MEMBERS, `There are more than ${MOST_MEMBERS} members.`)
      demand(name.length <= LONGEST_NAME, `A name is longer than ${LONGEST_NAME} characters.`)
      demand(!FORBIDDEN_NAMES.includes(name), `${name} is no name for a member.`)
      demand(!members.has(name), `${name} is there twice.`)
      members.set(name, this.#value())
    } while (this.#take(','))
    if (!this.#take('}')) this.#syntax()
    return Object.fromEntries(members)
  }

  #string() {
    let out = ''
    this.#at += 1
    let start = this.#at
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined || character < ' ') this.#syntax()
      if (character === '"') break
      if (character !== '\\') {
        this.#at += 1
        continue
      }
      out += this.#text.slice(start, this.#at)
      const kind = this.#text[this.#at + 1]
      const digits = this.#text.slice(this.#at + 2, this.#at + 6)
      if (kind === 'u' && /^[0-9a-fA-F]{4}$/.test(digits)) {
        out += String.fromCharCode(Number.parseInt(digits, 16))
        this.#at += 6
      } else if (ESCAPES.has(kind)) {
        out += ESCAPES.get(kind)
        this.#at += 2
      } else this.#syntax()
      start = this.#at
    }
    out += this.#text.slice(start, this.#at)
    this.#at += 1
    demand(!out.includes('\0'), 'A text contains the character U+0000.')
    demand(out.isWellFormed(), 'A text contains a lone surrogate.')
    return out
  }

  #number() {
    const pattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
    pattern.lastIndex = this.#at
    const [literal] = pattern.exec(this.#text) ?? []
    if (literal === undefined) this.#syntax()
    this.#at = pattern.lastIndex
    const value = Number(literal)
    demand(isExact(literal, value), `${literal.slice(0, 40)} is no number that a double holds.`)
    return value
  }
}

function isExact(literal, value) {
  const given = decimal(literal)
  if (given.digits === '') return true
  if (value === 0 || !Number.isFinite(value)) return false
  const held = decimal(String(value))
  return given.digits === held.digits && given.power === held.power
}

/** A literal as digits without zeros at either end, and the power of ten of the last one; no digits: zero. */
function decimal(literal) {
  const [, whole, fraction = '', exponent = '0'] = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(literal)
  const digits = whole + fraction
  let [first, end] = [0, digits.length]
  while (first < end && digits[first] === '0') first += 1
  while (end > first && digits[end - 1] === '0') end -= 1
  return { digits: digits.slice(first, end), power: Number(exponent) - fraction.length + digits.length - end }
}

// ---- RFC 8785 and RFC 9162 ---------------------------------------------------------------------------------------------

// RFC 8785 §3.2.2.2: only these seven have short escapes; other control characters are \u00xx in lower case.
const SHORT_ESCAPES = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' }

function canonicalString(text) {
  let out = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    out += SHORT_ESCAPES[code] ?? (code < 32 ? `\\u${code.toString(16).padStart(4, '0')}` : text[at])
  }
  return `"${out}"`
}

/** RFC 8785 §3.2.3: UTF-16 code units, compared one by one. */
export function byCodeUnit(a, b) {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.charCodeAt(at) - b.charCodeAt(at)
  }
  return a.length - b.length
}

export function canonical(value) {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') return value === 0 ? '0' : `${value}`
  if (value === null || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value).sort(byCodeUnit)
  return `{${members.map((key) => `${canonicalString(key)}:${canonical(value[key])}`).join(',')}}`
}

export const sha256 = (...parts) => parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest()

export const leafHash = (salt, key, value) => sha256(Buffer.from([0]), salt, Buffer.from(canonical([key, value])))

// Level by level: neighbours are joined and a node without neighbour moves up unchanged. RFC 9162 §2.1.1 defines the same
// tree from the top down, by splitting at powers of two.
export function merkleRoot(leaves) {
  let level = leaves
  while (level.length > 1) {
    const next = []
    for (let at = 0; at < level.length; at += 2) {
      next.push(at + 1 < level.length ? sha256(Buffer.from([1]), level[at], level[at + 1]) : level[at])
    }
    level = next
  }
  return level[0]
}

/** Every leaf of a document in its order: metadata keys and the reserved one. */
const sealedEntries = ({ metadata, proof }) =>
  [...Object.entries(metadata), [SUBJECT_KEY, proof.subject]].sort(([a], [b]) => byCodeUnit(a, b))

/**
 * The root (hex) that a reader rebuilds from a passport document: subject and visible values with their salts, masked ones
 * by their hash. Says nothing about masks and places. Throws where an entry has no leaf.
 */
export function rebuildRoot({ metadata, proof }) {
  const { salts, redactedLeaves = {}, subject } = proof
  demand(subject !== undefined, 'There is no proof.subject.')
  const leaves = sealedEntries({ metadata, proof }).map(([key, value]) => {
    if (Object.hasOwn(redactedLeaves, key)) return Buffer.from(redactedLeaves[key], 'hex')
    demand(Object.hasOwn(salts, key), `${key} has neither salt nor leaf.`)
    return leafHash(Buffer.from(salts[key], 'base64url'), key, value)
  })
  return merkleRoot(leaves).toString('hex')
}

// ---- F. Form -----------------------------------------------------------------------------------------------------------

const names = (text) => new Set(text.split(' '))
const FIXED = names(
  '@context @type @id id productId digitalLinkUri digitalSeal signingPublicKey status archivedAt retentionUntil proof ' +
    'createdAt updatedAt economicOperator manufacturingFacility metadata',
)
const PROOF = names(
  'type @type signatureAlgorithm created proofPurpose verificationMethod signatureValue publicKeyPem x5c rfc3161 merkleRoot ' +
    'redactedLeaves salts subject',
)
const OPERATOR = names('@type id name regId role contact')
const CONTACT = names('address email phone website')
const BESIDE = {
  media: { isList: true, members: names('id kind mediaType title url sizes documentType language sha256') },
  links: { isList: true, members: names('rel target identifier since') },
  recall: { members: names('reason at contact url') },
  registration: { members: names('registry identifier registeredAt version hash proof') },
  granularity: {},
  availableUntil: {},
}
const FACILITY = names('@type id gln name activity country streetAddress city postalCode')
const has = Object.hasOwn

function object(value, place) {
  demand(typeof value === 'object' && value !== null && !Array.isArray(value), `${place} is not an object.`)
  return value
}

function membersAmong(value, allowed, place) {
  for (const name of Object.keys(object(value, place))) {
    demand(allowed.has(name), `${place} has the member ${name}, which has no place there.`)
  }
  return value
}

function text(value, place, pattern = /^/) {
  demand(typeof value === 'string' && pattern.test(value), `${place} is missing or malformed.`)
  return value
}

function same(value, expected, place) {
  demand(value === expected, `${place} is not ${JSON.stringify(expected)}.`)
}

/** The bytes of strict Base64: not empty, canonical padding, nothing that a decoder would skip. */
function base64(value, place, most = Number.POSITIVE_INFINITY) {
  const bytes = Buffer.from(text(value, place, /^[A-Za-z0-9+/]+={0,2}$/), 'base64')
  demand(bytes.toString('base64') === value, `${place} is not Base64 in its one spelling.`)
  demand(bytes.length <= most, `${place} has more than ${most} bytes.`)
  return bytes
}

function checkForm(document) {
  object(document, 'The document')
  same(document['@type'], 'DigitalProductPassport', '@type')
  const metadata = object(document.metadata, 'metadata')
  const proof = membersAmong(document.proof, PROOF, 'proof')
  demand(Object.keys(metadata).length > 0, 'metadata is empty.')
  for (const name of Object.keys(document).filter((name) => !FIXED.has(name))) {
    if (!has(metadata, name)) checkAddition(name, document[name])
    else demand(canonical(document[name]) === canonical(metadata[name]), `${name} differs from metadata.${name}.`)
  }
  demandPlainNames(metadata)
  checkReferences(document)
  checkProof(proof)
  for (const [member, value] of [
    ['digitalSeal', proof.signatureValue],
    ['signingPublicKey', proof.publicKeyPem],
  ]) {
    if (has(document, member)) same(document[member], value, member)
  }
  checkAddresses(document)
}

/** The members that stand beside the seal where something is said. */
function checkAddition(name, value) {
  demand(has(BESIDE, name), `${name} is not part of the sealed content.`)
  const { isList = false, members } = BESIDE[name]
  demand(isList === Array.isArray(value), `${name} is malformed.`)
  if (members === undefined) text(value, name)
  else for (const one of isList ? value : [value]) membersAmong(one, members, name)
  demandPlainNames(value)
}

function demandPlainNames(value) {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    demand(Array.isArray(value) || !name.startsWith('@'), `There is the name ${name}; none there begins with @.`)
    demandPlainNames(inner)
  }
}

function checkReferences(document) {
  const { contact = {}, ...operator } = membersAmong(document.economicOperator, OPERATOR, 'economicOperator')
  for (const [name, value] of Object.entries(membersAmong(contact, CONTACT, 'economicOperator.contact'))) {
    text(value, `economicOperator.contact.${name}`)
  }
  for (const [name, value] of Object.entries(operator)) text(value, `economicOperator.${name}`)
  if (has(operator, '@type')) same(operator['@type'], 'EconomicOperator', 'economicOperator.@type')
  const orNull = (value, place) => value === null || text(value, place)
  if (has(document, 'manufacturingFacility') && document.manufacturingFacility !== null) {
    const facility = membersAmong(document.manufacturingFacility, FACILITY, 'manufacturingFacility')
    for (const [name, value] of Object.entries(facility)) orNull(value, `manufacturingFacility.${name}`)
    if (has(facility, '@type')) same(facility['@type'], 'Facility', 'manufacturingFacility.@type')
  }
  if (has(document, 'status')) text(document.status, 'status', /^(?:DRAFT|ACTIVE|RECALLED|DECOMMISSIONED)$/)
  for (const name of ['archivedAt', 'retentionUntil', 'createdAt', 'updatedAt']) {
    if (has(document, name)) orNull(document[name], name)
  }
}

function checkProof(proof) {
  same(proof.type, 'MerkleTreeAttestationProof', 'proof.type')
  demand(Array.isArray(proof['@type']) && proof['@type'].length === 1, 'proof.@type is not a list of one.')
  same(proof['@type'][0], 'MerkleTreeAttestationProof', 'proof.@type')
  same(proof.signatureAlgorithm, 'ECDSA-P256-SHA256-over-MerkleRoot', 'proof.signatureAlgorithm')
  same(proof.proofPurpose, 'assertionMethod', 'proof.proofPurpose')
  text(proof.merkleRoot, 'proof.merkleRoot', /^[0-9a-f]{64}$/)
  base64(proof.signatureValue, 'proof.signatureValue')
  readPublicKey(proof.publicKeyPem)
  text(proof.created, 'proof.created', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  demand(isRealTime(proof.created), 'proof.created is no real date.')
  for (const [key, salt] of Object.entries(object(proof.salts, 'proof.salts'))) {
    const bytes = Buffer.from(text(salt, `proof.salts.${key}`, /^[A-Za-z0-9_-]{22}$/), 'base64url')
    demand(bytes.toString('base64url') === salt, `proof.salts.${key} is not base64url in its one spelling.`)
  }
  for (const [key, leaf] of Object.entries(object(whenAbsent(proof, 'redactedLeaves', {}), 'proof.redactedLeaves'))) {
    text(leaf, `proof.redactedLeaves.${key}`, /^[0-9a-f]{64}$/)
  }
  const x5c = whenAbsent(proof, 'x5c', ['AA=='])
  demand(Array.isArray(x5c) && (x5c.length === 1 || x5c.length === 2), 'proof.x5c is not a list of one or two.')
  for (const entry of x5c) base64(entry, 'proof.x5c', 8192)
  const { genTime = null, token } = membersAmong(
    whenAbsent(proof, 'rfc3161', { token: 'AA==' }),
    new Set(['genTime', 'token']),
    'proof.rfc3161',
  )
  if (genTime !== null) text(genTime, 'proof.rfc3161.genTime')
  base64(token, 'proof.rfc3161.token', 16_384)
}

const whenAbsent = (value, name, instead) => (has(value, name) ? value[name] : instead)

const isRealTime = (text) => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

const WEB_BASE = /^https?:\/\/[!-~]+$/

function checkAddresses(document) {
  const { proof, productId } = document
  const { id } = object(proof.subject, 'proof.subject')
  const end = `/passport/${text(id, 'proof.subject.id')}#key-1`
  const method = text(proof.verificationMethod, 'proof.verificationMethod')
  const base = method.slice(0, -end.length)
  demand(
    method.endsWith(end) && WEB_BASE.test(base) && !/[#?]/.test(base),
    'proof.verificationMethod is not that of this passport.',
  )
  const segment = encodeURIComponent(text(productId, 'productId')).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  for (const member of ['@id', 'digitalLinkUri'].filter((name) => has(document, name))) {
    const isLink = [`${base}/01/${segment}`, `${base}/8003/${segment}`].includes(document[member])
    demand(isLink, `${member} is not the link of this product.`)
  }
  if (!has(document, '@context')) return
  const context = document['@context']
  demand(Array.isArray(context) && context.length === 2, '@context is not a list of two.')
  same(context[0], `${base}/context/v1`, '@context[0]')
  const metadata = object(document.metadata, 'metadata')
  for (const [term, meaning] of Object.entries(object(context[1], '@context[1]'))) {
    const place = `${base}/context/v1#${encodeURIComponent(term)}`
    const isOurs =
      [`${base}/ns/dpp#${term}`, place].includes(meaning) ||
      (has(metadata, term) && isForTexts(meaning, place, metadata[term]))
    demand(isOurs && !term.startsWith('@'), `@context gives ${term} another meaning.`)
  }
}

const LANGUAGE = /^[a-z]{2,3}(?:-[a-zA-Z\d]{2,8})*$/

/** `{"@id": place, "@container": "@language"}`, for a value whose members are all texts under languages. */
function isForTexts(meaning, place, value) {
  const isGroup = [meaning, value].every((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
  if (!isGroup || Object.keys(meaning).sort().join() !== '@container,@id') return false
  const areTexts = Object.keys(value).every((name) => LANGUAGE.test(name) && typeof value[name] === 'string')
  return areTexts && meaning['@id'] === place && meaning['@container'] === '@language'
}

// ---- S, M, P. Subject, masks, places -----------------------------------------------------------------------------------

function exactly(value, allowed, place) {
  membersAmong(value, new Set(allowed), place)
  for (const name of allowed) demand(has(value, name), `${place}.${name} is missing.`)
}

function checkSubject({ metadata, proof, ...document }, now) {
  const { subject } = proof
  exactly(subject, ['id', 'productId', 'operator', 'created', 'maskable'], 'proof.subject')
  exactly(subject.operator, ['id', 'regId'], 'proof.subject.operator')
  const { id, productId, operator, created, maskable } = subject
  for (const [place, sealed, given] of [
    ['id', id, document.id],
    ['productId', productId, document.productId],
    ['economicOperator.id', operator.id, document.economicOperator.id],
    ['economicOperator.regId', operator.regId, document.economicOperator.regId],
    ['proof.created', created, proof.created],
  ]) {
    demand(typeof sealed === 'string' && given === sealed, `${place} is not what was sealed.`)
  }
  demand(Array.isArray(maskable), 'proof.subject.maskable is not a list.')
  maskable.forEach((key, at) => {
    demand(typeof key === 'string' && has(metadata, key), 'proof.subject.maskable names what is no metadata key.')
    demand(at === 0 || byCodeUnit(maskable[at - 1], key) < 0, 'proof.subject.maskable is not in order.')
  })
  demand(Date.parse(created) <= now.getTime() + 5 * 60_000, 'proof.created is in the future.')
}

function checkMasks({ metadata, proof: { salts, redactedLeaves = {}, subject } }) {
  for (const [key, value] of Object.entries(metadata)) {
    const [isMasked, hasSalt, hasLeaf] = [value === REDACTED, has(salts, key), has(redactedLeaves, key)]
    demand(hasSalt === !isMasked, `${key}: ${isMasked ? 'masked, and has a salt' : 'there is no salt'}.`)
    demand(hasLeaf === isMasked, `${key}: ${isMasked ? 'masked without a leaf' : 'shown, and has a masked leaf'}.`)
    demand(!isMasked || subject.maskable.includes(key), `${key} may not be masked.`)
  }
  demand(has(salts, SUBJECT_KEY), 'There is no salt of the subject.')
  for (const key of Object.keys(salts)) demand(key === SUBJECT_KEY || has(metadata, key), `${key}: a salt of nothing.`)
  for (const key of Object.keys(redactedLeaves)) demand(has(metadata, key), `${key}: a leaf of nothing.`)
}

function checkPlaces(document) {
  const { salts } = document.proof
  sealedEntries(document).forEach(([key], index, { length }) => {
    if (!has(salts, key)) return
    const salt = Buffer.from(salts[key], 'base64url')
    const isHere = salt.readUInt16BE(0) === index && salt.readUInt16BE(2) === length
    demand(isHere, `${key} was sealed at another place, or among more or fewer entries.`)
  })
}

// ---- G. Signature ------------------------------------------------------------------------------------------------------

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
/** The order of P-256. */
export const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const SPKI_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 'hex')
const bigint = (bytes) => BigInt(`0x0${bytes.toString('hex')}`)

/** The 91 bytes of a P-256 key in the one PEM that is allowed. */
function readPublicKey(pem) {
  const form = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/=]{64})\n([A-Za-z0-9+/=]{60})\n-----END PUBLIC KEY-----$/
  const [, first, second] = form.exec(text(pem, 'proof.publicKeyPem')) ?? []
  demand(first !== undefined, 'proof.publicKeyPem is not one public key in PEM.')
  const spki = base64(first + second, 'proof.publicKeyPem')
  demandPoint(spki, 'proof.publicKeyPem')
  return spki
}

function demandPoint(spki, place) {
  const isP256 = spki.length === 91 && spki.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX)
  demand(isP256, `${place} is no P-256 key.`)
  const [x, y] = [bigint(spki.subarray(27, 59)), bigint(spki.subarray(59))]
  demand(x < P && y < P && (y * y - x * x * x + 3n * x - B) % P === 0n, `${place} is no point of the curve.`)
}

function readSignature(der, place) {
  const [sequence, ...behind] = readDer(der, place)
  demand(sequence?.tag === 0x30 && behind.length === 0 && sequence.parts.length === 2, `${place} is malformed.`)
  const [r, s] = sequence.parts.map((part) => {
    demandInteger(part, place)
    demand(part.content[0] < 0x80, `${place} is malformed.`)
    return bigint(part.content)
  })
  demand(r >= 1n && r < ORDER && s >= 1n && s < ORDER, `${place} is out of range.`)
  return { r, s }
}

const isSignedBy = (spki, signature, data) =>
  verify(
    'sha256',
    data,
    { key: createPublicKey({ key: spki, format: 'der', type: 'spki' }), dsaEncoding: 'der' },
    signature,
  )

function checkSignature({ proof }) {
  const signature = base64(proof.signatureValue, 'proof.signatureValue')
  const { s } = readSignature(signature, 'proof.signatureValue')
  demand(s <= ORDER / 2n, 'proof.signatureValue is the other spelling of a signature (s in the upper half).')
  const isSigned = isSignedBy(readPublicKey(proof.publicKeyPem), signature, Buffer.from(proof.merkleRoot))
  demand(isSigned, 'The key of the proof has not signed this root.')
}

// ---- C. Certificate ----------------------------------------------------------------------------------------------------

/** DER (X.690 §8 and §10): the elements one after another, each with tag, content, all of its bytes, and its parts. */
function readDer(bytes, place, depth = 1) {
  demand(depth <= 16, `${place} is nested too deeply.`)
  const elements = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at]
    let start = at + 2
    let length = bytes[at + 1]
    demand(length !== undefined && (tag & 0x1f) !== 0x1f && length !== 0x80, `${place} is not DER.`)
    if (length > 0x80) {
      const digits = bytes.subarray(start, start + length - 0x80)
      demand(digits.length <= 3 && digits.length === length - 0x80 && digits[0] !== 0, `${place} is not DER.`)
      start += digits.length
      length = Number(bigint(digits))
      demand(length >= 0x80, `${place} is not DER.`)
    }
    const content = bytes.subarray(start, start + length)
    demand(content.length === length, `${place} is not DER.`)
    const parts = tag & 0x20 ? readDer(content, place, depth + 1) : []
    elements.push({ tag, content, parts, raw: bytes.subarray(at, start + length) })
    at = start + length
  }
  return elements
}

function demandInteger({ tag, content }, place) {
  const isPadded =
    content.length > 1 && (content[0] === 0 ? content[1] < 0x80 : content[0] === 0xff && content[1] >= 0x80)
  demand(tag === 0x02 && content.length > 0 && !isPadded, `${place} has a malformed number.`)
}

const ECDSA_WITH_SHA256 = '300a06082a8648ce3d040302'
const COMMON_NAME = '550403'
const KEY_USAGE = '551d0f'
const BASIC_CONSTRAINTS = '551d13'
const EXTENDED_KEY_USAGE = '551d25'

/** What a certificate says; the extensions are not looked into yet. */
function readCertificate(der, place) {
  const well = (holds) => demand(holds, `${place} is no certificate in DER.`)
  const tags = (elements, expected) => well(elements.map(({ tag }) => tag.toString(16)).join() === expected)
  const outer = readDer(der, place)
  tags(outer, '30')
  const [tbs, algorithm, signature] = outer[0].parts
  tags(outer[0].parts, '30,30,3')
  tags(tbs.parts, 'a0,2,30,30,30,30,30,a3')
  const [version, serial, innerAlgorithm, issuer, validity, subject, spki, extensions] = tbs.parts
  well(version.content.equals(Buffer.from([2, 1, 2])))
  demandInteger(serial, place)
  well(signature.content[0] === 0)
  well(validity.parts.length === 2)
  const [begin, end] = validity.parts.map((time) => readTime(time, place))
  tags(extensions.parts, '30')
  return {
    algorithms: [algorithm, innerAlgorithm].map(({ raw }) => raw.toString('hex')),
    tbs: tbs.raw,
    signature: signature.content.subarray(1),
    serial: serial.content.toString('hex'),
    issuer: issuer.raw,
    subject: subject.raw,
    name: commonName(subject),
    spki: spki.raw,
    begin,
    end,
    extensions: extensions.parts[0].parts,
  }
}

function readTime({ tag, content }, place) {
  const digits = content.toString('latin1')
  const isShort = tag === 0x17 && /^\d{12}Z$/.test(digits)
  demand(isShort || (tag === 0x18 && /^\d{14}Z$/.test(digits)), `${place} has a malformed time.`)
  const full = isShort ? `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}` : digits
  const iso = full.replace(/^(....)(..)(..)(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6.000Z')
  demand(isRealTime(iso), `${place} has a malformed time.`)
  return Date.parse(iso)
}

const commonName = ({ parts }) =>
  parts
    .flatMap((set) => set.parts)
    .find((attribute) => attribute.parts[0]?.content.toString('hex') === COMMON_NAME)
    ?.parts[1]?.content.toString('utf8')

/** The extensions by the hexadecimal digits of their identifiers. */
function readExtensions(elements, place) {
  const found = new Map()
  for (const { tag, parts } of elements) {
    const [id, ...rest] = parts
    const critical = rest.length === 2 ? rest.shift() : undefined
    const isWell = tag === 0x30 && id?.tag === 0x06 && rest.length === 1 && rest[0].tag === 0x04
    const isFlag = critical === undefined || (critical.tag === 0x01 && critical.content.toString('hex') === 'ff')
    demand(isWell && isFlag, `${place} has a malformed extension.`)
    const name = id.content.toString('hex')
    demand(!found.has(name), `${place} has an extension twice.`)
    found.set(name, { isCritical: critical !== undefined, value: rest[0].content })
  }
  return found
}

/** [digitalSignature, keyCertSign] */
function readKeyUsage(extensions, place) {
  const value = extensions.get(KEY_USAGE)?.value
  demand(value !== undefined, `${place} does not say what its key is for.`)
  const [bits, ...behind] = readDer(value, place)
  const { tag, content } = bits ?? { content: [] }
  const isWell = tag === 0x03 && behind.length === 0 && [2, 3].includes(content.length) && content[0] <= 7
  demand(isWell && (content.at(-1) & ((1 << content[0]) - 1)) === 0, `${place} has a malformed key usage.`)
  return [(content[1] & 0x80) !== 0, (content[1] & 0x04) !== 0]
}

function readIsCa(extensions, place) {
  const value = extensions.get(BASIC_CONSTRAINTS)?.value
  if (value === undefined) return false
  const [sequence, ...behind] = readDer(value, place)
  const well = (holds) => demand(holds, `${place} has malformed basic constraints.`)
  well(sequence?.tag === 0x30 && behind.length === 0)
  const [first, ...rest] = sequence.parts
  const isCa = first?.tag === 0x01
  if (isCa) well(first.content.toString('hex') === 'ff')
  const numbers = isCa ? rest : sequence.parts
  well(numbers.length <= 1)
  for (const number of numbers) demandInteger(number, place)
  return isCa
}

/** The seal CAs of a PEM: one to eight certificates, with nothing but white space around them. */
function readAuthorities(pem) {
  const pieces = pem.split('-----END CERTIFICATE-----')
  const bodies = pieces.slice(0, -1).map((piece) => BEGUN.exec(piece)?.[1])
  const isWell = bodies.length >= 1 && bodies.length <= MOST_AUTHORITIES && !bodies.includes(undefined)
  demand(
    isWell && pieces.at(-1).trim() === '',
    `What is given as seal CA is not one certificate in PEM, or up to ${MOST_AUTHORITIES} of them.`,
    BadAuthority,
  )
  return bodies.map(readAuthority)
}

const MOST_AUTHORITIES = 8
const BEGUN = /^\s*-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)$/

function readAuthority(body) {
  try {
    const der = base64(body.replace(/\s/g, ''), 'The seal CA')
    const authority = readCertificate(der, 'The seal CA')
    demandPoint(authority.spki, 'The seal CA')
    const extensions = readExtensions(authority.extensions, 'The seal CA')
    const [, signsCertificates] = readKeyUsage(extensions, 'The seal CA')
    demand(readIsCa(extensions, 'The seal CA') && signsCertificates, 'What is given as seal CA is none.')
    return { der, ...authority }
  } catch (error) {
    throw error instanceof Refused ? new BadAuthority(error.message) : error
  }
}

/** Whose the key of the proof is, as the seal CA says: its certificate, and who has issued it. */
function checkCertificate({ proof }, sealCa) {
  const authorities = readAuthorities(sealCa)
  demand(has(proof, 'x5c'), 'The proof has no certificate, so nobody vouches for its key.')
  const [der, second] = proof.x5c.map((entry) => base64(entry, 'proof.x5c'))
  const place = 'The certificate'
  const leaf = readCertificate(der, place)
  demand(
    leaf.algorithms.every((algorithm) => algorithm === ECDSA_WITH_SHA256),
    `${place} is not signed with ECDSA and SHA-256.`,
  )
  demand(leaf.spki.equals(readPublicKey(proof.publicKeyPem)), `${place} is of another key.`)
  const named = authorities.filter(({ subject }) => leaf.issuer.equals(subject))
  demand(named.length > 0, `${place} was not issued by this seal CA.`)
  readSignature(leaf.signature, place)
  const authority = named.find(({ spki }) => isSignedBy(spki, leaf.signature, leaf.tbs))
  demand(authority !== undefined, `${place} was not signed by this seal CA.`)
  const created = Date.parse(proof.created)
  for (const { begin, end } of [leaf, authority]) {
    demand(begin <= created && created <= end, `A certificate was not valid at ${proof.created}.`)
  }
  const extensions = readExtensions(leaf.extensions, place)
  const [signsData, signsCertificates] = readKeyUsage(extensions, place)
  demand(signsData && !signsCertificates && !readIsCa(extensions, place), `${place} is not one for seals.`)
  demand(!extensions.has(EXTENDED_KEY_USAGE), `${place} is for another purpose.`)
  for (const [name, { isCritical }] of extensions) {
    demand(!isCritical || [KEY_USAGE, BASIC_CONSTRAINTS].includes(name), `${place} demands what is not understood.`)
  }
  demand(second === undefined || second.equals(authority.der), 'proof.x5c has a certificate that is not the seal CA.')
  return { leaf, authority }
}

// ---- L. Lists of revoked certificates ----------------------------------------------------------------------------------

const MOST_LISTS = 8
const MOST_LIST_BYTES = 1_048_576

/** What a list (RFC 5280 §5.1) says, whoever has signed it. */
function readList(der) {
  const place = 'The list'
  const well = (holds) => demand(holds, `${place} is none, or demands what is not understood.`)
  const tags = (elements, ...expected) =>
    well(elements.length === expected.length && elements.every(({ tag }, at) => tag === expected[at]))
  const plain = (extensions) => well([...readExtensions(extensions, place).values()].every((one) => !one.isCritical))
  well(der.length <= MOST_LIST_BYTES)
  const [outer, ...behind] = readDer(der, place)
  well(outer?.tag === 0x30 && behind.length === 0)
  tags(outer.parts, 0x30, 0x30, 0x03)
  const [tbs, algorithm, signature] = outer.parts
  const revoked = tbs.parts.length === 7 ? tbs.parts[5] : { tag: 0x30, parts: [] }
  well([6, 7].includes(tbs.parts.length) && revoked.tag === 0x30)
  const [version, innerAlgorithm, issuer, begin, end] = tbs.parts
  const extensions = tbs.parts.at(-1)
  tags([version, innerAlgorithm, issuer, extensions], 0x02, 0x30, 0x30, 0xa0)
  well(version.content.toString('hex') === '01' && signature.content[0] === 0)
  tags(extensions.parts, 0x30)
  plain(extensions.parts[0].parts)
  const bytes = signature.content.subarray(1)
  readSignature(bytes, place)
  return {
    tbs: tbs.raw,
    signature: bytes,
    algorithms: [algorithm, innerAlgorithm].map(({ raw }) => raw.toString('hex')),
    issuer: issuer.raw,
    begin: readTime(begin, place),
    end: readTime(end, place),
    revoked: new Map(
      revoked.parts.map(({ tag, parts: [serial, since, more, ...rest] }) => {
        well(tag === 0x30 && since !== undefined && rest.length === 0)
        demandInteger(serial, place)
        plain(more?.parts ?? [])
        return [serial.content.toString('hex'), readTime(since, place)]
      }),
    ),
  }
}

function readLists(lists) {
  return lists.flatMap((der) => {
    try {
      return [readList(der)]
    } catch (error) {
      if (error instanceof Refused) return []
      throw error
    }
  })
}

/** Nothing where the certificate is not revoked; else what is against it: { verdict, reason }. */
function checkRevocation(created, { leaf, authority }, lists, now) {
  const unknown = (reason) => ({ verdict: 'undecided', reason })
  const [list] = readLists(lists)
    .filter(({ issuer, algorithms }) => issuer.equals(authority.subject) && new Set(algorithms).size === 1)
    .filter(({ algorithms }) => algorithms[0] === ECDSA_WITH_SHA256)
    .filter(({ signature, tbs }) => isSignedBy(authority.spki, signature, tbs))
    .sort((one, other) => other.begin - one.begin)
  if (list === undefined) return unknown('There is no list of revoked certificates of its seal CA.')
  if (now < list.begin || now > list.end) return unknown('The list of revoked certificates is not in force.')
  const since = list.revoked.get(leaf.serial)
  if (since === undefined) return undefined
  return Date.parse(created) >= since
    ? { verdict: 'not valid', reason: 'The certificate was revoked before the seal.' }
    : unknown('The certificate was revoked later, and nothing shows that the seal was there before.')
}

// ---- Verdict -----------------------------------------------------------------------------------------------------------

/**
 * Judges the text (or the bytes) of a passport document by the seal rule, with the PEM of the seal CA or without, and with lists of
 * revoked certificates (DER) or without. Never throws. `exit` is the exit code of a command.
 */
export function verifySeal(input, { sealCa, lists, now = new Date() } = {}) {
  try {
    const document = parseText(input)
    checkForm(document)
    checkSubject(document, now)
    checkMasks(document)
    checkPlaces(document)
    demand(rebuildRoot(document) === document.proof.merkleRoot, 'The values do not give proof.merkleRoot.')
    checkSignature(document)
    if (sealCa === undefined) {
      return { verdict: 'undecided', reason: 'It fits, but its owner is unknown: no seal CA was given.', exit: 4 }
    }
    const issued = checkCertificate(document, sealCa)
    const against = lists && checkRevocation(document.proof.created, issued, lists, now)
    if (against !== undefined) return { ...against, exit: against.verdict === 'undecided' ? 4 : 1 }
    return { verdict: 'valid', reason: `Sealed by ${issued.leaf.name ?? 'somebody without a name'}.`, exit: 0 }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const exit = error instanceof Unreadable ? 3 : error instanceof BadAuthority ? 2 : 1
    return { verdict: 'not valid', reason: error.message, exit }
  }
}

async function main([file, sealCa, ...listNames]) {
  if (file === undefined) {
    const { sealVectors } = await import('./seal-cases.mjs')
    process.stdout.write(`${JSON.stringify(sealVectors(), null, 1)}\n`)
    return 0
  }
  if (listNames.length > MOST_LISTS) {
    console.error('node seal-reference.mjs passport.json [seal-ca.pem [list.crl ...]]')
    return 2
  }
  let given
  let lists
  try {
    given = [file, sealCa].map((name) => (name === undefined ? undefined : readFileSync(name)))
    lists = listNames.length === 0 ? undefined : listNames.map((name) => readFileSync(name))
  } catch (error) {
    console.error(error.message)
    return 3
  }
  const { verdict, reason, exit } = verifySeal(given[0], { sealCa: given[1]?.toString('utf8'), lists })
  // Text of a document; control characters in it would steer the terminal.
  console.log(`${verdict}: ${reason}`.replace(/\p{C}/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`))
  console.log('Not sealed: status, archive, times, names and role of the operator, facility.')
  return exit
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main(process.argv.slice(2)).then((exitCode) => {
    process.exitCode = exitCode
  })
}
