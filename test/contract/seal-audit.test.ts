// Also runs without modules (vitest project `core`).
import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { sealTree } from '../../src/domain/merkle.ts'
import { derFromP1363 } from '../../src/domain/seal.ts'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { BASE_URL, createWorkspace, startTestGateway, type TestWorkspace } from '../support/gateway.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { hasOpenssl, startTimestampAuthority } from '../support/timestamp-authority.ts'
import { useGateway } from '../support/use-gateway.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows.
type Document = any

const authority = hasOpenssl ? await startTimestampAuthority() : undefined
const { gateway, workspace } = await useGateway(
  authority === undefined ? {} : { TSA_URL: authority.url, TSA_CA: authority.caFile },
)
const stranger = await createWorkspace(gateway)
/** The owner's view, sealed, with certificate and, if openssl is installed, timestamp. */
const sealed = await sealedPassport(workspace)
/** Other passports of this and another workspace. */
const neighbour = await sealedPassport(workspace)
const foreign = await sealedPassport(stranger)
const sealCa = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
afterAll(() => authority?.close())

async function sealedPassport(of: TestWorkspace, json: object = {}): Promise<Document> {
  const client = passportClient(gateway, of.as)
  const { id } = await client.given({
    metadata: battery({ productName: 'Cell', quantities: [1, 2.5, { b: 1 }] }),
    ...json,
  })
  expectStatus(200, await client.seal(id))
  return (await client.get(id)).body
}
const send = (json: object) => gateway.request('POST', '/api/v1/audit/verify', { json })
const verify = async (payload: Document, more: object = {}) => expectStatus(200, await send({ payload, ...more })).body
const copy = (document: Document = sealed): Document => structuredClone(document)
const flipBase64 = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64')
  bytes[at] = (bytes[at] as number) ^ 1
  return bytes.toString('base64')
}

describe('a seal that was made here', () => {
  test('is verified, with every check', async () => {
    const body = await verify(sealed)
    expect(body).toMatchObject({ success: true, verified: true, verdict: 'valid', message: expect.any(String) })
    expect(body.checks.map(({ name, ok }: Document) => `${name} ${ok}`)).toEqual([
      'form true',
      'subject true',
      'content true',
      'signature true',
      'certificate true',
      'revocation true',
      `timestamp ${authority === undefined ? 'null' : 'true'}`,
      'key true',
      'issuer true',
      'register true',
    ])
    expect(body.certificate).toMatchObject({
      subject: expect.stringMatching(/^C=DE, O=Legal Name \d+ GmbH, CN=Legal Name \d+ GmbH$/),
      chainValid: true,
      keyMatchesProof: true,
    })
    if (authority !== undefined) {
      expect(body.timestamp).toMatchObject({
        present: true,
        genTime: sealed.proof.rfc3161.genTime,
        timeAuthenticated: true,
      })
    }
  })

  test('is verified with signature and key next to the document, with any line ends', async () => {
    const { proof } = sealed
    const bare = { ...sealed, proof: { ...proof, signatureValue: undefined, publicKeyPem: undefined } }
    const publicKey = `\r\n${proof.publicKeyPem.replaceAll('\n', '\r\n')}\r\n`
    expect((await verify(bare, { signature: `${proof.signatureValue}\n`, publicKey })).verified).toBe(true)
    expect((await send({ payload: bare, signature: proof.signatureValue })).status).toBe(400)
    expect((await verify(sealed, { signature: proof.signatureValue, publicKey })).verified).toBe(true)
  })

  test('is verified without what may be absent', async () => {
    const { '@type': type, id, productId, economicOperator, metadata, proof } = copy()
    delete proof.rfc3161
    const body = await verify({ '@type': type, id, productId, economicOperator, metadata, proof })
    expect(body).toMatchObject({ verified: true, verdict: 'valid' })
    expect(body).not.toHaveProperty('timestamp')
  })

  test.each(['@type', 'id', 'productId', 'economicOperator', 'metadata'])(
    'is not verified without %s',
    async (name) => {
      const document = copy()
      delete document[name]
      expect(await verify(document)).toMatchObject({ verified: false, verdict: 'not valid' })
    },
  )

  test('is not verified without its certificate', async () => {
    const document = copy()
    delete document.proof.x5c
    const body = await verify(document)
    expect(body).toMatchObject({ verified: false, verdict: 'not valid' })
    expect(body.message).toMatch(/^The proof has no certificate/)
    expect(body).not.toHaveProperty('certificate')
  })

  test('is verified after a rotation, a recall, and a later seal', async () => {
    const owner = await createWorkspace(gateway)
    const first = await sealedPassport(owner)
    const client = passportClient(gateway, owner.as)
    await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: owner.as })
    expect((await verify(first)).verified).toBe(true)
    await client.setStatus(first.id, 'RECALLED')
    expectStatus(200, await client.seal(first.id))
    const second = (await client.get(first.id)).body
    expect(second.signingPublicKey).not.toBe(first.signingPublicKey)
    expect((await verify(second)).verified).toBe(true)
    const old = await verify(first)
    expect(old.verified).toBe(true)
    expect(old.checks.find(({ name }: Document) => name === 'key').detail).toMatch(/A later seal replaced/)
  })

  test('is verified for a bound operator of another workspace', async () => {
    const bound = await createWorkspace(gateway)
    await gateway.container.cradle.workspaces.bindOperator(stranger.operatorId, bound.id)
    const document = await sealedPassport(bound, { operatorId: stranger.operatorId })
    expect(document.economicOperator.id).toBe(stranger.operatorId)
    expect((await verify(document)).verified).toBe(true)
  })
})

describe('unevaluated content', () => {
  test('trap 101: a redacted document, although its leaf hashes are right', async () => {
    const shown = (await gateway.request('GET', `/passport/${sealed.id}`)).body
    expect((await verifySealedPassport(JSON.stringify(shown), { sealCa })).valid).toBe(true)
    const body = await verify(shown)
    expect([body.verified, body.verdict]).toEqual([false, 'valid'])
    expect(body.message).toMatch(/is valid for the shown values\. .* are masked/)
  })

  test('values without salts: else masked values could be tried until one verifies', async () => {
    const document = copy()
    delete document.proof.salts.facilityDetails
    expect((await verify(document)).verified).toBe(false)
    delete document.proof.salts
    expect((await verify(document)).verified).toBe(false)
  })

  test('a seal by an unknown key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const document = copy()
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    const p1363 = sign('sha256', Buffer.from(document.proof.merkleRoot), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    const signature = derFromP1363(p1363).toString('base64')
    delete document.proof.x5c
    delete document.proof.rfc3161
    Object.assign(document, { digitalSeal: signature, signingPublicKey: pem })
    Object.assign(document.proof, { signatureValue: signature, publicKeyPem: pem })
    // It is consistent in itself; only knowledge of the key reveals it.
    expect((await verifySealedPassport(JSON.stringify(document))).verdict).toBe('undecided')
    expect((await verifySealedPassport(JSON.stringify(document), { sealCa })).verdict).toBe('not valid')
    const body = await verify(document)
    expect(body).toMatchObject({ verified: false, message: 'No workspace of this gateway has or had this key.' })
    expect(body).not.toHaveProperty('certificate')
  })

  test('content that the workspace has signed elsewhere: the seal store does not have it', async () => {
    const { metadata } = sealed
    const { subject } = sealed.proof
    const tree = sealTree({ ...metadata, productName: 'Another' }, subject, randomBytes)
    const [key] = await gateway.sqlAs<{ signer_key: string }>(
      workspace.id,
      'select signer_key from tenant_key where retired_at is null and tenant_id = app_tenant()',
    )
    const { signer } = gateway.container.cradle
    const p1363 = await signer.sign(key?.signer_key ?? '', Buffer.from(tree.root))
    const signature = derFromP1363(p1363).toString('base64')
    const document = copy()
    document.metadata.productName = document.productName = 'Another'
    document.digitalSeal = signature
    document.proof.salts = Object.fromEntries(Object.entries(tree.leaves).map(([name, { salt }]) => [name, salt]))
    Object.assign(document.proof, { merkleRoot: tree.root, signatureValue: signature })
    delete document.proof.rfc3161
    expect((await verifySealedPassport(JSON.stringify(document), { sealCa })).valid).toBe(true)
    expect(await verify(document)).toMatchObject({
      verified: false,
      message: 'The key belongs to this gateway, but did not make this seal.',
    })
  })
})

/** r‖s as DER, by openssl's encoder in Node. */
function derOf(p1363: Uint8Array): string {
  const integer = (bytes: Uint8Array) => {
    const digits = Buffer.from(bytes)
    let start = 0
    while (start < 31 && digits[start] === 0) start += 1
    const body = digits.subarray(start)
    const padded = (body[0] as number) >= 0x80 ? Buffer.concat([Buffer.from([0]), body]) : body
    return Buffer.concat([Buffer.from([2, padded.length]), padded])
  }
  const content = Buffer.concat([integer(p1363.subarray(0, 32)), integer(p1363.subarray(32))])
  return Buffer.concat([Buffer.from([0x30, content.length]), content]).toString('base64')
}

/** The signature with n − s in place of s, which ECDSA also accepts. */
function otherS(signature: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const der = Buffer.from(signature, 'base64')
  const rLength = der[3] as number
  const r = der.subarray(4, 4 + rLength)
  const s = BigInt(`0x${der.subarray(6 + rLength).toString('hex')}`)
  const fixed = (bytes: Buffer) => Buffer.concat([Buffer.alloc(32), bytes]).subarray(-32)
  const flipped = Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')
  return derOf(Buffer.concat([fixed(r), flipped]))
}

/** Every detectable change of a sealed document, and the expected response. */
const MUTATIONS: Record<string, [change: (document: Document) => void, message: RegExp]> = {
  'a value': [(d) => change(d, 'originCountry', 'FR'), /do not give proof.merkleRoot/],
  'a value in metadata alone': [(d) => (d.metadata.originCountry = 'FR'), /do not give proof.merkleRoot/],
  'a repeated value alone': [(d) => (d.originCountry = 'FR'), /originCountry differs from metadata/],
  'the name of a product': [(d) => change(d, 'productName', 'Cell '), /do not give/],
  'a number deep inside': [(d) => (d.metadata.quantities[2].b = 2), /do not give/],
  'a number by the smallest step': [(d) => (d.metadata.quantities[1] = 2.5000000000000004), /do not give/],
  'a number as text': [(d) => (d.metadata.quantities[0] = '1'), /do not give/],
  'the order of a list': [(d) => d.metadata.quantities.reverse(), /do not give/],
  'a value that only the owner sees': [(d) => (d.metadata.facilityDetails[0].location = 'Bonn'), /do not give/],
  'null for a value': [(d) => change(d, 'productName', null), /do not give/],
  'a further key': [(d) => change(d, 'recycled', true), /"recycled" has no salt/],
  'a further key at the top': [(d) => (d.recycled = true), /recycled is not part of the sealed content/],
  'a key that is missing': [(d) => remove(d, 'productName'), /1 salts or hashes of missing values/],
  'a key that is missing with its salt': [
    (d) => {
      remove(d, 'productName')
      delete d.proof.salts.productName
    },
    /was sealed as one of 10 entries; this document has 9/,
  ],
  'another name of a key': [
    (d) => {
      change(d, 'productNames', d.productName)
      d.proof.salts.productNames = d.proof.salts.productName
      remove(d, 'productName')
      delete d.proof.salts.productName
    },
    /do not give|was sealed at position/,
  ],
  'two values exchanged': [
    (d) => {
      const { productName, originCountry } = d.metadata
      change(d, 'productName', originCountry)
      change(d, 'originCountry', productName)
    },
    /do not give/,
  ],
  'two values and their salts exchanged': [
    (d) => {
      const { productName, originCountry } = d.metadata
      change(d, 'productName', originCountry)
      change(d, 'originCountry', productName)
      const { salts } = d.proof
      ;[salts.productName, salts.originCountry] = [salts.originCountry, salts.productName]
    },
    /was sealed at position/,
  ],
  'a placeholder for a value': [
    (d) => change(d, 'productName', REDACTED),
    /is the placeholder of a masked value, but has a salt/,
  ],
  'a placeholder with the true hash of its leaf': [
    (d) => {
      const text = JSON.stringify(['productName', 'Cell'])
      const salt = Buffer.from(d.proof.salts.productName, 'base64url')
      const leaf = createHash('sha256')
        .update(Buffer.from([0]))
        .update(salt)
        .update(text)
        .digest('hex')
      change(d, 'productName', REDACTED)
      delete d.proof.salts.productName
      d.proof.redactedLeaves = { productName: leaf }
    },
    /redactedLeaves.productName belongs to a value that must not be masked/,
  ],
  'metadata that is a list': [(d) => (d.metadata = [d.metadata]), /metadata is not an object/],
  'no metadata': [(d) => delete d.metadata, /metadata is not an object/],
  'another kind of proof': [(d) => (d.proof.type = 'DataIntegrityProof'), /proof.type is not/],
  'another @type of the proof': [(d) => (d.proof['@type'] = ['Proof']), /proof.@type is not/],
  'another algorithm': [(d) => (d.proof.signatureAlgorithm = 'none'), /proof.signatureAlgorithm is not/],
  'another purpose': [(d) => (d.proof.proofPurpose = 'authentication'), /proof.proofPurpose is not/],
  'another time': [
    (d) => (d.proof.created = '2026-01-01T00:00:00.000Z'),
    /proof.created differs from the sealed value/,
  ],
  'a time that is none': [(d) => (d.proof.created = 'yesterday'), /proof.created is missing or malformed/],
  'another verification method': [
    (d) => (d.proof.verificationMethod = `https://evil.example/passport/${d.id}#key-1`),
    /@id does not belong to the sealed product/,
  ],
  'another root': [(d) => (d.proof.merkleRoot = 'a'.repeat(64)), /do not give/],
  'the root in capitals': [(d) => (d.proof.merkleRoot = d.proof.merkleRoot.toUpperCase()), /proof.merkleRoot is/],
  'no root': [(d) => delete d.proof.merkleRoot, /proof.merkleRoot is missing/],
  'another salt': [
    (d) => (d.proof.salts.productName = `${d.proof.salts.productName.slice(0, 8)}AAAAAAAAAAAAAA`),
    /do not give/,
  ],
  'a salt with padding': [(d) => (d.proof.salts.productName += '=='), /"productName" has no salt/],
  'a salt with superfluous bits': [
    (d) => {
      const { salts } = d.proof
      // 22 characters encode 132 bits; the last four are unused.
      const last = salts.productName.at(-1)
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      salts.productName = salts.productName.slice(0, -1) + alphabet[alphabet.indexOf(last) + 1]
    },
    /"productName" has no salt/,
  ],
  'a salt of a key that is not there': [
    (d) => (d.proof.salts.nothing = d.proof.salts.category),
    /1 salts or hashes of missing values/,
  ],
  'a leaf hash for a value that is shown': [
    (d) => (d.proof.redactedLeaves = { productName: 'a'.repeat(64) }),
    /redactedLeaves.productName belongs to a value that must not be masked/,
  ],
  'a bit of r': [
    (d) => sealWith(d, flipBase64(d.digitalSeal, 10)),
    /did not sign proof.merkleRoot|did not make this seal/,
  ],
  'a bit of s': [
    (d) => sealWith(d, flipBase64(d.digitalSeal, 60)),
    /did not sign proof.merkleRoot|did not make this seal/,
  ],
  'n − s for s': [(d) => sealWith(d, otherS(d.digitalSeal)), /did not sign proof.merkleRoot/],
  'r‖s for DER': [(d) => sealWith(d, Buffer.alloc(64, 7).toString('base64')), /did not sign proof.merkleRoot/],
  'bytes behind the signature': [
    (d) => sealWith(d, Buffer.concat([Buffer.from(d.digitalSeal, 'base64'), Buffer.from([0])]).toString('base64')),
    /did not sign proof.merkleRoot/,
  ],
  'base64url for Base64': [
    (d) => sealWith(d, `${Buffer.from(d.digitalSeal, 'base64').toString('base64url')}_`),
    /signatureValue is not Base64|signatureValue has more/,
  ],
  'the signature of another passport': [(d) => sealWith(d, neighbour.digitalSeal), /did not sign proof.merkleRoot/],
  'digitalSeal alone': [(d) => (d.digitalSeal = neighbour.digitalSeal), /digitalSeal is not/],
  'signingPublicKey alone': [(d) => (d.signingPublicKey = foreign.signingPublicKey), /signingPublicKey is not/],
  'the key of another workspace': [
    (d) => {
      d.signingPublicKey = d.proof.publicKeyPem = foreign.signingPublicKey
    },
    /did not sign proof.merkleRoot/,
  ],
  'text behind the key': [
    (d) => {
      d.signingPublicKey = d.proof.publicKeyPem = `${d.signingPublicKey}\n${foreign.signingPublicKey}`
    },
    /No workspace of this gateway has or had this key/,
  ],
  'text before the key': [
    (d) => {
      d.signingPublicKey = d.proof.publicKeyPem = `of Acme\n${d.signingPublicKey}`
    },
    /No workspace of this gateway has or had this key/,
  ],
  'the passport': [(d) => (d.id = neighbour.id), /^id differs from the sealed value/],
  'the product': [(d) => (d.productId = neighbour.productId), /productId differs from the sealed value/],
  'the address': [(d) => (d['@id'] = 'https://evil.example/01/09506000134352'), /@id does not belong to/],
  'the digital link': [(d) => (d.digitalLinkUri = neighbour.digitalLinkUri), /digitalLinkUri does not belong to/],
  'the kind of document': [(d) => (d['@type'] = 'BatteryUnit'), /@type is not "DigitalProductPassport"/],
  'the operator': [
    (d) => (d.economicOperator = foreign.economicOperator),
    /economicOperator.id differs from the sealed value/,
  ],
  'the id of the operator': [
    (d) => (d.economicOperator.id = foreign.economicOperator.id),
    /economicOperator.id differs from the sealed value/,
  ],
  'the number of the operator': [
    (d) => (d.economicOperator.regId = 'DE1'),
    /economicOperator.regId differs from the sealed value/,
  ],
  'the whole proof of another passport': [
    (d) => {
      d.proof = neighbour.proof
      d.digitalSeal = neighbour.digitalSeal
    },
    /was sealed|do not give|differs from the sealed value|does not belong|verificationMethod/,
  ],
  '@graph': [(d) => (d['@graph'] = []), /@graph is not allowed/],
  'another context': [(d) => (d['@context'][0] = 'https://evil.example/context/v1'), /@context is not the context of/],
  'another meaning of a term': [
    (d) => (d['@context'][1].productName = 'https://evil.example/x'),
    /@context is not the context of/,
  ],
  'a context of its own inside': [
    (d) => (d.economicOperator['@context'] = 'https://evil.example'),
    /economicOperator has the unknown member @context/,
  ],
  'the name of the operator': [
    (d) => (d.economicOperator.name = 'Counterfeit Ltd'),
    /economicOperator.name is not sealed and differs from the register/,
  ],
  'the role of the operator': [(d) => (d.economicOperator.role = 'IMPORTER'), /economicOperator.role is not sealed/],
  'a facility': [
    (d) =>
      (d.manufacturingFacility = { '@type': 'Facility', id: d.id, gln: '1', name: 'X', activity: null, country: 'DE' }),
    /manufacturingFacility.id is not sealed/,
  ],
  'all addresses': [
    (d) => {
      for (const at of ['@id', 'digitalLinkUri', 'uniqueProductIdentifier'])
        d[at] = d[at].replace(BASE_URL, 'https://evil.example')
      d.proof.verificationMethod = d.proof.verificationMethod.replace(BASE_URL, 'https://evil.example')
      d['@context'] = JSON.parse(JSON.stringify(d['@context']).replaceAll(BASE_URL, 'https://evil.example'))
    },
    /addresses in the document are not on this gateway/,
  ],
  'a member that the rule does not know': [(d) => (d.proof.note = 'recalled'), /proof has the unknown member note/],
  'the subject': [
    (d) => (d.proof.subject.productId = d.productId = neighbour.productId),
    /differs from the sealed value|does not belong to|do not give/,
  ],
  'no subject': [(d) => delete d.proof.subject, /proof.subject is missing/],
  'what may be masked': [(d) => d.proof.subject.maskable.push('productName'), /do not give/],
  'the certificate of another workspace': [(d) => (d.proof.x5c = foreign.proof.x5c), /certificate is for another key/],
  'the seal CA as certificate': [(d) => (d.proof.x5c = [derOfPem(sealCa)]), /certificate is for another key/],
  'certificates in the wrong order': [(d) => (d.proof.x5c = [derOfPem(sealCa), ...d.proof.x5c]), /for another key/],
  'a certificate that belongs to nothing': [
    (d) => d.proof.x5c.push(foreign.proof.x5c[0]),
    /does not belong to the chain/,
  ],
  'a bit of the certificate': [
    (d) => (d.proof.x5c = [flipBase64(d.proof.x5c[0], Buffer.from(d.proof.x5c[0], 'base64').length - 1)]),
    /not issued by the trusted seal CA/,
  ],
  'bytes behind the certificate': [
    (d) => (d.proof.x5c = [Buffer.concat([Buffer.from(d.proof.x5c[0], 'base64'), Buffer.alloc(1)]).toString('base64')]),
    /not an X.509 v3 certificate in DER/,
  ],
  'no certificates in x5c': [(d) => (d.proof.x5c = []), /x5c is not a list of 1 to 2/],
  'x5c that is no certificate': [(d) => (d.proof.x5c = ['AAAA']), /./],
}
const TIMESTAMP_MUTATIONS: typeof MUTATIONS = {
  'the time beside the token': [(d) => (d.proof.rfc3161.genTime = '2026-01-01T00:00:00.000Z'), /genTime is not/],
  'the token of another passport': [(d) => (d.proof.rfc3161 = neighbour.proof.rfc3161), /token is for other content/],
  'a bit of the token': [
    (d) => {
      const { token } = d.proof.rfc3161
      d.proof.rfc3161.token = flipBase64(token, Buffer.from(token, 'base64').length - 1)
    },
    /signature of the token does not verify/,
  ],
  'a token that is none': [(d) => (d.proof.rfc3161.token = 'AAAA'), /./],
  'no token': [(d) => delete d.proof.rfc3161.token, /rfc3161.token is missing/],
  'a list for the timestamp': [(d) => (d.proof.rfc3161 = []), /rfc3161 is not an object/],
}

function change(document: Document, key: string, value: unknown): void {
  document[key] = document.metadata[key] = value
}
function remove(document: Document, key: string): void {
  delete document[key]
  delete document.metadata[key]
}
function sealWith(document: Document, signature: string): void {
  document.digitalSeal = document.proof.signatureValue = signature
}
const derOfPem = (pem: string) => new X509Certificate(pem).raw.toString('base64')

describe('a changed document does not verify', () => {
  test('there are at least 40 ways', () => {
    expect(Object.keys({ ...MUTATIONS, ...TIMESTAMP_MUTATIONS }).length).toBeGreaterThanOrEqual(40)
  })

  const expectRefused = async ([apply, message]: [(document: Document) => void, RegExp]) => {
    const document = copy()
    apply(document)
    expect(document).not.toEqual(sealed)
    const body = await verify(document)
    expect(body.verified).toBe(false)
    const failures = body.checks.filter(({ ok }: Document) => ok === false)
    expect(failures.map(({ detail }: Document) => detail).join('\n')).toMatch(message)
    expect(body.message).toBe(failures[0].detail)
  }

  test.each(Object.keys(MUTATIONS))('%s', (name) => expectRefused(MUTATIONS[name] as never))
  test.skipIf(!hasOpenssl).each(Object.keys(TIMESTAMP_MUTATIONS))('%s', (name) =>
    expectRefused(TIMESTAMP_MUTATIONS[name] as never),
  )
})

describe('a request that cannot be evaluated', () => {
  test.each([
    ['no payload', {}],
    ['no proof', { payload: { metadata: {} } }],
    ['no key', { payload: { metadata: {}, proof: { signatureValue: 'AAAA' } } }],
    ['no signature', { payload: { metadata: {}, proof: { publicKeyPem: 'x' } } }],
    ['an empty signature', { payload: {}, signature: ' ', publicKey: 'x' }],
    ['a numeric signature', { payload: {}, publicKey: 'x', proof: { signatureValue: 5 } }],
  ])('%s answers 400 in the minimal envelope', async (_, json) => {
    const { status, body } = await send(json)
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      message: 'Missing cryptographic parameter: payload, signature, and publicKey are required',
    })
  })

  test('an invalid key, or one of another kind, has no owner', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
    for (const publicKey of ['x', rsa]) {
      expect((await verify({ metadata: {} }, { signature: 'AAAA', publicKey })).verified).toBe(false)
    }
  })

  test('a payload that is not an object is 400 with the place', async () => {
    const { status, body } = await send({ payload: 'x' })
    expect([status, body.message]).toEqual([400, expect.stringContaining('payload')])
  })

  test('malformed JSON answers 400 without success', async () => {
    const { status, body } = await gateway.request('POST', '/api/v1/audit/verify', { raw: '{' })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['error', 'message'])
  })

  test('nothing is stored', async () => {
    // Reads of earlier tests are flushed before the count, and their entries stay in the inbox.
    await gateway.container.cradle.protectedReadAudit.flush()
    await gateway.container.cradle.auditChaining.stop()
    const count = async () => {
      const tables = ['seal', 'tenant_key', 'passport', 'audit_inbox']
      const rows = await Promise.all(tables.map((table) => gateway.sqlAs(workspace.id, `select 1 from ${table}`)))
      return rows.map(({ length }) => length)
    }
    const before = await count()
    await verify(sealed)
    await verify(foreign)
    expect(await count()).toEqual(before)
  })
})

describe('foreign content is bounded before it is parsed', () => {
  /** An object identifier of one-byte arcs: costs a parser hundreds of bytes per byte. */
  const hostile = (bytes: number): string => {
    const head = Buffer.from([0x06, 0x83, bytes >> 16, (bytes >> 8) & 255, bytes & 255])
    return Buffer.concat([head, Buffer.alloc(bytes, 1)]).toString('base64')
  }
  const failureOf = async (change: (document: Document) => void) => {
    const document = copy()
    change(document)
    const { verified, verdict, checks } = await verify(document)
    expect([verified, verdict]).toEqual([false, 'not valid'])
    return checks.find(({ ok }: Document) => ok === false)
  }

  test.each([16_384, 163_840, 2_000_000])('a timestamp token of %i bytes', async (bytes) => {
    const failure = await failureOf((d) => (d.proof.rfc3161 = { genTime: null, token: hostile(bytes) }))
    expect(failure).toMatchObject({ name: 'form', detail: expect.stringMatching(/rfc3161.token has more than 16384/) })
  })

  test.each([8_192, 81_920, 2_000_000])('a certificate of %i bytes', async (bytes) => {
    const failure = await failureOf((d) => (d.proof.x5c = [hostile(bytes)]))
    expect(failure).toMatchObject({ name: 'form', detail: expect.stringMatching(/x5c\[0\] has more than 8192/) })
  })

  test('an unsigned certificate is not parsed further', async () => {
    const failure = await failureOf((d) => (d.proof.x5c = [hostile(8_000)]))
    expect(failure).toMatchObject({ name: 'certificate', detail: expect.stringMatching(/not an X.509 v3 certificate/) })
  })

  test('3,841 certificates', async () => {
    const failure = await failureOf((d) => (d.proof.x5c = Array(3_841).fill('MAA=')))
    expect(failure).toMatchObject({ name: 'form', detail: expect.stringMatching(/not a list of 1 to 2 certificates/) })
  })

  test('members of odd types', async () => {
    const odd = { toString: 1, valueOf: 1 }
    for (const name of ['id', 'productId', '@id', 'status', 'economicOperator', 'manufacturingFacility', '@context']) {
      expect(await failureOf((d) => (d[name] = odd)), name).toMatchObject({ ok: false })
    }
    for (const name of ['merkleRoot', 'created', 'signatureAlgorithm', 'verificationMethod', 'subject', 'salts']) {
      expect(await failureOf((d) => (d.proof[name] = odd)), name).toMatchObject({ ok: false })
    }
  })

  test('a document may repeat its metadata and be one object deeper than a body; its numbers must be exact', async () => {
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`k${index}`, index]))
    let deep: unknown = 1
    for (let level = 0; level < 62; level += 1) deep = [deep]
    const document = await sealedPassport(workspace, { metadata: battery({ wide, deep }) })
    expect(await verify(document)).toMatchObject({ verified: true })
    const raw = JSON.stringify({ payload: document }).replace('"k1":1,', '"k1":1.00000000000000000001,')
    const { status, body } = await gateway.request('POST', '/api/v1/audit/verify', { raw })
    expect([status, body.message]).toEqual([400, expect.stringMatching(/k1 is a number that would be rounded to 1;/)])
  })
})

describe('the seal CA', () => {
  test('is one certificate in PEM that may be kept for an hour', async () => {
    const { status, headers, text } = await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/x-pem-file',
      'public, max-age=3600',
    ])
    const certificate = new X509Certificate(text)
    expect(certificate.ca).toBe(true)
    expect(certificate.checkIssued(certificate)).toBe(true)
    expect(text).toBe(sealCa)
  })

  test('is one for all gateways of a database', async () => {
    const second = await startTestGateway({ DATABASE_URL: gateway.databaseUrl })
    try {
      expect((await second.request('GET', '/.well-known/opendpp-seal-ca.pem')).text).toBe(sealCa)
    } finally {
      await second.close()
    }
  })

  test.skipIf(!hasOpenssl)('openssl verifies what it has issued, and sees the printed members', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dpp-ca-'))
    try {
      const leaf = new X509Certificate(Buffer.from(sealed.proof.x5c[0], 'base64'))
      writeFileSync(join(folder, 'ca.pem'), sealCa)
      writeFileSync(join(folder, 'leaf.pem'), leaf.toString())
      const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' })
      expect(openssl('verify', '-x509_strict', '-CAfile', 'ca.pem', 'leaf.pem')).toBe('leaf.pem: OK\n')
      const text = openssl('x509', '-in', 'leaf.pem', '-noout', '-text', '-nameopt', 'RFC2253')
      expect(text).toMatch(/Subject: CN=Legal Name \d+ GmbH,O=Legal Name \d+ GmbH,C=DE/)
      expect(text).toMatch(/X509v3 Basic Constraints: critical\s+CA:FALSE/)
      expect(text).toMatch(/X509v3 Key Usage: critical\s+Digital Signature\n/)
      expect(text).toContain(`DNS:dpp.example.test, URI:${BASE_URL}/tenants/${workspace.id}`)
      const ca = openssl('x509', '-in', 'ca.pem', '-noout', '-text')
      expect(ca).toMatch(/X509v3 Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
      expect(ca).toMatch(/X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
      const years = (certificate: X509Certificate) =>
        Math.round((Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 31_556_952_000)
      expect([years(leaf), years(new X509Certificate(sealCa))]).toEqual([3, 10])
      expect(createPublicKey(sealed.signingPublicKey).equals(leaf.publicKey)).toBe(true)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  test('a key of an earlier version, and one whose certificate is about to end, get one when they seal', async () => {
    const owner = await createWorkspace(gateway)
    await gateway.sqlAs(owner.id, 'update tenant_key set certificate = null where tenant_id = app_tenant()')
    const [first, second] = [await sealedPassport(owner), await sealedPassport(owner)]
    expect(second.proof.x5c).toEqual(first.proof.x5c)
    expect((await verify(first)).verified).toBe(true)
    const { sealCa: issuer } = gateway.container.cradle
    const soon = new Date(Date.now() - (3 * 365 - 20) * 86_400_000)
    const ending = await issuer.issue({ id: owner.id, legalName: 'Soon GmbH' }, first.signingPublicKey, soon)
    await gateway.sqlAs(owner.id, 'update tenant_key set certificate = $1 where tenant_id = app_tenant()', [ending])
    const third = await sealedPassport(owner)
    expect(third.proof.x5c[0]).not.toBe(ending)
    expect((await verify(third)).checks.find(({ name }: Document) => name === 'certificate').ok).toBe(true)
  })

  test('a signer that fails leaves a key without a certificate, and nothing else waits', async () => {
    const { signer } = gateway.container.cradle
    const owner = await createWorkspace(gateway, { withKey: false })
    const { sign: original } = signer
    signer.sign = () => Promise.reject(new Error('the token is away'))
    try {
      expect((await gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers: owner.as })).status).toBe(200)
    } finally {
      signer.sign = original
    }
    expect((await sealedPassport(owner)).proof.x5c).toHaveLength(1)
  })
})

test('certificates name people and firms as they are written', async () => {
  const { workspaces } = gateway.container.cradle
  const legalName = `Größe & Söhne "Ω", O=Evil\nCN=x ${'x'.repeat(80)}`
  const { id } = await workspaces.create({ name: 'W', legalName, country: 'DE', plan: 'enterprise', withKey: true })
  const [row] = await gateway.sqlAs<{ certificate: string }>(
    id,
    'select certificate from tenant_key where tenant_id = app_tenant()',
  )
  const certificate = new X509Certificate(Buffer.from(row?.certificate ?? '', 'base64'))
  const { CN, O, C } = certificate.toLegacyObject().subject as unknown as Record<string, string>
  expect([CN, O, C]).toEqual([[...legalName].slice(0, 64).join(''), [...legalName].slice(0, 64).join(''), 'DE'])
})
