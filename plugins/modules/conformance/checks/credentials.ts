import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { type Check, firstOf, joined, needed, shown, unless } from '../check.ts'
import { productIdOf } from '../en18222.ts'
import { type Format, formOf, maybeForm } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { statusOf } from '../reply.ts'
import {
  CREDENTIAL_RULES,
  type DecodedToken,
  decodeToken,
  digestsIn,
  disclosuresOf,
  subjectOf,
} from '../rules/credential.ts'
import { type PartName, partOf } from '../verification.ts'

const VC = 'VC Data Model 2.0'
const UNTP = 'UNTP Digital Product Passport 0.7'
const JOSE = 'VC-JOSE-COSE, 3.1'
const DATA_INTEGRITY = 'Data Integrity 1.0, 2.1'
const SD_JWT = 'RFC 9901, 4'
const SD_JWT_VC = 'SD-JWT VC, 3'

async function token(probe: Probe, format: 'vcJwt' | 'sdJwt'): Promise<DecodedToken> {
  const { text } = await formOf(probe, format)
  return needed(decodeToken(text.split('~', 1)[0] ?? ''), 'the credential is not a JWS, which another check reports')
}

/** The credential in its first offered format. @throws Skipped */
async function credential(probe: Probe): Promise<JsonRecord> {
  const jwt = await maybeForm(probe, 'vcJwt')
  if (jwt !== undefined) return (await token(probe, 'vcJwt')).payload
  const { proof: _, ...document } = (await formOf(probe, 'dataIntegrity')).record()
  return document
}

const rule = (
  name: string,
  clause: string,
  title: string,
  faults: (document: JsonRecord) => string[],
  should?: true,
): Check => ({
  id: `credentials.${name}`,
  clause,
  title,
  ...(should && { should }),
  run: async (probe) => joined(faults(await credential(probe))),
})

const verifiedPart = (group: string, format: Format, part: PartName, clause: string, title: string): Check => ({
  id: `${group}.${part}`,
  clause,
  title,
  run: async (probe) => partOf(probe, (await formOf(probe, format)).text, part),
})

const CONTENT_CHECKS: readonly Check[] = [
  rule('context', `${VC}, 4.3`, 'The first context is that of version 2', CREDENTIAL_RULES.context),
  rule('type', `${VC}, 4.5`, 'The type has VerifiableCredential', CREDENTIAL_RULES.type),
  rule('id', `${VC}, 4.4`, 'The identifier is a URI', CREDENTIAL_RULES.id),
  rule('issuer-id', `${VC}, 4.7`, 'The issuer has a URI', CREDENTIAL_RULES.issuer),
  rule('validity-period', `${VC}, 4.9`, 'The validity period has times with time zones', CREDENTIAL_RULES.validity),
  rule('subject', `${VC}, 4.8`, 'The subject has a URI', CREDENTIAL_RULES.subject),
  rule('schema-form', `${VC}, 4.11`, 'Schemas have an identifier and a type', CREDENTIAL_RULES.schema),
  rule(
    'status-form',
    'Bitstring Status List 1.0, 2.1',
    'Status entries have a list and an index as text',
    CREDENTIAL_RULES.status,
  ),
  rule('untp-context', `${UNTP}, context`, 'A context of UNTP is used', CREDENTIAL_RULES.untpContext),
  rule(
    'untp-type',
    `${UNTP}, DigitalProductPassport`,
    'The type has DigitalProductPassport',
    CREDENTIAL_RULES.untpType,
  ),
  rule('issuer-name', `${UNTP}, CredentialIssuer`, 'The issuer has a name', CREDENTIAL_RULES.issuerName),
  rule('product-name', `${UNTP}, Product`, 'The product has a name', CREDENTIAL_RULES.product),
  rule('granularity', `${UNTP}, Product`, 'idGranularity is model, batch or item', CREDENTIAL_RULES.granularity),
  rule('countries', `${UNTP}, Country; ISO 3166-1`, 'Countries have codes of two letters', CREDENTIAL_RULES.countries),
  rule(
    'shares',
    `${UNTP}, Material`,
    'Mass fractions are between 0 and 1 and add up to at most 1',
    CREDENTIAL_RULES.shares,
  ),
  {
    id: 'credentials.product',
    clause: `${UNTP}, Product; EN 18219, 4.5`,
    title: 'The subject is the product',
    should: true,
    async run(probe) {
      const { id } = subjectOf(await credential(probe))
      return unless(id === productIdOf(probe), `credentialSubject.id is ${shown(id)}.`)
    },
  },
]

const JWT_CHECKS: readonly Check[] = [
  {
    id: 'credentials.jwt-form',
    clause: 'RFC 7515, 3.1',
    title: 'vc+jwt is a compact JWS of JSON',
    run: async (probe) =>
      unless(
        decodeToken((await formOf(probe, 'vcJwt')).text) !== undefined,
        'It is not three parts with two JSON objects.',
      ),
  },
  {
    id: 'credentials.jwt-algorithm',
    clause: 'RFC 8725, 3.1 and 3.2',
    title: 'The signature algorithm is asymmetric',
    async run(probe) {
      const { alg } = (await token(probe, 'vcJwt')).header
      return unless(/^(?:ES|PS|RS)\d+K?$|^Ed|^ML-DSA/.test(String(alg)), `alg is ${shown(alg)}.`)
    },
  },
  {
    id: 'credentials.jwt-type',
    clause: `${JOSE}.1`,
    title: 'typ is vc+jwt',
    async run(probe) {
      const { typ } = (await token(probe, 'vcJwt')).header
      return unless(/^(?:application\/)?vc\+jwt$/i.test(String(typ)), `typ is ${shown(typ)}.`)
    },
    should: true,
  },
  {
    id: 'credentials.jwt-key',
    clause: `${JOSE}.1; RFC 7515, 4.1.4`,
    title: 'kid identifies a key of the issuer',
    async run(probe) {
      const { header, payload } = await token(probe, 'vcJwt')
      const issuer = isRecord(payload.issuer) ? payload.issuer.id : payload.issuer
      const isAbsolute = String(header.kid).startsWith('did:')
      return firstOf(
        unless(typeof header.kid === 'string', `kid is ${shown(header.kid)}.`),
        unless(
          !isAbsolute || String(header.kid).split('#', 1)[0] === issuer,
          `kid ${shown(header.kid)} is not of ${shown(issuer)}.`,
        ),
      )
    },
  },
  {
    id: 'credentials.jwt-payload',
    clause: `${JOSE}.1`,
    title: 'The payload is the credential, without a vc claim',
    async run(probe) {
      const { payload } = await token(probe, 'vcJwt')
      return unless(payload.vc === undefined && payload.vp === undefined, 'The payload has vc or vp.')
    },
  },
  verifiedPart('credentials', 'vcJwt', 'issuer', `${VC}, 4.7`, 'The issuer of vc+jwt controls the key'),
  verifiedPart('credentials', 'vcJwt', 'key', `${JOSE}; DID Core 1.0, 5.2`, 'The key of vc+jwt is published'),
  verifiedPart('credentials', 'vcJwt', 'signature', `${JOSE}; EN 18246, 4.7`, 'The signature of vc+jwt is valid'),
  verifiedPart('credentials', 'vcJwt', 'content', `${VC}, 4`, 'The content of vc+jwt is a credential'),
  verifiedPart('credentials', 'vcJwt', 'validity', `${VC}, 4.9`, 'vc+jwt is valid now'),
  verifiedPart('credentials', 'vcJwt', 'status', 'Bitstring Status List 1.0, 3.2', 'The status of vc+jwt can be read'),
]

async function proofOf(probe: Probe): Promise<JsonRecord> {
  const { proof } = (await formOf(probe, 'dataIntegrity')).record()
  const [first] = Array.isArray(proof) ? proof : [proof]
  return isRecord(first) ? first : {}
}

const DATA_INTEGRITY_CHECKS: readonly Check[] = [
  {
    id: 'data-integrity.type',
    clause: DATA_INTEGRITY,
    title: 'The proof is a DataIntegrityProof with a cryptosuite',
    async run(probe) {
      const { type, cryptosuite } = await proofOf(probe)
      return unless(
        type === 'DataIntegrityProof' && typeof cryptosuite === 'string',
        `type is ${shown(type)}, cryptosuite is ${shown(cryptosuite)}.`,
      )
    },
  },
  {
    id: 'data-integrity.purpose',
    clause: DATA_INTEGRITY,
    title: 'The purpose of the proof is assertionMethod',
    async run(probe) {
      const { proofPurpose } = await proofOf(probe)
      return unless(proofPurpose === 'assertionMethod', `proofPurpose is ${shown(proofPurpose)}.`)
    },
  },
  {
    id: 'data-integrity.value',
    clause: `${DATA_INTEGRITY}; Multibase`,
    title: 'The value of the proof is in base58 or base64url',
    async run(probe) {
      const { proofValue } = await proofOf(probe)
      return unless(
        /^(?:z[1-9A-HJ-NP-Za-km-z]+|u[\w-]+)$/.test(String(proofValue)),
        `proofValue is ${shown(proofValue)}.`,
      )
    },
  },
  {
    id: 'data-integrity.same-credential',
    clause: `${VC}, 4.12`,
    title: 'Both forms have the same credential',
    async run(probe) {
      const { payload } = await token(probe, 'vcJwt')
      const { credentialSubject } = (await formOf(probe, 'dataIntegrity')).record()
      return unless(isDeepStrictEqual(payload.credentialSubject, credentialSubject), 'credentialSubject differs.')
    },
  },
  verifiedPart(
    'data-integrity',
    'dataIntegrity',
    'key',
    `${DATA_INTEGRITY}; DID Core 1.0, 5.2`,
    'The key of the proof is published',
  ),
  verifiedPart(
    'data-integrity',
    'dataIntegrity',
    'signature',
    'Data Integrity ECDSA Cryptosuites 1.0, 3.3',
    'The proof is valid',
  ),
]

const REGISTERED = ['iss', 'nbf', 'exp', 'cnf', 'vct', 'vct#integrity', 'status']

const SD_JWT_CHECKS: readonly Check[] = [
  {
    id: 'sd-jwt.form',
    clause: `${SD_JWT}`,
    title: 'An SD-JWT is a JWS and disclosures, and ends with a tilde',
    async run(probe) {
      const { text } = await formOf(probe, 'sdJwt')
      return firstOf(
        unless(decodeToken(text.split('~', 1)[0] ?? '') !== undefined, 'The first part is not a JWS.'),
        unless(text.trim().endsWith('~'), 'It does not end with a tilde.'),
      )
    },
  },
  {
    id: 'sd-jwt.type',
    clause: `${SD_JWT_VC}.2.1`,
    title: 'typ is dc+sd-jwt',
    async run(probe) {
      const { typ } = (await token(probe, 'sdJwt')).header
      return unless(['dc+sd-jwt', 'vc+sd-jwt'].includes(String(typ)), `typ is ${shown(typ)}.`)
    },
  },
  {
    id: 'sd-jwt.vct',
    clause: `${SD_JWT_VC}.2.2.1`,
    title: 'vct identifies the type of the credential',
    async run(probe) {
      const { vct } = (await token(probe, 'sdJwt')).payload
      return unless(typeof vct === 'string' && vct !== '', `vct is ${shown(vct)}.`)
    },
  },
  {
    id: 'sd-jwt.vct-resolves',
    clause: 'SD-JWT VC, 6.3',
    title: 'vct leads to type metadata',
    should: true,
    async run(probe) {
      const { vct } = (await token(probe, 'sdJwt')).payload
      needed(/^https?:/.test(String(vct)) || undefined, 'vct is not a web address')
      const reply = await probe.follow(String(vct), { accept: 'application/json' })
      return (
        statusOf(reply, 200) ??
        unless(reply.record().vct === vct, `The document has the vct ${shown(reply.record().vct)}.`)
      )
    },
  },
  {
    id: 'sd-jwt.hash',
    clause: `${SD_JWT}.1.1`,
    title: '_sd_alg is sha-256, or absent',
    async run(probe) {
      const { _sd_alg: algorithm } = (await token(probe, 'sdJwt')).payload
      return unless(algorithm === undefined || algorithm === 'sha-256', `_sd_alg is ${shown(algorithm)}.`)
    },
  },
  {
    id: 'sd-jwt.disclosures',
    clause: `${SD_JWT}.2`,
    title: 'Every disclosure is a list of salt, name and value',
    async run(probe) {
      const disclosures = disclosuresOf((await formOf(probe, 'sdJwt')).text)
      const wrong = disclosures.filter(({ content }) => !Array.isArray(content) || ![2, 3].includes(content.length))
      return joined(wrong.map(({ disclosure }) => `${shown(disclosure)} is not a disclosure`))
    },
  },
  {
    id: 'sd-jwt.salts',
    clause: 'RFC 9901, 9.3',
    title: 'Salts have 128 bits and occur once',
    async run(probe) {
      const disclosures = disclosuresOf((await formOf(probe, 'sdJwt')).text)
      const salts = disclosures.flatMap(({ content }) => (Array.isArray(content) ? [String(content[0])] : []))
      const short = salts.filter((salt) => Buffer.from(salt, 'base64url').length < 16).length
      return firstOf(
        unless(short === 0, `${short} salts are shorter than 128 bits.`),
        unless(new Set(salts).size === salts.length, 'A salt occurs twice.'),
      )
    },
  },
  {
    id: 'sd-jwt.digests',
    clause: `${SD_JWT}.2.3`,
    title: 'The digest of every disclosure is in the credential, once',
    async run(probe) {
      const disclosures = disclosuresOf((await formOf(probe, 'sdJwt')).text)
      const { payload } = await token(probe, 'sdJwt')
      const digests = [...digestsIn(payload), ...disclosures.flatMap(({ content }) => digestsIn(content))]
      const lacking = disclosures.filter(({ disclosure }) => !digests.includes(digestOf(disclosure)))
      return firstOf(
        joined(lacking.map(({ disclosure }) => `the digest of ${shown(disclosure)} is missing`)),
        unless(new Set(digests).size === digests.length, 'A digest occurs twice.'),
      )
    },
  },
  {
    id: 'sd-jwt.registered-claims',
    clause: `${SD_JWT_VC}.2.2.2`,
    title: 'Registered claims are not disclosed selectively',
    async run(probe) {
      const disclosures = disclosuresOf((await formOf(probe, 'sdJwt')).text)
      const names = disclosures.flatMap(({ content }) =>
        Array.isArray(content) && content.length === 3 ? [String(content[1])] : [],
      )
      const { payload } = await token(probe, 'sdJwt')
      const hidden = names.filter((name) => REGISTERED.includes(name) && !Object.hasOwn(payload, name))
      return joined(hidden.map((name) => `${name} is a disclosure`))
    },
  },
  verifiedPart('sd-jwt', 'sdJwt', 'key', `${SD_JWT_VC}.5`, 'The key of the SD-JWT is published'),
  verifiedPart('sd-jwt', 'sdJwt', 'signature', `${SD_JWT}; RFC 7515, 5.2`, 'The signature of the SD-JWT is valid'),
  verifiedPart('sd-jwt', 'sdJwt', 'status', 'Token Status List, 8', 'The status of the SD-JWT can be read'),
]

const digestOf = (disclosure: string) => createHash('sha256').update(disclosure).digest('base64url')

export const CREDENTIAL_CHECKS = [...CONTENT_CHECKS, ...JWT_CHECKS]
export { DATA_INTEGRITY_CHECKS, SD_JWT_CHECKS }
