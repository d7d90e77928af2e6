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
import { exactly, issueCertificate, positive } from './domain/certificate.ts'
import { yearsAfter } from './domain/transitions.ts'
import { keptSecret } from './master-key.ts'
import { SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2, TIME_STAMPING } from './verify/timestamp.ts'

/** A query has some 80 bytes. */
const MAX_QUERY_BYTES = 1024
const YEARS = 10
const BACKDATED_MS = 5 * 60_000
/** RFC 3161 asks for a policy: this one is below 1.3.6.1.4.1.32473, which RFC 5612 sets aside for examples. */
const POLICY = '1.3.6.1.4.1.32473.1'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SIGNING_TIME = '1.2.840.113549.1.9.5'

/** Whoever signs timestamps. */
interface Authority {
  readonly key: webcrypto.CryptoKey
  readonly certificate: Certificate
  /** Trust anchor, PEM. Its private key was thrown away. */
  readonly ca: string
}

/**
 * A timestamp authority (RFC 3161) for the demo, so that its seals have all that seals have. It vouches for nothing: the
 * clock is that of this machine. It listens on this machine alone, at a port that the system chooses, for as long as the
 * process runs; its trust anchor is in `DATA_DIR/demo-tsa-ca.pem`, and its key beside it.
 * @returns what stands in `TSA_URL`, and in the file of `TSA_CA`, where there is a real one
 */
export async function startDemoTimestamps(dataDir: string): Promise<{ tsaUrl: string; tsaCa: string }> {
  const authority = readAuthority(await keptSecret(dataDir, 'demo-tsa.pem', () => makeAuthority(new Date())))
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
    if (bytes > MAX_QUERY_BYTES) throw new Error('This is no timestamp query.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Key, certificate and trust anchor, as PEM one after the other. */
async function makeAuthority(now: Date): Promise<string> {
  const times = { notBefore: new Date(now.getTime() - BACKDATED_MS), notAfter: yearsAfter(now, YEARS) }
  const [ca, signer] = [newKeys(), newKeys()]
  const signed = (data: Uint8Array) => Promise.resolve(sign('sha256', data, { key: ca.privateKey, dsaEncoding: P1363 }))
  const common = { ...times, alternativeNames: [] }
  const anchor = await issueCertificate(
    {
      ...common,
      subject: { commonName: 'Demo timestamp CA, which vouches for nothing' },
      subjectKey: spki(ca.publicKey),
      serial: randomBytes(16),
      isCa: true,
    },
    signed,
  )
  const certificate = await issueCertificate(
    {
      ...common,
      subject: { commonName: 'Demo timestamps, which vouch for nothing' },
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

/** TimeStampResp (RFC 3161 §2.4.2), with status granted. Throws where the query is none. */
async function answer(query: Buffer, authority: Authority): Promise<Buffer> {
  const { messageImprint, nonce } = TimeStampReq.fromBER(exactly(query))
  const now = new Date()
  // In whole seconds: a fraction of a DER time may not end in a zero (X.690 §11.7).
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

/** The content as signed data (RFC 5652), with the names of the signer's certificate that RFC 3161 and RFC 5816 ask for. */
async function tokenOf(content: Uint8Array, now: Date, { key, certificate }: Authority): Promise<ContentInfo> {
  const raw = new Uint8Array(certificate.toSchema().toBER())
  // Old verifiers know the name by SHA-1 alone (RFC 5816 §2.2.1).
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
  // Given to the constructor it would be cut into pieces, which is BER.
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

/** As DER has sets (X.690 §11.6). */
const inOrder = (attributes: readonly Attribute[]): Attribute[] => {
  const bytes = (attribute: Attribute) => Buffer.from(attribute.toSchema().toBER())
  return attributes.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right)))
}
