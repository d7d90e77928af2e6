import { hash, randomBytes } from 'node:crypto'
import {
  type Credential,
  credentialTypeUrl,
  type Issuer,
  isRecord,
  type JsonRecord,
  tokenStatusListUrl,
} from '../../../src/plugin/index.ts'

/** What a holder may leave out of a presentation; identity and status always stay. */
const DISCLOSED = [
  'producedAtFacility',
  'countryOfProduction',
  'materialProvenance',
  'materialsProvenance',
  'performanceClaim',
  'producedByParty',
  'relatedParty',
  'characteristics',
]

/**
 * A credential as SD-JWT VC (RFC 9901 and draft-ietf-oauth-sd-jwt-vc) with all its disclosures, ending with `~`. No key
 * is bound (`cnf`): a passport has no holder. Every characteristic is a disclosure of its own, so that restricted ones
 * can be left out one by one.
 * @param credential with `validFrom` and a `credentialStatus`, whose index counts in both lists
 * @param list number of the status lists of the issuer in which its place is
 * @param baseUrl of the gateway, where the type metadata is
 */
export async function signSdJwtVc(
  credential: Credential,
  { issuer, list, baseUrl }: { readonly issuer: Issuer; readonly list: number; readonly baseUrl: string },
): Promise<string> {
  library ??= import('@sd-jwt/sd-jwt-vc')
  const { SDJwtVcInstance } = await library
  const instance = new SDJwtVcInstance({
    signer: async (data) => Buffer.from(await issuer.sign(Buffer.from(data))).toString('base64url'),
    signAlg: 'ES256',
    hasher: (data) => hash('sha256', asBytes(data), 'buffer'),
    hashAlg: 'sha-256',
    saltGenerator: saltSource(),
  })
  const { validFrom, validUntil, credentialStatus } = credential as unknown as Dated
  const payload = {
    iss: issuer.url,
    vct: credentialTypeUrl(baseUrl),
    iat: seconds(validFrom),
    ...(validUntil === undefined ? {} : { exp: seconds(validUntil) }),
    status: {
      status_list: { idx: Number(credentialStatus.statusListIndex), uri: tokenStatusListUrl(issuer.url, list) },
    },
    ...credential,
  }
  const frame = { credentialSubject: frameOf(credential.credentialSubject as JsonRecord) }
  return instance.issue(payload, frame as never, {
    header: {
      typ: 'dc+sd-jwt',
      kid: issuer.verificationMethod,
      ...(issuer.x5c === undefined ? {} : { x5c: issuer.x5c }),
    },
  })
}

// On first use: a gateway whose passports nobody asks for in this form need not hold the library. To ask the loader each
// time costs 70 µs.
let library: Promise<typeof import('@sd-jwt/sd-jwt-vc')> | undefined

/** RFC 9901, section 9.3: 128 bits of randomness. */
const SALT_BYTES = 16

/** Salts for one token, some drawn at a time: random bytes cost the same for one of them and for thirty. */
function saltSource(): () => string {
  let drawn = Buffer.alloc(0)
  return () => {
    if (drawn.length === 0) drawn = randomBytes(32 * SALT_BYTES)
    const salt = drawn.subarray(0, SALT_BYTES).toString('base64url')
    drawn = drawn.subarray(SALT_BYTES)
    return salt
  }
}

interface Dated {
  readonly validFrom: string
  readonly validUntil?: string
  readonly credentialStatus: { readonly statusListIndex: number | string }
}

function frameOf(subject: JsonRecord): object {
  const frame: Record<string, unknown> = { _sd: DISCLOSED.filter((key) => subject[key] !== undefined) }
  // In UNTP 0.6.1 the product is inside the subject.
  if (isRecord(subject.product)) frame.product = frameOf(subject.product)
  if (isRecord(subject.characteristics)) {
    frame.characteristics = { _sd: Object.keys(subject.characteristics).filter((key) => key !== 'type') }
  }
  return frame
}

const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)

const asBytes = (data: string | ArrayBuffer) => (typeof data === 'string' ? data : new Uint8Array(data))
