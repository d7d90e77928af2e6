import { execFileSync, spawn } from 'node:child_process'
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkSigner } from '../../../src/testing/index.ts'
import { createWorkspace, startTestGateway } from '../../../test/support/gateway.ts'
import { expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { missing, referenceTool } from '../../../test/support/reference-tools.ts'
import { loadGraphene } from './graphene.ts'
import pkcs11 from './index.ts'

// SoftHSM2 of the Debian package softhsm2.
const MODULE = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/lib64/softhsm/libsofthsm.so',
  '/opt/homebrew/lib/softhsm/libsofthsm2.so',
].find((file) => existsSync(file))
const hasPackage = await loadGraphene().then(
  () => true,
  () => false,
)
const hasToken = referenceTool('softhsm2-util') !== undefined && (MODULE ?? missing('libsofthsm2.so')) !== undefined
const isAbsent = !hasToken || !hasPackage

let folder: string
let options: Record<string, string>

beforeAll(() => {
  if (isAbsent) return
  folder = mkdtempSync(join(tmpdir(), 'dpp-hsm-'))
  mkdirSync(join(folder, 'tokens'))
  process.env.SOFTHSM2_CONF = join(folder, 'softhsm2.conf')
  writeFileSync(process.env.SOFTHSM2_CONF, `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
  const init = ['--init-token', '--free', '--label', 'dpp', '--pin', '123456', '--so-pin', '12345678']
  execFileSync('softhsm2-util', init, { stdio: 'pipe' })
  options = { module: MODULE as string, token: 'dpp', pin: '123456' }
})
afterAll(() => {
  if (!isAbsent) rmSync(folder, { recursive: true, force: true })
})

async function lockToken(): Promise<() => Promise<void>> {
  const tokens = join(folder, 'tokens')
  const [token = ''] = readdirSync(tokens)
  const files = readdirSync(join(tokens, token)).map((file) => join(tokens, token, file))
  const holder = spawn('python3', ['-c', LOCK, ...files], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return async () => {
    holder.stdin.end()
    await once(holder, 'exit')
  }
}

const LOCK = `import fcntl, sys
held = [open(name, 'r+b') for name in sys.argv[1:]]
for file in held: fcntl.lockf(file, fcntl.LOCK_EX)
print('held', flush=True)
sys.stdin.read()`

const valid = (jwk: JsonWebKey, data: Buffer, signature: Uint8Array) =>
  verify('sha256', data, { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, signature)

test('says which option is missing', async () => {
  await expect(pkcs11.open({ module: 'x', token: 'y' })).rejects.toThrow(
    'The signer "pkcs11" requires SIGNER_PIN. Set it.',
  )
})

describe.skipIf(isAbsent)('keys in a token (needs SoftHSM2 and the optional package graphene-pk11)', () => {
  test('meet the contract of signers', () => checkSigner(pkcs11, options))

  test('are found again by another signer, in the same process too', async () => {
    const first = await pkcs11.open(options)
    const second = await pkcs11.open(options)
    const keyId = await first.createKey('workspace:x')
    const data = Buffer.from('the 64 characters of a root')
    await first.close?.()
    const jwk = (await second.publicJwk(keyId)) as JsonWebKey
    expect(valid(jwk, data, await second.sign(keyId, data))).toBe(true)
    await second.close?.()
    const third = await pkcs11.open(options)
    expect(await third.publicJwk(keyId)).toEqual(jwk)
    await third.close?.()
  })

  test('never leave it: the token refuses to give the private value out', async () => {
    const signer = await pkcs11.open(options)
    const keyId = await signer.createKey('secret')
    const graphene = await loadGraphene()
    const module = graphene.Module.load(options.module as string)
    const session = module.getSlots(true).items(0).open()
    const found = session.find({ class: graphene.ObjectClass.PRIVATE_KEY, label: 'secret' })
    expect(found.length).toBe(1)
    const key = found.items(0)
    expect(key.getAttribute({ extractable: null, sensitive: null, neverExtractable: null })).toMatchObject({
      extractable: false,
      sensitive: true,
      neverExtractable: true,
    })
    expect(() => key.getAttribute({ value: null })).toThrow(/SENSITIVE/)
    session.close()
    await expect(signer.publicJwk(keyId)).resolves.not.toHaveProperty('d')
    await signer.close?.()
  })

  test('a session that was lost is opened again', async () => {
    const signer = await pkcs11.open(options)
    const keyId = await signer.createKey('lost')
    const data = Buffer.from('before and after')
    await signer.sign(keyId, data)
    const graphene = await loadGraphene()
    graphene.Module.load(options.module as string)
      .getSlots(true)
      .items(0)
      .closeAll()
    const jwk = (await signer.publicJwk(keyId)) as JsonWebKey
    expect(valid(jwk, data, await signer.sign(keyId, data))).toBe(true)
    await signer.close?.()
  })

  test.each([
    ['another token', { token: 'nobody' }, /SIGNER_TOKEN: token "nobody" not found/],
    ['a wrong PIN', { pin: '000000' }, /SIGNER_PIN: the token "dpp" rejects this PIN/],
    [
      'a library that is none',
      { module: '/etc/hostname' },
      /SIGNER_MODULE: \/etc\/hostname is not a usable PKCS #11 library/,
    ],
  ])('%s is named, without the PIN', async (_, change, message) => {
    const error = await pkcs11.open({ ...options, ...change }).catch((thrown) => thrown)
    expect(String(error)).toMatch(message)
    expect(`${error} ${error.cause}`).not.toMatch(/123456|000000/)
  })

  test.skipIf(referenceTool('python3') === undefined)(
    'block no other request while their token does not respond',
    async () => {
      const signer = await pkcs11.open(options)
      const keyId = await signer.createKey('waits')
      const free = await lockToken()
      const order: string[] = []
      const waits = signer.createKey('is made later').then(() => order.push('answered'))
      const signature = signer.sign(keyId, Buffer.from('x'))
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      order.push('at work meanwhile')
      await free()
      await waits
      expect(order).toEqual(['at work meanwhile', 'answered'])
      expect(valid((await signer.publicJwk(keyId)) as JsonWebKey, Buffer.from('x'), await signature)).toBe(true)
      await signer.close?.()
    },
  )

  test('a gateway seals with them, certificates and sessions included', async () => {
    const gateway = await startTestGateway({
      SIGNER: 'pkcs11',
      SIGNER_MODULE: options.module as string,
      SIGNER_TOKEN: 'dpp',
      SIGNER_PIN: '123456',
    })
    try {
      const workspace = await createWorkspace(gateway)
      const passports = passportClient(gateway, workspace.as)
      const { id } = await passports.given()
      expectStatus(200, await passports.seal(id))
      const payload = (await passports.get(id)).body
      const { body } = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
      expect([body.verified, body.certificate.chainValid]).toEqual([true, true])
      expect(await gateway.sql('select 1 from local_signing_key')).toEqual([])
    } finally {
      await gateway.close()
    }
  })
})
