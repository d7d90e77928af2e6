import { hash, randomBytes } from 'node:crypto'
import {
  type Credential,
  credentialTypeUrl,
  type Issuer,
  isRecord,
  type JsonRecord,
  tokenStatusListUrl,
} from '../../../src/plugin/index.ts'

/** Selectively disclosable members; identity and status are always disclosed. */
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
 * Signs a credential as SD-JWT VC (RFC 9901, draft-ietf-oauth-sd-jwt-vc) with all disclosures, ending with `~`. No key binding (`cnf`):
 * passports have no holder. Each characteristic has a separate disclosure.
 * @param credential with `validFrom` and a `credentialStatus` whose index applies to both lists
 * @param list number of the issuer's status lists
 * @param baseUrl of the gateway, which serves the type metadata
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

// Loaded on first use and memoized: asking the module loader costs 70 µs per call.
let library: Promise<typeof import('@sd-jwt/sd-jwt-vc')> | undefined

/** RFC 9901, section 9.3: 128 bits. */
const SALT_BYTES = 16

/** Draws salts in blocks: random bytes cost the same for one salt and for thirty. */
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
  // UNTP 0.6.1 nests the product in the subject.
  if (isRecord(subject.product)) frame.product = frameOf(subject.product)
  if (isRecord(subject.characteristics)) {
    frame.characteristics = { _sd: Object.keys(subject.characteristics).filter((key) => key !== 'type') }
  }
  return frame
}

const seconds = (time: string) => Math.floor(Date.parse(time) / 1000)

const asBytes = (data: string | ArrayBuffer) => (typeof data === 'string' ? data : new Uint8Array(data))
