import {
  createPrivateKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  type webcrypto,
  X509Certificate,
} from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type BaseBlock, Integer, ObjectIdentifier, OctetString, Sequence, UTCTime } from 'asn1js'
import {
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  PKIStatusInfo,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs'
import { exactly, issueCertificate, positive } from '../../../src/plugin/certificates.ts'
import {
  loadOrCreateSecret,
  SIGNING_CERTIFICATE,
  SIGNING_CERTIFICATE_V2,
  TIME_STAMPING,
  yearsAfter,
} from '../../../src/plugin/module.ts'

const MAX_QUERY_BYTES = 1024
const YEARS = 10
const BACKDATED_MS = 5 * 60_000
/** Required by RFC 3161; 1.3.6.1.4.1.32473 is reserved for examples (RFC 5612). */
const POLICY = '1.3.6.1.4.1.32473.1'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_TIME = '1.2.840.113549.1.9.5'

interface Authority {
  readonly key: webcrypto.CryptoKey
  readonly certificate: Certificate
  /** Trust anchor (PEM); its private key was discarded. */
  readonly ca: string
}

/**
 * Starts a demo timestamp authority (RFC 3161) on loopback with the local clock: not trustworthy. Stores key and trust anchor
 * (`demo-tsa-ca.pem`) in `DATA_DIR`.
 */
export async function startDemoTimestamps(dataDir: string): Promise<{ tsaUrl: string; tsaCa: string }> {
  const authority = readAuthority(await loadOrCreateSecret(dataDir, 'demo-tsa.pem', () => makeAuthority(new Date())))
  await writeFile(join(dataDir, 'demo-tsa-ca.pem'), authority.ca)
  const server = createServer((req, res) => {
    bodyOf(req)
      .then((query) => answer(query, authority))
      .then(
        (reply) => res.writeHead(200, { 'Content-Type': 'application/timestamp-reply' }).end(reply),
        () => res.writeHead(400).end(),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { tsaUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, tsaCa: authority.ca }
}

async function bodyOf(req: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of req) {
    bytes += chunk.length
    if (bytes > MAX_QUERY_BYTES) throw new Error('Invalid timestamp query.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function makeAuthority(now: Date): Promise<string> {
  const times = { notBefore: new Date(now.getTime() - BACKDATED_MS), notAfter: yearsAfter(now, YEARS) }
  const [ca, signer] = [newKeys(), newKeys()]
  const signed = (data: Uint8Array) => Promise.resolve(sign('sha256', data, { key: ca.privateKey, dsaEncoding: P1363 }))
  const common = { ...times, alternativeNames: [] }
  const anchor = await issueCertificate(
    {
      ...common,
      subject: { commonName: 'Demo timestamp CA, not trusted' },
      subjectKey: spki(ca.publicKey),
      serial: randomBytes(16),
      isCa: true,
    },
    signed,
  )
  const certificate = await issueCertificate(
    {
      ...common,
      subject: { commonName: 'Demo timestamps, not trusted' },
      subjectKey: spki(signer.publicKey),
      issuer: anchor,
      serial: randomBytes(16),
      isCa: false,
      purpose: TIME_STAMPING,
    },
    signed,
  )
  const key = signer.privateKey.export({ type: 'pkcs8', format: 'pem' })
  return [key, new X509Certificate(certificate), new X509Certificate(anchor)].join('')
}

const P1363 = 'ieee-p1363'
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

function readAuthority(pem: string): Authority {
  const [key = '', certificate = '', ca = ''] = pem.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g) ?? []
  return {
    key: createPrivateKey(key).toCryptoKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign']),
    certificate: Certificate.fromBER(exactly(new X509Certificate(certificate).raw)),
    ca,
  }
}

/** Creates a granted TimeStampResp (RFC 3161 §2.4.2). Throws for an invalid query. */
async function answer(query: Buffer, authority: Authority): Promise<Buffer> {
  const { messageImprint, nonce } = TimeStampReq.fromBER(exactly(query))
  const now = new Date()
  // A DER fraction may not end in zero (X.690 §11.7).
  now.setUTCMilliseconds(0)
  const info = new TSTInfo({
    version: 1,
    policy: POLICY,
    messageImprint,
    serialNumber: new Integer({ valueHex: positive(randomBytes(16)) }),
    genTime: now,
    ...(nonce === undefined ? {} : { nonce }),
  })
  const timeStampToken = await tokenOf(new Uint8Array(info.toSchema().toBER()), now, authority)
  const reply = new TimeStampResp({ status: new PKIStatusInfo({ status: 0 }), timeStampToken })
  return Buffer.from(reply.toSchema().toBER())
}

/** Creates the token (RFC 5652) with the certificate identifiers of RFC 3161 and RFC 5816. */
async function tokenOf(content: Uint8Array, now: Date, { key, certificate }: Authority): Promise<ContentInfo> {
  const raw = new Uint8Array(certificate.toSchema().toBER())
  // Old verifiers support only SHA-1 (RFC 5816 §2.2.1).
  const named = (digest: Buffer) => nested([nested([nested([new OctetString({ valueHex: exactly(digest) })])])])
  const attributes = [
    new Attribute({ type: CONTENT_TYPE, values: [new ObjectIdentifier({ value: id_eContentType_TSTInfo })] }),
    new Attribute({ type: SIGNING_TIME, values: [new UTCTime({ valueDate: now })] }),
    new Attribute({
      type: MESSAGE_DIGEST,
      values: [new OctetString({ valueHex: exactly(hash('sha256', content, 'buffer')) })],
    }),
    new Attribute({ type: SIGNING_CERTIFICATE, values: [named(hash('sha1', raw, 'buffer'))] }),
    new Attribute({ type: SIGNING_CERTIFICATE_V2, values: [named(hash('sha256', raw, 'buffer'))] }),
  ]
  const encapContentInfo = new EncapsulatedContentInfo({ eContentType: id_eContentType_TSTInfo })
  // The constructor would split it, which is BER.
  encapContentInfo.eContent = new OctetString({ valueHex: exactly(content) })
  const signed = new SignedData({
    version: 3,
    encapContentInfo,
    certificates: [certificate],
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({ issuer: certificate.issuer, serialNumber: certificate.serialNumber }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes: inOrder(attributes) }),
      }),
    ],
  })
  await signed.sign(key, 0, 'SHA-256')
  return new ContentInfo({ contentType: id_ContentType_SignedData, content: signed.toSchema(true) })
}

const nested = (value: BaseBlock[]) => new Sequence({ value })

/** X.690 §11.6. */
const inOrder = (attributes: readonly Attribute[]): Attribute[] => {
  const bytes = (attribute: Attribute) => Buffer.from(attribute.toSchema().toBER())
  return attributes.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right)))
}
