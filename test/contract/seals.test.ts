// Also runs without modules (vitest project `core`).
import { spawnSync } from 'node:child_process'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { rebuildRoot } from '../conformance/seal-tree.mjs'
import { BASE_URL, createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { battery, eventsOf, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { referenceTool } from '../support/reference-tools.ts'
import { useGateway } from '../support/use-gateway.ts'

const HIDDEN = ['circularityAndDisassembly', 'detailedPerformance', 'facilityDetails', 'lifecycleAndInUse']
const hasOpenssl = referenceTool('openssl') !== undefined

const { gateway, workspace, passports } = await useGateway()
const folder = mkdtempSync(join(tmpdir(), 'dpp-seal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Sealed {
  readonly digitalSeal: string
  readonly signingPublicKey: string
  readonly metadata: Record<string, unknown>
  readonly proof: {
    readonly merkleRoot: string
    readonly signatureValue: string
    readonly publicKeyPem: string
    readonly salts: Record<string, string>
    readonly redactedLeaves?: Record<string, string>
  }
}

const rotate = (headers = workspace.as) => gateway.request('POST', '/api/v1/tenants/rotate-keys', { headers })
const sealedPassport = async (json: object = {}) => {
  const { id } = await passports.given(json)
  return expectStatus(200, await passports.seal(id)).body.passport
}
const publicDocument = async (id: string) => (await gateway.request('GET', `/passport/${id}`)).body

/** Verifies a seal without the gateway's code: root by the reference implementation, signature by node:crypto. */
function expectVerifies(document: Sealed): void {
  const { proof } = document
  expect(rebuildRoot(document)).toBe(proof.merkleRoot)
  expect([document.digitalSeal, document.signingPublicKey]).toEqual([proof.signatureValue, proof.publicKeyPem])
  const key = createPublicKey(proof.publicKeyPem)
  expect(key.asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
  const signature = Buffer.from(proof.signatureValue, 'base64')
  expect(verify('sha256', Buffer.from(proof.merkleRoot, 'ascii'), key, signature)).toBe(true)
  expect(verify('sha256', Buffer.from(proof.merkleRoot, 'hex'), key, signature)).toBe(false)
}

function openssl({ proof }: Sealed, signedText: string): boolean {
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const { status } = spawnSync('openssl', [
    'dgst',
    '-sha256',
    '-verify',
    file('key.pem', proof.publicKeyPem),
    '-signature',
    file('seal.der', Buffer.from(proof.signatureValue, 'base64')),
    file('root.txt', signedText),
  ])
  return status === 0
}

describe('a seal', () => {
  test('covers the metadata, and both tiers rebuild its root', async () => {
    const { id } = await passports.given({ metadata: battery({ ü: [1.5, null, { b: 1, a: 1e21 }], '21': 'x' }) })
    const { status, body } = await passports.seal(id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: expect.any(String) })
    expect([body.digitalSeal, body.signingPublicKey]).toEqual([
      body.passport.digitalSeal,
      body.passport.signingPublicKey,
    ])
    const shown = await publicDocument(id)
    expect(shown).toEqual(body.passport)
    expectVerifies(shown)
    expect(Object.keys(shown.proof.redactedLeaves).sort()).toEqual(HIDDEN)
    expect(Object.keys(shown.proof.salts).sort()).toEqual(['21', '@passport', 'category', 'gtin', 'originCountry', 'ü'])
    const owned = (await passports.get(id)).body
    expectVerifies(owned)
    expect(owned.proof).not.toHaveProperty('redactedLeaves')
    expect(Object.keys(owned.proof.salts).sort()).toEqual(['@passport', ...Object.keys(owned.metadata)].sort())
    for (const salt of Object.values<string>(owned.proof.salts)) expect(Buffer.from(salt, 'base64url')).toHaveLength(16)
  })

  test('is falsified by any change of a visible value', async () => {
    const sealed = await sealedPassport({ metadata: battery() })
    const changed = { ...sealed, metadata: { ...sealed.metadata, originCountry: 'FR' } }
    expect(rebuildRoot(changed)).not.toBe(sealed.proof.merkleRoot)
  })

  test('is verified by openssl over the 64 characters of the root', async ({ skip }) => {
    skip(!hasOpenssl, 'openssl is not installed here')
    const sealed = await sealedPassport()
    expect(sealed.proof.merkleRoot).toMatch(/^[0-9a-f]{64}$/)
    expect(openssl(sealed, sealed.proof.merkleRoot)).toBe(true)
    expect(openssl(sealed, `${sealed.proof.merkleRoot}\n`)).toBe(false)
  })

  test('has the printed members, dated as the passport', async () => {
    const sealed = await sealedPassport()
    expect(Object.keys(sealed.proof)).toEqual([
      'type',
      '@type',
      'signatureAlgorithm',
      'created',
      'proofPurpose',
      'verificationMethod',
      'signatureValue',
      'publicKeyPem',
      'x5c',
      'merkleRoot',
      'salts',
      'subject',
    ])
    expect(sealed.proof).toMatchObject({
      signatureAlgorithm: 'ECDSA-P256-SHA256-over-MerkleRoot',
      proofPurpose: 'assertionMethod',
      created: sealed.updatedAt,
      verificationMethod: `${BASE_URL}/passport/${sealed.id}#key-1`,
    })
  })

  test('says what it is about: passport, product, operator, date and what may be masked', async () => {
    const sealed = await sealedPassport({ metadata: battery() })
    expect(sealed.proof.subject).toEqual({
      id: sealed.id,
      productId: sealed.productId,
      operator: { id: sealed.economicOperator.id, regId: sealed.economicOperator.regId },
      created: sealed.proof.created,
      maskable: HIDDEN,
    })
    expectVerifies(sealed)
    const elsewhere = { ...sealed.proof.subject, productId: '09506000134352' }
    expect(rebuildRoot({ ...sealed, proof: { ...sealed.proof, subject: elsewhere } })).not.toBe(sealed.proof.merkleRoot)
  })

  test('a placeholder of a masked value cannot be sealed, since readers could not distinguish it', async () => {
    const metadata = textile({ remark: REDACTED })
    expect((await passports.create({ productId: newGtin(), metadata })).body.errors?.[0].path).toBe('remark')
    const { id } = await passports.given()
    // A passport stored before placeholders were rejected.
    await gateway.sqlAs(workspace.id, 'update passport set metadata = $2 where id = $1', [id, JSON.stringify(metadata)])
    const { status, body } = await passports.seal(id)
    expect([status, body.error]).toEqual([400, 'Bad Request'])
    expect(body.message).toMatch(/^metadata\.remark is the placeholder of a masked value/)
    expect((await publicDocument(id)).digitalSeal).toBeNull()
  })

  test('trap 70: sealing again replaces signature and salts, and the first seal stays true', async () => {
    const first = await sealedPassport({ metadata: battery() })
    const second = (await passports.seal(first.id)).body.passport
    expectVerifies(first)
    expectVerifies(second)
    expect(second.digitalSeal).not.toBe(first.digitalSeal)
    expect(second.proof.merkleRoot).not.toBe(first.proof.merkleRoot)
    expect(second.proof).not.toHaveProperty('rfc3161')
    expect((await publicDocument(first.id)).digitalSeal).toBe(second.digitalSeal)
    const seals = await gateway.sqlAs(workspace.id, 'select 1 from seal where passport_id = $1', [first.id])
    expect(seals).toHaveLength(2)
  })

  test('trap 69: a sealed draft stays a draft; a recalled passport keeps a seal that verifies', async () => {
    const draft = await passports.given({ metadata: { free: 'text' }, draft: true })
    const { body } = await passports.seal(draft.id)
    expect(body.passport.status).toBe('DRAFT')
    expectVerifies(body.passport)
    expect((await gateway.request('GET', `/passport/${draft.id}`)).status).toBe(404)
    expect((await passports.remove(draft.id)).status).toBe(200)
    const sealed = await sealedPassport({ metadata: battery() })
    const recalled = (await passports.setStatus(sealed.id, 'RECALLED')).body.passport
    expect(recalled).toMatchObject({ status: 'RECALLED', digitalSeal: sealed.digitalSeal, proof: sealed.proof })
    expectVerifies(recalled)
    expect(await eventsOf(gateway, sealed.id)).toEqual(['passport.ingested', 'passport.sealed', 'passport.recalled'])
  })

  test('empty metadata cannot be sealed', async () => {
    const { id } = await passports.given({ metadata: {}, draft: true })
    const { status, body } = await passports.seal(id)
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: 'Bad Request' })
  })

  test('trap 71: a workspace without a key answers 400 and stores nothing', async () => {
    const keyless = await createWorkspace(gateway, { withKey: false })
    const client = passportClient(gateway, keyless.as)
    const { id } = await client.given()
    const { status, body } = await client.seal(id)
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, error: 'Bad Request' })
    expect((await publicDocument(id)).digitalSeal).toBeNull()
    expect(await eventsOf(gateway, id)).toEqual(['passport.ingested'])
    expect((await rotate(keyless.as)).status).toBe(200)
    expect((await client.seal(id)).status).toBe(200)
  })

  test('an unknown passport answers 404', async () => {
    for (const id of ['no-such-product', '00000000-0000-4000-8000-000000000000']) {
      expect((await passports.seal(id)).status).toBe(404)
    }
  })
})

describe('keys', () => {
  const numbers = (id: string) =>
    gateway.sqlAs<{ number: number; isActive: boolean; pem: string }>(
      id,
      'select number, retired_at is null as "isActive", public_key_pem as pem from tenant_key where tenant_id = app_tenant() order by number',
    )

  test('a seal made before a rotation verifies with its own key, the next one uses the new key', async () => {
    const owner = await createWorkspace(gateway)
    const client = passportClient(gateway, owner.as)
    const { id } = await client.given({ metadata: battery() })
    const before = (await client.seal(id)).body.passport
    const { body } = await rotate(owner.as)
    expect(body).toMatchObject({ success: true, message: expect.any(String) })
    expect(body.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----/)
    expect(body.publicKey).not.toBe(before.signingPublicKey)
    expect(JSON.stringify(body)).not.toMatch(/PRIVATE/)
    const retained = await publicDocument(id)
    expect(retained.proof).toEqual(before.proof)
    expectVerifies(retained)
    const after = (await client.seal(id)).body.passport
    expect(after.signingPublicKey).toBe(body.publicKey)
    expectVerifies(after)
    expect((await numbers(owner.id)).map(({ number, isActive }) => `${number} ${isActive}`)).toEqual([
      '1 false',
      '2 true',
    ])
  })

  test('the hundredth is the last, and no key pair is made for one more', async () => {
    const owner = await createWorkspace(gateway)
    await gateway.sqlAs(
      owner.id,
      `insert into tenant_key (id, tenant_id, number, signer_key, public_key_pem, fingerprint, created_at, retired_at)
       select gen_random_uuid(), tenant_id, number + n, signer_key || n, public_key_pem, fingerprint || n, now(), now()
       from tenant_key, generate_series(1, 98) n where tenant_id = app_tenant()`,
    )
    const made = () => gateway.sql('select 1 from local_signing_key')
    const before = (await made()).length
    expect((await rotate(owner.as)).status).toBe(200)
    const refused = await rotate(owner.as)
    expect([refused.status, refused.body.code]).toEqual([409, 'KEY_LIMIT_REACHED'])
    expect((await made()).length).toBe(before + 1)
  })

  test('twenty concurrent rotations leave one active key and numbers without gaps', async () => {
    const owner = await createWorkspace(gateway, { withKey: false })
    const answers = await Promise.all(Array.from({ length: 20 }, () => rotate(owner.as)))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const keys = await numbers(owner.id)
    expect(keys.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(keys.filter(({ isActive }) => isActive).map(({ number }) => number)).toEqual([20])
    expect(new Set(answers.map(({ body }) => body.publicKey))).toEqual(new Set(keys.map(({ pem }) => pem)))
  })
})
