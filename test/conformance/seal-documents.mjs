// Material of seal-cases.mjs: example roots, certificates in DER, and sealed documents. Keys are random; everything
// unsigned is reproducible.
import { generateKeyPairSync, sign } from 'node:crypto'
import { byCodeUnit, canonical, leafHash, merkleRoot, ORDER, REDACTED, SUBJECT_KEY, sha256 } from './seal-tree.mjs'

const ROOTS = [
  ['one entry', { category: 'textiles' }],
  ['two entries', { originCountry: 'PT', category: 'textiles' }],
  ['three entries', { c: [], a: {}, b: null }],
  ['five entries', { e: 5, d: 4, c: 3, b: 2, a: 1 }],
  ['seven entries', { g: 'g', f: 'f', e: 'e', d: 'd', c: 'c', b: 'b', a: 'a' }],
  ['keys that look like array indexes', { 10: 'ten', 9: 'nine', a: 'letter', '01': 'leading zero' }],
  ['names that every JavaScript object inherits', { toString: 1, hasOwnProperty: 2, valueOf: 3 }],
  ['keys before and after the reserved one', { '': 'empty', '?': 'before @', A: 'behind @', '😀': 'far behind' }],
  [
    'key order of RFC 8785 section 3.2.3',
    {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      1: 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    },
  ],
  [
    'numbers of RFC 8785 appendix B',
    {
      numbers: [
        -0, 5e-324, 1.7976931348623157e308, 9007199254740992, 295147905179352830000, 9.999999999999997e22, 1e23,
      ],
    },
  ],
  [
    'text',
    { plain: 'Größe', control: '\u0001\b\t\n\f\r\u001f\u007f"\\/', forms: ['\u00e9', 'e\u0301'], wide: '\u2028😀' },
  ],
  [
    'battery in the public tier',
    {
      category: 'batteries',
      originCountry: 'DE',
      facilityDetails: [{ facilityName: 'Werk 1', location: 'Köln', activity: 'assembly' }],
      detailedPerformance: { ratedCapacity: { value: 94, unit: 'Ah' } },
      materialComposition: [
        { material: 'lithium', percentage: 7.5 },
        { material: 'other', percentage: 92.5 },
      ],
    },
    ['detailedPerformance', 'facilityDetails'],
  ],
]

export const BASE = 'https://dpp.example'
export const CREATED = '2025-06-02T09:30:00.000Z'
const OPERATOR = { id: '0f5d3c1e-7a34-4c8e-9d55-3b1f6a2c9e01', regId: 'DE123456789', name: 'Nordlicht Energie GmbH' }
export const idOf = (label) => {
  const hex = sha256(label).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

// uint16be(index) || uint16be(count) || 12 bytes. Fixed here; a real seal draws these 12 at random.
function saltFor(label, index, count) {
  const place = Buffer.from([index >> 8, index & 255, count >> 8, count & 255])
  return Buffer.concat([place, sha256(label).subarray(0, 12)])
}

/** Leaves of metadata and subject in order: `[{ key, value, salt, hash }]`. */
function leavesOf(label, metadata, subject, place = (index, count) => [index, count]) {
  const entries = [...Object.entries(metadata), [SUBJECT_KEY, subject]].sort(([a], [b]) => byCodeUnit(a, b))
  return entries.map(([key, value], index) => {
    const salt = saltFor(`${label}/${key}`, ...place(index, entries.length, key))
    return { key, value, salt, hash: leafHash(salt, key, value) }
  })
}

const record = (leaves, value) => Object.fromEntries(leaves.map((leaf) => [leaf.key, value(leaf)]))
const saltText = ({ salt }) => salt.toString('base64url')
const hashText = ({ hash }) => hash.toString('hex')
const rootOf = (leaves) => merkleRoot(leaves.map(({ hash }) => hash)).toString('hex')

export const rootVectors = () =>
  ROOTS.map(([name, metadata, masked = []]) => {
    const { id, regId } = OPERATOR
    const subject = {
      id: idOf(name),
      productId: '09506000134352',
      operator: { id, regId },
      created: CREATED,
      maskable: masked,
    }
    const leaves = leavesOf(name, metadata, subject)
    return {
      name,
      metadata,
      subject,
      masked,
      salts: record(leaves, saltText),
      canonical: record(leaves, ({ key, value }) => canonical([key, value])),
      leaves: record(leaves, hashText),
      root: rootOf(leaves),
    }
  })

// Rebuilds the root but must be rejected: the parent of the last two of six leaves is presented as the leaf of one
// masked entry. Only the places in the salts reveal it: six leaves then, five entries here.
export function forgery({ metadata, leaves, salts, subject, root }) {
  const keys = [...Object.keys(metadata), SUBJECT_KEY].sort(byCodeUnit)
  const [shown, [hiding, hidden]] = [keys.slice(0, 4), keys.slice(4)]
  const node = merkleRoot([hiding, hidden].map((key) => Buffer.from(leaves[key], 'hex')))
  return {
    metadata: { ...metadata, [hiding]: REDACTED, [hidden]: undefined },
    subject,
    salts: Object.fromEntries(shown.map((key) => [key, salts[key]])),
    redactedLeaves: { [hiding]: node.toString('hex') },
    root,
  }
}

const lengthOf = (size) => {
  if (size < 0x80) return Buffer.from([size])
  const digits = Buffer.from(size.toString(16).padStart(size > 0xffff ? 6 : size > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 + digits.length]), digits])
}
export const der = (tag, ...parts) => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}
export const hex = (digits) => Buffer.from(digits.replaceAll(' ', ''), 'hex')
export const sequence = (...parts) => der(0x30, ...parts)
export const integer = (value) => {
  const digits = value.toString(16)
  const bytes = hex(digits.length % 2 === 0 ? digits : `0${digits}`)
  return der(0x02, bytes[0] >= 0x80 ? Buffer.concat([hex('00'), bytes]) : bytes)
}
export const octets = (...parts) => der(0x04, ...parts)
export const bits = (unused, ...parts) => der(0x03, Buffer.from([unused]), ...parts)

const bigint = (bytes) => BigInt(`0x${bytes.toString('hex')}`)
export const numbersOf = (key, data, hash = 'sha256') => {
  const bytes = sign(hash, data, { key, dsaEncoding: 'ieee-p1363' })
  const [r, s] = [bigint(bytes.subarray(0, 32)), bigint(bytes.subarray(32))]
  return { r, s: s > ORDER / 2n ? ORDER - s : s }
}
export const signatureOf = ({ r, s }) => sequence(integer(r), integer(s))

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, spki: publicKey.export({ type: 'spki', format: 'der' }), pem: pemOf(publicKey) }
}
const pemOf = (publicKey) => publicKey.export({ type: 'spki', format: 'pem' }).trim()
export const certificatePem = (bytes) =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`

export const ECDSA_WITH_SHA256 = hex('300a06082a8648ce3d040302')
export const ECDSA_WITH_SHA384 = hex('300a06082a8648ce3d040303')
export const TRUE = hex('0101ff')
export const FALSE = hex('010100')
export const nameOf = (commonName) =>
  sequence(
    der(0x31, sequence(hex('0603550406'), der(0x13, Buffer.from('DE')))),
    der(0x31, sequence(hex('060355040a'), der(0x0c, Buffer.from(commonName)))),
    der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(commonName)))),
  )
export const utc = (text) => der(0x17, Buffer.from(text))
export const generalized = (text) => der(0x18, Buffer.from(text))
export const extension = (id, ...rest) => sequence(der(0x06, hex(id)), ...rest)
export const keyUsage = (value, ...critical) => extension('551d0f', ...critical, octets(value))
export const constraints = (...parts) => extension('551d13', TRUE, octets(sequence(...parts)))
export const FOR_SEALS = keyUsage(bits(7, hex('80')), TRUE)
export const NO_CA = constraints()
export const subjectKeyId = (spki) => extension('551d0e', octets(octets(sha256(spki).subarray(0, 20))))
const CA_NAME = 'Seal CA of dpp.example'
export const SERIAL = integer(0x5a)

function certificate(options) {
  const {
    subject = nameOf(OPERATOR.name),
    issuer = nameOf(CA_NAME),
    spki,
    signer,
    validity = [utc('240101000000Z'), utc('250630235959Z')],
    extensions = [NO_CA, FOR_SEALS, subjectKeyId(spki)],
    version = [hex('a003020102')],
    serial = SERIAL,
    algorithm = ECDSA_WITH_SHA256,
    innerAlgorithm = algorithm,
    hash = 'sha256',
    uniqueId = [],
    signature = (numbers) => bits(0, signatureOf(numbers)),
    behind = [],
  } = options
  const lists = extensions === null ? [] : [der(0xa3, ...(options.listed ?? [sequence(...extensions)]))]
  const body = [...version, serial, innerAlgorithm, issuer, sequence(...validity), subject, spki, ...uniqueId, ...lists]
  const tbs = sequence(...body)
  return sequence(tbs, algorithm, signature(numbersOf(signer, tbs, hash)), ...behind)
}

function revocationList(options) {
  const {
    issuer = nameOf(CA_NAME),
    signer,
    validity = [utc('250101000000Z'), utc('491231235959Z')],
    entries = [],
    extensions = sequence(extension('551d14', octets(integer(1)))),
    version = [integer(1)],
    algorithm = ECDSA_WITH_SHA256,
    innerAlgorithm = algorithm,
    hash = 'sha256',
  } = options
  const lists = [entries === null ? [] : [sequence(...entries)], extensions === null ? [] : [der(0xa0, extensions)]]
  const tbs = sequence(...version, innerAlgorithm, issuer, ...validity, ...lists.flat())
  return sequence(tbs, algorithm, bits(0, signatureOf(numbersOf(signer, tbs, hash))))
}

const FIXED_TERMS = (
  'DigitalProductPassport economicOperator manufacturingFacility metadata digitalSeal signingPublicKey status archivedAt ' +
  'retentionUntil uniqueProductIdentifier'
).split(' ')
const FIXED = new Set(
  (
    'id productId digitalLinkUri uniqueProductIdentifier digitalSeal signingPublicKey status archivedAt retentionUntil ' +
    'proof createdAt updatedAt economicOperator manufacturingFacility metadata'
  ).split(' '),
)
const encode = (text) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
const FACILITY = { id: idOf('facility'), gln: '4000001000005', name: 'Werk 1', activity: 'assembly', country: 'DE' }

/** All views of one passport have one signature. */
function signedOnce({ signed }, key, root) {
  const name = `${root} ${key.pem}`
  if (!signed.has(name)) signed.set(name, numbersOf(key.privateKey, Buffer.from(root)))
  return signed.get(name)
}

/**
 * A passport document as a gateway emits it, sealed with `key`. Options introduce differences: `subject` changes the
 * sealed content, `place` the salts, `rootText` the signed text, `document` the finished members.
 */
export function seal(world, label, options) {
  const {
    metadata,
    productId = '09506000134352',
    facility = FACILITY,
    created = CREATED,
    maskable = Object.keys(metadata).filter((key) => key === 'facilityDetails'),
    masked = maskable,
    key = world.workspace,
    x5c = [world.leaf],
    subject: change = (subject) => subject,
    place,
    rootText = (root) => root,
    signature = signatureOf,
    link = `${BASE}/01/${encode(productId)}`,
    repeated = true,
    byLanguage = [],
    document: edit = (document) => document,
  } = options
  const id = idOf(options.passport ?? label)
  const { name, ...operator } = OPERATOR
  const subject = change({ id, productId, operator, created, maskable: [...maskable].sort(byCodeUnit) })
  const leaves = leavesOf(options.passport ?? label, metadata, subject, place)
  const merkleRoot = rootText(rootOf(leaves))
  const signatureValue = signature(signedOnce(world, key, merkleRoot)).toString('base64')
  const shown = Object.fromEntries(
    Object.entries(metadata).map(([name, value]) => [name, masked.includes(name) ? REDACTED : value]),
  )
  const flat = repeated ? Object.entries(shown).filter(([name]) => !FIXED.has(name) && !name.startsWith('@')) : []
  const terms = [
    ...FIXED_TERMS.map((term) => [term, `${BASE}/ns/dpp#${term}`]),
    ...flat
      .filter(([name]) => name !== '' && !/[:/]/.test(name))
      .map(([name]) => {
        const address = `${BASE}/context/v1#${encodeURIComponent(name)}`
        return [name, byLanguage.includes(name) ? { '@id': address, '@container': '@language' } : address]
      }),
  ]
  const hidden = leaves.filter((leaf) => masked.includes(leaf.key))
  const document = {
    '@context': [`${BASE}/context/v1`, Object.fromEntries(terms)],
    '@type': 'DigitalProductPassport',
    '@id': link,
    id,
    productId,
    digitalLinkUri: link,
    uniqueProductIdentifier: /^(?:did:[a-z0-9]+:|https?:)/.test(productId) ? productId : link,
    digitalSeal: signatureValue,
    signingPublicKey: key.pem,
    status: 'ACTIVE',
    archivedAt: null,
    retentionUntil: '2035-06-02T00:00:00.000Z',
    proof: {
      type: 'MerkleTreeAttestationProof',
      '@type': ['MerkleTreeAttestationProof'],
      signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot',
      created,
      proofPurpose: 'assertionMethod',
      verificationMethod: `${BASE}/passport/${id}#key-1`,
      signatureValue,
      publicKeyPem: key.pem,
      ...(x5c.length === 0 ? {} : { x5c: x5c.map((bytes) => bytes.toString('base64')) }),
      merkleRoot,
      ...(hidden.length === 0 ? {} : { redactedLeaves: record(hidden, hashText) }),
      salts: record(
        leaves.filter((leaf) => !masked.includes(leaf.key)),
        saltText,
      ),
      subject,
    },
    createdAt: '2025-06-01T08:00:00.000Z',
    updatedAt: '2025-06-02T09:30:00.000Z',
    economicOperator: { '@type': 'EconomicOperator', ...operator, name, role: 'MANUFACTURER' },
    manufacturingFacility: facility === null ? null : { '@type': 'Facility', ...facility },
    metadata: shown,
    ...Object.fromEntries(flat),
  }
  const made = {
    passport: { id, productId },
    operator: OPERATOR,
    facility,
    created,
    metadata,
    subject,
    merkleRoot,
    leaves: record(leaves, (leaf) => ({ hash: hashText(leaf), salt: saltText(leaf) })),
    publicKeyPem: key.pem,
    signature: signatureValue,
    x5c: document.proof.x5c,
  }
  return { text: JSON.stringify(edit(document)), made }
}

const TEXTILE = {
  category: 'textiles',
  originCountry: 'PT',
  brand: 'Nordlicht',
  gtin: '09506000134352',
  regulatoryCompliance: ['REACH'],
  facilityDetails: [{ facilityName: 'Werk 1', location: 'Köln', activity: 'assembly' }],
}
const BATTERY = {
  category: 'batteries',
  originCountry: 'DE',
  batteryMass: 12.5,
  carbonFootprint: { value: 61.2, unit: 'kg CO2e/kWh' },
  regulatoryCompliance: ['CE'],
  detailedPerformance: { ratedCapacity: { value: 94, unit: 'Ah' } },
  lifecycleAndInUse: { cycles: 3000 },
  circularityAndDisassembly: { manual: 'https://example.org/manual' },
  facilityDetails: [{ facilityName: 'Werk 1', location: 'Köln', activity: 'assembly' }],
}
const BATTERY_MASKED = ['detailedPerformance', 'lifecycleAndInUse', 'circularityAndDisassembly', 'facilityDetails']
const SMALL = { category: 'textiles', originCountry: 'PT' }
const NAMES = {
  toString: 1,
  hasOwnProperty: { valueOf: null },
  10: 'ten',
  9: 'nine',
  '': 'without a name',
  'dc:title': 'with a colon',
  'a/b': 'with a slash',
  größe: 'M',
  '\u20ac': 1,
  '\ufb33': 2,
  '😀': { 𝒳: [null, '', {}, []] },
  id: 'a value, and no identifier',
  status: 'a value, and no status',
  proof: false,
  category: 'toys',
  empty: '',
  nothing: null,
  list: [],
}
const NUMBERS = {
  category: 'toys',
  one: 1,
  hundred: 100,
  tenth: 0.1,
  zero: 0,
  limit: 9007199254740992,
  large: 1e23,
  tiny: 5e-324,
  minus: -1.5,
}

/** Nested lists with 0 in the innermost. */
const nested = (levels) => (levels === 0 ? 0 : [nested(levels - 1)])

export function makeWorld() {
  const [ca, workspace, stranger, foreignCa] = [newKey(), newKey(), newKey(), newKey()]
  const caCertificate = (options = {}) =>
    certificate({
      subject: nameOf(CA_NAME),
      spki: ca.spki,
      signer: ca.privateKey,
      validity: [utc('230101000000Z'), utc('341231235959Z')],
      extensions: [constraints(TRUE, integer(0)), keyUsage(bits(1, hex('06')), TRUE), subjectKeyId(ca.spki)],
      ...options,
    })
  const leafWith = (options = {}) => certificate({ spki: workspace.spki, signer: ca.privateKey, ...options })
  return {
    ...{ ca, workspace, stranger, foreignCa, caCertificate, leafWith },
    list: (options = {}) => revocationList({ signer: ca.privateKey, ...options }),
    signed: new Map(),
    leaf: leafWith(),
    sealCa: caCertificate(),
  }
}

/** Genuine seals of the workspace, by name of their document. */
export function makeSeals(world) {
  const views = { metadata: BATTERY, maskable: BATTERY_MASKED, passport: 'battery', x5c: [world.leaf, world.sealCa] }
  return {
    textile: seal(world, 'textile', { metadata: TEXTILE }),
    'battery, public': seal(world, 'battery', views),
    'battery, restricted': seal(world, 'battery', { ...views, masked: ['facilityDetails'] }),
    'battery, owner': seal(world, 'battery', { ...views, masked: [] }),
    'six leaves': seal(world, 'six leaves', {
      metadata: { brand: 'N', category: 'toys', color: 'red', facilityDetails: [], originCountry: 'PT' },
      productId: 'SIX-1',
      facility: null,
      masked: [],
    }),
    'texts by language': seal(world, 'texts by language', {
      metadata: {
        ...SMALL,
        sizes: { it: '44', market: 'EU' },
        productName: { en: 'Linen shirt', pl: 'Koszula lniana', 'pt-BR': 'Camisa de linho' },
      },
      productId: 'TEXTS-1',
      facility: null,
      byLanguage: ['productName'],
    }),
    small: seal(world, 'small', { metadata: SMALL, facility: null }),
    grai: seal(world, 'grai', {
      metadata: SMALL,
      productId: '04012345123456A1',
      link: `${BASE}/8003/04012345123456A1`,
    }),
    'odd SKU': seal(world, 'odd SKU', { metadata: SMALL, productId: "A/B ü(1)!*'%2F~😀", facility: null }),
    'a DID': seal(world, 'a DID', { metadata: SMALL, productId: 'did:web:maker.example:shirt', facility: null }),
    names: seal(world, 'names', { metadata: NAMES, productId: 'NAMES-1' }),
    'one entry': seal(world, 'one entry', { metadata: { category: 'toys' }, productId: 'ONE-1', facility: null }),
    'one entry, maskable': seal(world, 'one entry, maskable', {
      metadata: { facilityDetails: [] },
      productId: 'ONE-2',
      facility: null,
    }),
    numbers: seal(world, 'numbers', { metadata: NUMBERS, productId: 'NUMBERS-1', facility: null, repeated: false }),
    'maskable by code unit': seal(world, 'code units', {
      metadata: { ...SMALL, '\ufb33': 1, '😀': 2 },
      productId: 'UNITS-1',
      maskable: ['😀', '\ufb33'],
    }),
    'a name of 256 characters': seal(world, 'long name', {
      metadata: { category: 'toys', deep: { ['n'.repeat(256)]: 1 } },
      productId: 'LONG-1',
    }),
    'sealed U+FFFD': seal(world, 'replacement', {
      metadata: { category: 'toys', color: '\ufffd' },
      productId: 'FFFD-1',
    }),
    'first instant of the certificate': seal(world, 'first instant', {
      metadata: SMALL,
      productId: 'FIRST-1',
      created: '2024-01-01T00:00:00.000Z',
    }),
    'last instant of the certificate': seal(world, 'last instant', {
      metadata: SMALL,
      productId: 'LAST-1',
      created: '2025-06-30T23:59:59.000Z',
    }),
    'leap day': seal(world, 'leap day', {
      metadata: SMALL,
      productId: 'LEAP-1',
      created: '2024-02-29T23:59:59.999Z',
    }),
  }
}

/** Documents with one wrong or odd property; everything else is valid. */
export function makeOthers(world) {
  const { ca, workspace, stranger, foreignCa } = world
  const small = (label, options) => seal(world, label, { metadata: SMALL, facility: null, ...options }).text
  const inSubject = (label, change) => small(label, { subject: change })
  const sealedWith = (label, metadata) => small(label, { metadata, repeated: false, maskable: [] })
  const wrongPlace = (label, place) => small(label, { place })
  const sealedByStranger = (x5c) =>
    small('stranger', { key: stranger, x5c, metadata: { ...SMALL, originCountry: 'FR' }, passport: 'small' })
  const withKey = (pem) => (document) => {
    const { proof } = document
    return { ...document, signingPublicKey: pem, proof: { ...proof, publicKeyPem: pem } }
  }
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  const point = workspace.spki.subarray(27)
  const compressed = der(
    0x30,
    hex('301306072a8648ce3d020106082a8648ce3d030107'),
    bits(0, Buffer.from([2 + (point[63] & 1)]), point.subarray(0, 32)),
  )
  const spkiPem = (bytes) =>
    `-----BEGIN PUBLIC KEY-----\n${bytes.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END PUBLIC KEY-----`
  const subjects = {
    'subject with a further member': inSubject('s1', (s) => ({ ...s, batch: 1 })),
    'subject without maskable': inSubject('s2', ({ maskable, ...s }) => s),
    'subject without regId': inSubject('s3', (s) => ({ ...s, operator: { id: s.operator.id } })),
    'subject with an operator of three members': inSubject('s4', (s) => ({
      ...s,
      operator: { ...s.operator, name: OPERATOR.name },
    })),
    'subject whose operator is a text': inSubject('s5', (s) => ({ ...s, operator: 'DE123456789' })),
    'maskable unsorted': inSubject('s6', (s) => ({ ...s, maskable: ['originCountry', 'category'] })),
    'maskable with a key twice': inSubject('s7', (s) => ({ ...s, maskable: ['category', 'category'] })),
    'maskable with an unknown key': inSubject('s8', (s) => ({ ...s, maskable: ['facilityDetails'] })),
    'maskable with an inherited name': inSubject('s9', (s) => ({ ...s, maskable: ['toString'] })),
    'maskable with a number that is a key': small('s26', {
      metadata: { ...SMALL, 1: 'x' },
      subject: (s) => ({ ...s, maskable: [1] }),
    }),
    'maskable that looks like a list': inSubject('s27', (s) => ({ ...s, maskable: { 0: 'category', length: 1 } })),
    'maskable with a number': inSubject('s10', (s) => ({ ...s, maskable: [1] })),
    'maskable that is an object': inSubject('s11', (s) => ({ ...s, maskable: {} })),
    'maskable by code point': small('s12', {
      metadata: { ...SMALL, '\ufb33': 1, '😀': 2 },
      subject: (s) => ({ ...s, maskable: ['\ufb33', '😀'] }),
      masked: [],
    }),
    'subject with a number for an id': small('s14', {
      subject: (s) => ({ ...s, productId: 5 }),
      document: (d) => ({ ...d, productId: 5, '@id': `${BASE}/01/5`, digitalLinkUri: `${BASE}/01/5` }),
    }),
    'sealed in the future': small('s15', { created: '2099-01-01T00:00:00.000Z' }),
    'sealed at a time with an offset': small('s16', { created: '2025-06-02T09:30:00+00:00' }),
    'sealed at a time without milliseconds': small('s17', { created: '2025-06-02T09:30:00Z' }),
    'sealed on 30 February': small('s18', { created: '2025-02-30T09:30:00.000Z' }),
    'sealed on 29 February 2025': small('s19', { created: '2025-02-29T09:30:00.000Z' }),
    'sealed at 24:00': small('s20', { created: '2025-06-02T24:00:00.000Z' }),
    'sealed at a leap second': small('s21', { created: '2016-12-31T23:59:60.000Z' }),
    'sealed in month 13': small('s22', { created: '2025-13-01T00:00:00.000Z' }),
  }
  const dated = {
    'sealed in the year 0': small('s23', { created: '0000-02-29T00:00:00.000Z' }),
    'sealed before the certificate': small('s24', { created: '2023-12-31T23:59:59.999Z' }),
    'sealed after the certificate': small('s25', { created: '2025-06-30T23:59:59.001Z' }),
  }
  const wrong = {
    'masked without being maskable': small('m1', { maskable: [], masked: ['originCountry'] }),
    'a sealed placeholder': small('m2', {
      metadata: { ...SMALL, facilityDetails: REDACTED },
      masked: [],
      maskable: ['facilityDetails'],
    }),
    'salts one place further': wrongPlace('p1', (index, count) => [index + 1, count]),
    'salts that count one more': wrongPlace('p2', (index, count) => [index, count + 1]),
    'a subject salt of another place': wrongPlace('p3', (index, count, key) => [
      key === SUBJECT_KEY ? 9 : index,
      count,
    ]),
    'salts that do not count the subject': wrongPlace('p4', (index, count, key) => [
      key === SUBJECT_KEY ? 0 : index - 1,
      count - 1,
    ]),
  }
  const signatures = {
    'signature in the upper half': small('g1', { signature: ({ r, s }) => signatureOf({ r, s: ORDER - s }) }),
    'signature of padded numbers': small('g2', {
      signature: ({ r, s }) => sequence(der(0x02, hex('00'), integer(r).subarray(2)), integer(s)),
    }),
    'signature with a long length': small('g3', {
      signature: (numbers) => Buffer.concat([hex('3081'), signatureOf(numbers).subarray(1)]),
    }),
    'signature with bytes behind': small('g4', {
      signature: (numbers) => Buffer.concat([signatureOf(numbers), hex('0500')]),
    }),
    'signature with a third number': small('g5', {
      signature: ({ r, s }) => sequence(integer(r), integer(s), integer(1)),
    }),
    'signature as r and s alone': small('g6', {
      signature: ({ r, s }) => hex(`${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}`),
    }),
    'signature plus the order': small('g7', { signature: ({ r, s }) => sequence(integer(r + ORDER), integer(s)) }),
  }
  const forms = {
    'root in upper case': small('r1', { rootText: (root) => root.toUpperCase() }),
    'metadata nested to 66': sealedWith('t1', { category: 'toys', deep: nested(64) }),
    'metadata nested to 67': sealedWith('t2', { category: 'toys', deep: nested(65) }),
    'a name of 257 characters': sealedWith('t4', { category: 'toys', deep: { ['n'.repeat(257)]: 1 } }),
    'sealed U+0000': sealedWith('t6', { category: 'toys', color: 'a\0b' }),
    'sealed constructor': sealedWith('t7', { category: 'toys', deep: { constructor: 1 } }),
    'sealed prototype': sealedWith('t8', { category: 'toys', prototype: 1 }),
    'sealed __proto__': sealedWith('t9', { category: 'toys', deep: JSON.parse('{"__proto__":{"a":1}}') }),
    ...manyMembers(world),
    'sealed @id': sealedWith('f1', { category: 'toys', maker: [{ '@id': 'https://evil.example/' }] }),
    'sealed @type': sealedWith('f2', { category: 'toys', '@type': 'Recall' }),
    'sealed @': sealedWith('f3', { category: 'toys', deep: { deeper: { '@': 1 } } }),
    'sealed nothing': sealedWith('f4', {}),
    'sealed by the CA itself': small('c1', { key: ca, x5c: [world.sealCa] }),
  }
  const strangers = {
    "a stranger's key without certificate": sealedByStranger([]),
    "a stranger's key with the genuine certificate": sealedByStranger([world.leaf]),
    "a stranger's key with a certificate of a foreign CA of that name": sealedByStranger([
      certificate({ spki: stranger.spki, signer: foreignCa.privateKey }),
    ]),
    "a stranger's key with a certificate of its own": sealedByStranger([
      certificate({ spki: stranger.spki, signer: stranger.privateKey, issuer: nameOf(OPERATOR.name) }),
    ]),
  }
  const keys = {
    'a key of secp256k1': small('k1', {
      key: { privateKey: secp256k1.privateKey, pem: pemOf(secp256k1.publicKey) },
      signature: (numbers) => signatureOf(numbers),
    }),
    'a key of P-384': small('k2', { document: withKey(pemOf(p384.publicKey)) }),
    'a compressed key': small('k3', { document: withKey(spkiPem(compressed)) }),
    'a key off the curve': small('k4', {
      document: withKey(
        spkiPem(Buffer.concat([workspace.spki.subarray(0, 90), Buffer.from([workspace.spki[90] ^ 1])])),
      ),
    }),
    'a key beyond the field': small('k5', { document: withKey(spkiPem(beyondField(workspace.spki))) }),
  }
  return { subjects, dated, wrong, signatures, forms, strangers, keys }
}

const P = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
function power(base, exponent) {
  let out = 1n
  for (let [square, rest] = [base % P, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) out = (out * square) % P
    square = (square * square) % P
  }
  return out
}
/** A key whose x coordinate is the smallest of a point, encoded as x + p. */
function beyondField(spki) {
  const B = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
  const digits = (value) => hex(value.toString(16).padStart(64, '0'))
  for (let x = 1n; ; x += 1n) {
    const square = (x ** 3n - 3n * x + B) % P
    const y = power(square, (P + 1n) / 4n)
    if ((y * y) % P === square) return Buffer.concat([spki.subarray(0, 27), digits(x + P), digits(y)])
  }
}

/** Sealed with very many members; a case inserts all but the first. */
function manyMembers(world) {
  const sealed = (count) => {
    const many = Array.from({ length: count }, () => ({ '': 0 }))
    const options = { metadata: { category: 'toys', many }, facility: null, repeated: false }
    return seal(world, 'many members', options).text.replaceAll('{"":0},', '')
  }
  const rest = countMembers(sealed(1)) - 1
  return {
    'as many members as are allowed': sealed(100_000 - rest),
    'one member too many': sealed(100_001 - rest),
  }
}
export const countMembers = (text) => {
  const count = (value) =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce(
          (sum, inner) => sum + count(inner),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        )
  return count(JSON.parse(text))
}
