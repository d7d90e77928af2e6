// A verifier of ecdsa-jcs-2019 proofs without code of the gateway or its libraries: written from the W3C texts (Data
// Integrity ECDSA Cryptosuites 1.0, section 3.3; Controlled Identifiers 1.0, sections 2.2.2 and 2.4; RFC 8785) on
// node:crypto.
import { createHash, createPublicKey, verify } from 'node:crypto'

/**
 * RFC 8785, section 3.2: keys in the order of their UTF-16 code units, numbers and strings as ECMAScript writes them.
 */
export function jcs(value) {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error('No number of JSON.')
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`
  const members = Object.keys(value).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map((key) => `${JSON.stringify(key)}:${jcs(value[key])}`).join(',')}}`
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Multibase base58btc (Controlled Identifiers 1.0, section 2.4). */
export function fromMultibase(text) {
  if (text[0] !== 'z') throw new Error('No base58btc.')
  let number = 0n
  for (const character of text.slice(1)) {
    const digit = ALPHABET.indexOf(character)
    if (digit === -1) throw new Error(`${character} is no digit of base58btc.`)
    number = number * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text.slice(1))[0].length
  const hex = number === 0n ? '' : number.toString(16)
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')])
}

const CURVES = {
  8024: { oid: '06082a8648ce3d030107', bytes: 33, hash: 'sha256' },
  8124: { oid: '06052b81040022', bytes: 49, hash: 'sha384' },
}

/** A P-256 or P-384 Multikey as key, and the hash of its curve. */
export function keyOf(multikey) {
  const bytes = fromMultibase(multikey)
  const curve = CURVES[bytes.subarray(0, 2).toString('hex')]
  const point = bytes.subarray(2)
  if (curve === undefined || point.length !== curve.bytes) throw new Error('No P-256 or P-384 key.')
  const sequence = (...parts) => {
    const content = Buffer.concat(parts)
    return Buffer.concat([Buffer.from([0x30, content.length]), content])
  }
  const algorithm = sequence(Buffer.from('06072a8648ce3d0201', 'hex'), Buffer.from(curve.oid, 'hex'))
  const bits = Buffer.concat([Buffer.from([0x03, point.length + 1, 0]), point])
  return { key: createPublicKey({ key: sequence(algorithm, bits), format: 'der', type: 'spki' }), hash: curve.hash }
}

/** Verification steps (section 3.3.2) with their intermediate results. */
export function steps(secured, hash = 'sha256') {
  const { proof, ...unsecured } = secured
  const { proofValue, ...options } = proof
  if (options['@context'] !== undefined) {
    const listOf = (value) => (Array.isArray(value) ? value : [value])
    const [mine, theirs] = [listOf(unsecured['@context']), listOf(options['@context'])]
    if (!theirs.every((entry, index) => jcs(entry) === jcs(mine[index]))) throw new Error('Another @context.')
    unsecured['@context'] = options['@context']
  }
  const digest = (text) => createHash(hash).update(text, 'utf8').digest()
  const [proofConfig, document] = [jcs(options), jcs(unsecured)]
  const [proofHash, documentHash] = [digest(proofConfig), digest(document)]
  return {
    proofConfig,
    document,
    proofHash,
    documentHash,
    hashData: Buffer.concat([proofHash, documentHash]),
    proofValue,
  }
}

/**
 * True if the proof of `secured` is valid under the Multikey that `lookUp` returns for its verification method.
 * @throws Error if the proof is not of this cryptosuite
 */
export async function verifies(secured, lookUp) {
  const { proof } = secured
  if (proof?.type !== 'DataIntegrityProof' || proof.cryptosuite !== 'ecdsa-jcs-2019') throw new Error('Another proof.')
  if (proof.proofPurpose !== 'assertionMethod') throw new Error('Another purpose.')
  const { key, hash } = keyOf(await lookUp(proof.verificationMethod))
  const { hashData, proofValue } = steps(secured, hash)
  const signature = fromMultibase(proofValue)
  if (signature.length !== (hash === 'sha256' ? 64 : 96)) return false
  return verify(hash, hashData, { key, dsaEncoding: 'ieee-p1363' }, signature)
}
