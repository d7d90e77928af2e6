import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealCaOf } from '../../plugins/modules/doctor/database.ts'
import { headline } from '../../src/verify/outcome.ts'
import { revocationsOf } from '../../src/verify/revocation.ts'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { BASE_URL, createWorkspace, MASTER_KEY, startTestGateway, type TestGateway } from '../support/gateway.ts'
import { expectStatus, passportClient } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'
import { startTimestampAuthority } from '../support/timestamp-authority.ts'

const PYTHON = join(import.meta.dirname, '../conformance/verify_seal.py')
/** Browser scripts have no types. */
const PAGE: string = join(import.meta.dirname, '../../plugins/modules/verifier/browser/seal.js')
const { verifySeal: verifyInPage } = await import(PAGE)
const openssl = referenceTool('openssl')
const python = openssl && referenceTool('python3')

const timestamps = openssl === undefined ? undefined : await startTimestampAuthority()
const dated: Record<string, string> = timestamps ? { TSA_URL: timestamps.url, TSA_CA: timestamps.caFile } : {}
const gateway = await startTestGateway(dated)
const { databaseUrl } = gateway
const other = await startTestGateway({ DATABASE_URL: databaseUrl })
const folder = await mkdtemp(join(tmpdir(), 'dpp-seal-ca-'))
afterAll(async () => {
  await Promise.all([gateway.close(), other.close(), timestamps?.close(), rm(folder, { recursive: true, force: true })])
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

async function run(program: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const done = await promisify(execFile)(program, args).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
  return done
}

/** Verdicts of every verifier with these seal CAs; one word if they agree. */
async function verdicts(text: string, sealCa: string): Promise<string[]> {
  const output = [(await verifySealedPassport(text, { sealCa })).verdict, (await verifyInPage(text, sealCa)).verdict]
  if (python !== undefined) {
    const { code } = await run('python3', PYTHON, await file('document.json', text), await file('ca.pem', sealCa))
    output.push({ 0: 'valid', 1: 'not valid', 4: 'undecided' }[code] ?? `exit ${code}`)
  }
  return [...new Set(output)]
}

let before: Sealed
let since: Sealed
let firstCa: string
let bothCas: string

beforeAll(async () => {
  before = await sealed(gateway)
  firstCa = await sealCaAt(gateway)
  // The other process has cached the first and must notice.
  expect(await sealCaAt(other)).toBe(firstCa)
  await rotatedAtOnce()
  bothCas = await sealCaAt(other)
  await rotateKeys(other)
  since = await sealed(gateway)
})

/** Both gateways have read the seal CAs before either adds the next. */
async function rotatedAtOnce(): Promise<void> {
  const client = new pg.Client({ connectionString: gateway.databaseUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('lock table node_key in share mode')
    const rotations = Promise.all([gateway, other].map(({ container }) => container.cradle.sealCa.rotate()))
    const waiting = `select from pg_locks where relation = 'node_key'::regclass and not granted`
    while ((await gateway.sql(waiting)).length < 2);
    await client.query('commit')
    await rotations
  } finally {
    await client.end()
  }
}

describe('a new seal CA', () => {
  test('is created once, has its own name, and comes before the first', () => {
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
    // A verifier without the second CA cannot know it.
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
    [364, 'warning', /Run dpp seal-ca rotate early/],
    [-1, 'wrong', /no seal can be made\. Run: dpp seal-ca rotate/],
  ])('%i days before the seal CA ends: %s', (days, state, message) => {
    expect(at(days)).toMatchObject({ check: 'seal CA', state, message: expect.stringMatching(message) })
  })
})

describe.skipIf(!openssl)('a certificate that is revoked', () => {
  /** The list of a seal CA as PEM, for `openssl` of any version. */
  async function listOf(number: number, at = gateway) {
    const answer = await at.request('GET', `/.well-known/opendpp-seal-crl/${number}`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pkix-crl'])
    const der = join(folder, `list-${number}.der`)
    await writeFile(der, answer.bytes)
    const pem = join(folder, `list-${number}.pem`)
    expect((await run('openssl', 'crl', '-inform', 'DER', '-in', der, '-out', pem)).code).toBe(0)
    return { pem, der: answer.bytes }
  }

  /** Result of openssl for a leaf with the lists of all seal CAs. */
  async function checkWithOpenssl({ leaf }: Sealed): Promise<{ code: number; output: string }> {
    const count = certificatesIn(await sealCaAt(gateway)).length
    const bundle = await file('all.pem', await sealCaAt(gateway))
    const lists: string[] = []
    for (let number = 1; number <= count; number += 1) lists.push('-CRLfile', (await listOf(number)).pem)
    const certificate = await file('revoked.pem', leaf.toString())
    return run('openssl', 'verify', '-x509_strict', '-crl_check', '-CAfile', bundle, ...lists, certificate)
  }
  const verified = async ({ text }: Sealed, at = gateway) =>
    (await at.request('POST', '/api/v1/audit/verify', { json: { payload: JSON.parse(text) } })).body
  const revoke = (number: number, since: Date, reason = 'keyCompromise') =>
    gateway.container.cradle.sealCa.revoke(workspace.id, number, { reason, since })

  test('is empty at first: openssl accepts those of both seal CAs, and certificates name their list', async () => {
    for (const one of [before, since]) expect(await checkWithOpenssl(one)).toMatchObject({ code: 0 })
    const { output } = await run(
      'openssl',
      'x509',
      '-in',
      await file('since.pem', since.leaf.toString()),
      '-noout',
      '-text',
    )
    expect(output).toMatch(
      /CRL Distribution Points:\s+Full Name:\s+URI:https:\/\/dpp\.example\.test\/\.well-known\/opendpp-seal-crl\/2/,
    )
    expect((await gateway.request('GET', '/.well-known/opendpp-seal-crl/9')).status).toBe(404)
  })

  test('is not that of the key in use', async () => {
    await expect(revoke(2, new Date())).rejects.toMatchObject({ status: 409 })
    await expect(revoke(99, new Date())).rejects.toMatchObject({ status: 404 })
  })

  test('of either seal CA is in its list immediately, of every process, and openssl rejects it', {
    timeout: 60_000,
  }, async () => {
    const number = async () => {
      const { output } = await run('openssl', 'crl', '-in', (await listOf(2)).pem, '-noout', '-crlnumber')
      return BigInt(
        output.trim().split('=0x')[1] ? `0x${output.trim().split('=0x')[1]}` : `0x${output.trim().split('=')[1]}`,
      )
    }
    const numberBefore = await number()
    await rotateKeys(other)
    const hour = new Date(Date.now() - 3_600_000)
    const from = new Date(Math.floor(hour.getTime() / 1000) * 1000)
    expect(await revoke(1, hour, 'superseded')).toEqual({
      serials: [before.leaf.serialNumber.toLowerCase()],
      since: from,
    })
    expect(await revoke(2, hour)).toEqual({ serials: [since.leaf.serialNumber.toLowerCase()], since: from })
    for (const one of [before, since]) {
      expect(await checkWithOpenssl(one)).toMatchObject({
        code: 2,
        output: expect.stringContaining('certificate revoked'),
      })
    }
    expect(await checkWithOpenssl(await sealed(gateway))).toMatchObject({ code: 0 })
    expect(await number()).toBeGreaterThan(numberBefore)
    const { pem } = await listOf(2, other)
    const { output } = await run('openssl', 'crl', '-in', pem, '-noout', '-text')
    expect(output).toMatch(/Version 2 \(0x1\)[\s\S]*Issuer: CN ?= ?Seal CA 2 of dpp\.example\.test/)
    expect(output).toContain(since.leaf.serialNumber)
    expect(output).toMatch(/X509v3 CRL Reason Code:\s+Key Compromise/)
    expect(output).toMatch(/X509v3 Authority Key Identifier:/)
  })

  test('from before its seal was made is not valid, here and by dpp verify --crl', async () => {
    const body = await verified(since, other)
    expect([body.verified, body.verdict]).toEqual([false, 'not valid'])
    expect(body.checks).toContainEqual({
      name: 'revocation',
      ok: false,
      detail: expect.stringMatching(/^The certificate is revoked from .*, before the seal\.$/),
    })
    const { der } = await listOf(2)
    const revocations = revocationsOf(der, new Date())
    expect((await verifySealedPassport(since.text, { sealCa: bothCas, revocations })).verdict).toBe('not valid')
    // A verifier without the list cannot know of it.
    expect((await verifySealedPassport(since.text, { sealCa: bothCas })).verdict).toBe('valid')
  })

  test('after the seal leaves it undecided, unless a trusted timestamp shows that it was there before', async () => {
    const [stamped, bare] = [await sealed(gateway), await sealed(other)]
    await rotateKeys(gateway)
    const since = new Date(Date.now() + 1000)
    await revoke(3, since)
    expect((await checkWithOpenssl(stamped)).code).toBe(2)
    // The second gateway has no timestamp authority and trusts none.
    expect((await verified(stamped)).verdict).toBe('valid')
    expect((await verified(stamped, other)).verdict).toBe('undecided')
    expect((await verified(bare)).verdict).toBe('undecided')
    const sealCa = await sealCaAt(gateway)
    const revocations = revocationsOf((await listOf(3)).der, new Date())
    const timestampCa = await readFile(timestamps?.caFile ?? '', 'utf8')
    const proven = await verifySealedPassport(stamped.text, { sealCa, revocations, timestampCa })
    expect(proven.verdict).toBe('valid')
    const undecided = await verifySealedPassport(bare.text, { sealCa, revocations, timestampCa })
    expect([undecided.verdict, headline(undecided)]).toEqual([
      'undecided',
      'sealed passport: fits, but its owner is unknown',
    ])
  })

  test('is unknown where the list is of another seal CA, too old, or altered, and that is never valid', async () => {
    const passport = await sealed(gateway)
    const sealCa = await sealCaAt(gateway)
    const issuer = Number(/CN=Seal CA (\d+) /.exec(passport.leaf.issuer)?.[1])
    const { der, pem } = await listOf(issuer)
    const verdict = async (list: Buffer, now = new Date()) => {
      const found = await verifySealedPassport(passport.text, { sealCa, revocations: revocationsOf(list, now) })
      return [found.verdict, found.checks.find(({ name }) => name === 'revocation')?.detail]
    }
    expect(await verdict(der)).toEqual(['valid', 'The certificate is not revoked.'])
    const all = Buffer.concat([await readFile((await listOf(1)).pem), await readFile(pem)])
    expect(await verdict(all)).toEqual(['valid', 'The certificate is not revoked.'])
    const noList = expect.stringContaining('no certificate revocation list of its seal CA was given')
    expect(await verdict((await listOf(1)).der)).toEqual(['undecided', noList])
    const late = new Date(Date.now() + 8 * 86_400_000)
    expect(await verdict(der, late)).toEqual(['undecided', expect.stringContaining('is not current')])
    const forged = Buffer.from(der)
    forged[forged.length - 1] = (forged[forged.length - 1] as number) ^ 1
    expect(await verdict(forged)).toEqual(['undecided', noList])
    for (const wrong of [der.subarray(0, -1), Buffer.from('no list'), Buffer.alloc(2 * 1024 * 1024, 0x30)]) {
      expect(() => revocationsOf(wrong, new Date())).toThrow(/certificate revocation list/)
    }
  })

  test('by the command line, and dpp verify --crl ends with 1', { timeout: 120_000 }, async () => {
    const env = { DATABASE_URL: databaseUrl, MASTER_KEY, BASE_URL, NODE_NO_WARNINGS: '1' }
    const [doc, ca] = [await file('passport.json', since.text), await file('both.pem', bothCas)]
    const checked = await dpp(['verify', doc, '--seal-ca', ca, '--crl', (await listOf(2)).pem], env)
    expect(checked).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL  revocation') })
  })

  test('is dated earlier when that is found out, never later, and the next list says so', async () => {
    const env = { DATABASE_URL: databaseUrl, MASTER_KEY, BASE_URL, NODE_NO_WARNINGS: '1' }
    const args = ['--workspace', workspace.id, '--key', '3', '--reason', 'keyCompromise']
    const listed = async () => {
      const { output } = await run('openssl', 'crl', '-in', (await listOf(3)).pem, '-noout', '-text')
      const [, number, date = ''] = /CRL Number:\s+(\d+)[\s\S]*Revocation Date: (.*)/.exec(output) ?? []
      return { number: BigInt(number ?? ''), from: Date.parse(date) }
    }
    const before = await listed()
    const earlier = new Date(Math.floor(Date.now() / 1000) * 1000 - 86_400_000)
    const moved = await dpp(['seal-ca', 'revoke', ...args, '--since', earlier.toISOString(), '--json'], env)
    expect([moved.code, JSON.parse(moved.stdout)]).toMatchObject([0, { since: earlier.toISOString() }])
    expect(JSON.parse(moved.stdout).serials).toHaveLength(1)
    const again = await dpp(['seal-ca', 'revoke', ...args], env)
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`from ${earlier.toISOString()}`)])
    const after = await listed()
    expect(after.number).toBeGreaterThan(before.number)
    expect([after.from, before.from > after.from]).toEqual([earlier.getTime(), true])
  })
})
