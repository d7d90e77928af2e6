// A second implementation of the seal rule, written from RFC 8785 and RFC 9162 and sharing no code with the gateway.
// `node test/conformance/seal-reference.mjs` prints what seal-vectors.json must hold, without its `signature` member.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

const sha256 = (...parts) => parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest()

// RFC 8785 §3.2.2.2: only these seven have short escapes; other control characters are \u00xx in lower case.
const shortEscapes = { 8: '\\b', 9: '\\t', 10: '\\n', 12: '\\f', 13: '\\r', 34: '\\"', 92: '\\\\' }

function canonicalString(text) {
  let out = ''
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    out += shortEscapes[code] ?? (code < 32 ? `\\u${code.toString(16).padStart(4, '0')}` : text[at])
  }
  return `"${out}"`
}

// RFC 8785 §3.2.3: UTF-16 code units, compared one by one.
function byCodeUnit(a, b) {
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.charCodeAt(at) - b.charCodeAt(at)
  }
  return a.length - b.length
}

function canonical(value) {
  if (typeof value === 'string') return canonicalString(value)
  if (typeof value === 'number') return value === 0 ? '0' : `${value}`
  if (value === null || typeof value === 'boolean') return `${value}`
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const members = Object.keys(value).sort(byCodeUnit)
  return `{${members.map((key) => `${canonicalString(key)}:${canonical(value[key])}`).join(',')}}`
}

// Level by level: neighbours are joined and a node without neighbour moves up unchanged. RFC 9162 §2.1.1 defines the same
// tree from the top down, by splitting at powers of two.
function merkleRoot(leaves) {
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

const REDACTED = '[REDACTED - Privileged Access Required]'

/** The root that a reader rebuilds from a passport document: visible values with their salts, masked ones by their hash. */
export function rebuildRoot({ metadata: shown, proof: { salts, redactedLeaves = {}, subject } }) {
  const metadata = { ...shown, '@passport': subject }
  const leaves = Object.keys(metadata)
    .sort(byCodeUnit)
    .flatMap((key) => {
      const isMasked = metadata[key] === REDACTED && Object.hasOwn(redactedLeaves, key)
      if (isMasked) return [Buffer.from(redactedLeaves[key], 'hex')]
      // A placeholder with neither hash nor salt was never sealed.
      if (!Object.hasOwn(salts, key)) return []
      const text = canonical([key, metadata[key]])
      return [sha256(Buffer.from([0]), Buffer.from(salts[key], 'base64url'), Buffer.from(text))]
    })
  return merkleRoot(leaves).toString('hex')
}

const cases = [
  ['one entry', { category: 'textiles' }],
  ['two entries', { originCountry: 'PT', category: 'textiles' }],
  ['three entries', { c: [], a: {}, b: null }],
  ['five entries', { e: 5, d: 4, c: 3, b: 2, a: 1 }],
  ['seven entries', { g: 'g', f: 'f', e: 'e', d: 'd', c: 'c', b: 'b', a: 'a' }],
  ['keys that look like array indexes', { 10: 'ten', 9: 'nine', a: 'letter', '01': 'leading zero' }],
  ['names that every JavaScript object inherits', { toString: 1, hasOwnProperty: 2, valueOf: 3 }],
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

// uint16be(index) || uint16be(count) || 12 bytes. Fixed ones for fixed vectors; a real seal draws these 12 at random.
function saltFor(label, index, count) {
  const place = Buffer.from([index >> 8, index & 255, count >> 8, count & 255])
  return Buffer.concat([place, sha256(label).subarray(0, 12)])
}

const vectors = cases.map(([name, metadata, masked = []]) => {
  const entries = Object.keys(metadata)
    .sort(byCodeUnit)
    .map((key, index, { length }) => {
      const salt = saltFor(`${name}/${key}`, index, length)
      const text = canonical([key, metadata[key]])
      return { key, salt, text, hash: sha256(Buffer.from([0]), salt, Buffer.from(text)) }
    })
  const record = (value) => Object.fromEntries(entries.map((entry) => [entry.key, value(entry)]))
  return {
    name,
    metadata,
    masked,
    salts: record((entry) => entry.salt.toString('base64url')),
    canonical: record((entry) => entry.text),
    leaves: record((entry) => entry.hash.toString('hex')),
    root: merkleRoot(entries.map((entry) => entry.hash)).toString('hex'),
  }
})

// What a verifier must refuse although it rebuilds the root: the node above the first four of five entries is presented as
// the leaf of one masked entry, and the others are gone. The salt that is left says 5 leaves and position 4; here are 2
// leaves and position 1.
function forgery({ metadata, salts, leaves, root }) {
  const keys = Object.keys(metadata).sort(byCodeUnit)
  const hidden = merkleRoot(keys.slice(0, 4).map((key) => Buffer.from(leaves[key], 'hex'))).toString('hex')
  const last = keys[4]
  return {
    metadata: { facilityDetails: REDACTED, [last]: metadata[last] },
    salts: { [last]: salts[last] },
    redactedLeaves: { facilityDetails: hidden },
    root,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${JSON.stringify({ vectors, forgery: forgery(vectors.at(-1)) }, null, 2)}\n`)
}
