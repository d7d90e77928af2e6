import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealCaOf } from '../../src/commands/doctor.ts'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { verifySeal as verifyByReference } from '../conformance/seal-reference.mjs'
import { createDatabase, createWorkspace, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { judge } from '../support/judges.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'

const PYTHON = join(import.meta.dirname, '../conformance/verify_seal.py')
/** What runs in browsers has no types. */
const PAGE: string = join(import.meta.dirname, '../../src/browser/seal.js')
const { verifySeal: verifyInPage } = await import(PAGE)
const openssl = judge('openssl')
const python = openssl && judge('python3')

const databaseUrl = await createDatabase()
const [gateway, other] = await Promise.all([
  startTestGateway({ DATABASE_URL: databaseUrl }),
  startTestGateway({ DATABASE_URL: databaseUrl }),
])
const folder = await mkdtemp(join(tmpdir(), 'dpp-seal-ca-'))
afterAll(async () => {
  await Promise.all([gateway.close(), other.close(), rm(folder, { recursive: true, force: true })])
})

const workspace = await createWorkspace(gateway)
const rotateKeys = (at: TestGateway) => at.container.cradle.seals.rotateKeys(workspace.id, { actor: 'test' })
const sealCaAt = async (at: TestGateway) => (await at.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
const certificatesIn = (pem: string) =>
  pem.split(/(?<=-----END CERTIFICATE-----\n)/).map((block) => new X509Certificate(block))

interface Sealed {
  readonly text: string
  readonly leaf: X509Certificate
}

async function sealed(at: TestGateway): Promise<Sealed> {
  const passports = passportClient(at, workspace.as)
  const { id } = await passports.given()
  expectStatus(200, await passports.seal(id))
  const { text, body } = await passports.get(id)
  return { text, leaf: new X509Certificate(Buffer.from(body.proof.x5c[0], 'base64')) }
}

const file = async (name: string, content: string) => {
  await writeFile(join(folder, name), content)
  return join(folder, name)
}

/** The exit code of a command, and what it said. */
async function run(program: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const done = await promisify(execFile)(program, args).then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  )
  return done
}

/** What every verifier says of a document with these seal CAs; one word where they agree. */
async function verdicts(text: string, sealCa: string): Promise<string[]> {
  const said = [
    (await verifySealedPassport(text, { sealCa })).verdict,
    verifyByReference(text, { sealCa }).verdict,
    (await verifyInPage(text, sealCa)).verdict,
  ]
  if (python !== undefined) {
    const { code } = await run('python3', PYTHON, await file('document.json', text), await file('ca.pem', sealCa))
    said.push({ 0: 'valid', 1: 'not valid', 4: 'undecided' }[code] ?? `exit ${code}`)
  }
  return [...new Set(said)]
}

let before: Sealed
let since: Sealed
let firstCa: string
let bothCas: string

beforeAll(async () => {
  before = await sealed(gateway)
  firstCa = await sealCaAt(gateway)
  // The other process has read the first too, and must notice.
  expect(await sealCaAt(other)).toBe(firstCa)
  await Promise.all([gateway, other].map(({ container }) => container.cradle.sealCa.rotate()))
  bothCas = await sealCaAt(other)
  await rotateKeys(other)
  since = await sealed(gateway)
})

describe('a new seal CA', () => {
  test('is made once, has a name of its own, and stands ahead of the first', () => {
    expect(bothCas.endsWith(firstCa)).toBe(true)
    const [newest, first, ...more] = certificatesIn(bothCas) as [X509Certificate, X509Certificate]
    expect([newest.subject, first.subject, more]).toEqual([
      'CN=Seal CA 2 of dpp.example.test',
      'CN=Seal CA of dpp.example.test',
      [],
    ])
    expect(newest.verify(newest.publicKey)).toBe(true)
    expect([before.leaf.issuer, since.leaf.issuer]).toEqual([first.subject, newest.subject])
    expect(since.leaf.verify(newest.publicKey)).toBe(true)
  })

  test('certifies new keys, and a key in use keeps the certificate that it has', async () => {
    await gateway.container.cradle.sealCa.rotate()
    const { leaf } = await sealed(other)
    expect(leaf.raw.equals(since.leaf.raw)).toBe(true)
  })

  test('leaves documents of both valid, for every verifier and for the gateways', async () => {
    for (const { text } of [before, since]) {
      expect(await verdicts(text, bothCas)).toEqual(['valid'])
      for (const at of [gateway, other]) {
        const { body } = await at.request('POST', '/api/v1/audit/verify', { json: { payload: JSON.parse(text) } })
        expect([body.verified, body.certificate.chainValid]).toEqual([true, true])
      }
    }
    expect(await verdicts(before.text, firstCa)).toEqual(['valid'])
    // Who has not fetched the second cannot know of it.
    expect(await verdicts(since.text, firstCa)).toEqual(['not valid'])
  })

  test.skipIf(!openssl)('openssl verifies the certificates of both against the one file', async () => {
    const bundle = await file('both.pem', bothCas)
    for (const { leaf } of [before, since]) {
      expect(await run('openssl', 'verify', '-CAfile', bundle, await file('leaf.pem', leaf.toString()))).toMatchObject({
        code: 0,
      })
    }
  })
})

describe('dpp doctor', () => {
  const at = (days: number) => {
    const [newest] = certificatesIn(bothCas) as [X509Certificate]
    const now = new Date(Date.parse(newest.validTo) - days * 86_400_000)
    return sealCaOf({ sealCa: newest.raw.toString('base64') }, now)[0]
  }

  test.each([
    [366, 'ok', /is valid until \d{4}/],
    [364, 'warning', /Run: dpp seal-ca rotate, so that verifiers have the next one in time/],
    [-1, 'wrong', /no seal can be made\. Run: dpp seal-ca rotate/],
  ])('%i days before the seal CA ends: %s', (days, state, message) => {
    expect(at(days)).toMatchObject({ check: 'seal CA', state, message: expect.stringMatching(message) })
  })
})
