import { Enumerated, Integer, OctetString } from 'asn1js'
import {
  AuthorityKeyIdentifier,
  Certificate,
  CertificateRevocationList,
  Extensions,
  id_AuthorityKeyIdentifier,
  id_CRLNumber,
  id_CRLReason,
  RevokedCertificate,
} from 'pkijs'
import { exactly, extension, identifierOf, signed, timeOf } from './certificate.ts'
import { REVOCATION_REASONS } from './revocation-reasons.ts'

export interface RevokedEntry {
  /** Hexadecimal. */
  readonly serial: string
  readonly revokedAt: Date
  readonly reason: string
}

interface RevocationListContent {
  /** CA certificate, DER. */
  readonly issuer: Uint8Array
  /** Increases with each list (RFC 5280 §5.2.3). */
  readonly number: bigint
  readonly thisUpdate: Date
  readonly nextUpdate: Date
  readonly revoked: readonly RevokedEntry[]
}

/**
 * Issues a version 2 CRL (RFC 5280 §5) as DER.
 * @param sign ES256 as r‖s
 */
export async function issueRevocationList(
  { issuer, number, thisUpdate, nextUpdate, revoked }: RevocationListContent,
  sign: (data: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  const authority = Certificate.fromBER(exactly(issuer))
  const authorityKey = new Uint8Array(authority.subjectPublicKeyInfo.toSchema().toBER())
  const list = new RevocationList()
  list.version = 1
  list.issuer = authority.subject
  list.thisUpdate = timeOf(thisUpdate)
  list.nextUpdate = timeOf(nextUpdate)
  // RFC 5280 §5.1.2.6: an empty list must be absent.
  if (revoked.length > 0) list.revokedCertificates = revoked.map(entryOf)
  list.crlExtensions = new Extensions({
    extensions: [
      extension(
        id_AuthorityKeyIdentifier,
        false,
        new AuthorityKeyIdentifier({
          keyIdentifier: new OctetString({ valueHex: identifierOf(authorityKey) }),
        }).toSchema(),
      ),
      extension(id_CRLNumber, false, Integer.fromBigInt(number)),
    ],
  })
  return signed(list, sign)
}

class RevocationList extends CertificateRevocationList {
  override encodeTBS() {
    return super.encodeTBS()
  }
}

function entryOf({ serial, revokedAt, reason }: RevokedEntry): RevokedCertificate {
  const code = REVOCATION_REASONS[reason] ?? 0
  return new RevokedCertificate({
    userCertificate: new Integer({ valueHex: exactly(Buffer.from(serial, 'hex')) }),
    revocationDate: timeOf(revokedAt),
    ...(code === 0
      ? {}
      : {
          crlEntryExtensions: new Extensions({
            extensions: [extension(id_CRLReason, false, new Enumerated({ value: code }))],
          }),
        }),
  })
}
