import { execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { INTEGER, readDerSequence } from '../../src/domain/der.ts'
import { checkSealCertificate } from '../../src/verify/certificate.ts'
import { verifySealedPassport } from '../../src/verify/seal.ts'
import { checkTimestampToken, timestampAuthoritiesOf } from '../../src/verify/timestamp.ts'
import { createWorkspace, startTestGateway } from '../support/gateway.ts'
import { battery, expectStatus, passportClient, REDACTED } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { leastProcessorTime } from '../support/processor-time.ts'
import { referenceTool } from '../support/reference-tools.ts'
import {
  beginOf,
  hasOpenssl,
  LYING_MODES,
  startTimestampAuthority,
  type TimestampAuthorityDouble,
} from '../support/timestamp-authority.ts'

// Documents of the gateway, verified by openssl and a Python verifier written from the rule. The gateway is stopped
// before.

const hasPython = hasOpenssl && referenceTool('python3') !== undefined
const hasRecipe = hasOpenssl && referenceTool('jq') !== undefined && referenceTool('bash') !== undefined
const PYTHON = fileURLToPath(new URL('../conformance/verify_seal.py', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: documents are changed in ways that no type allows.
type Document = any

let authority: TimestampAuthorityDouble
let folder: string
let owned: Document
let shown: Document
let sealCa: string
let timestampCa: string

beforeAll(async () => {
  if (!hasOpenssl) return
  folder = mkdtempSync(join(tmpdir(), 'dpp-offline-'))
  authority = await startTimestampAuthority()
  const gateway = await startTestGateway({ TSA_URL: authority.url, TSA_CA: authority.caFile })
  const workspace = await createWorkspace(gateway)
  const passports = passportClient(gateway, workspace.as)
  const { id } = await passports.given({ metadata: battery({ ü: [1.5, null, { b: 1, a: 1e21 }, -0.000001], 21: 'x' }) })
  expectStatus(200, await passports.seal(id))
  owned = (await passports.get(id)).body
  shown = (await gateway.request('GET', `/passport/${id}`)).body
  sealCa = (await gateway.request('GET', '/.well-known/opendpp-seal-ca.pem')).text
  await gateway.close()
  timestampCa = readFileSync(authority.caFile, 'utf8')
  writeFileSync(join(folder, 'passport.json'), JSON.stringify(shown))
  writeFileSync(join(folder, 'seal-ca.pem'), sealCa)
  copyFileSync(authority.caFile, join(folder, 'tsa-ca.pem'))
})
afterAll(async () => {
  if (!hasOpenssl) return
  await authority.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(!hasRecipe)('the recipe of the README (needs openssl, jq and bash)', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  const recipe = blocks.find((block) => block.includes('openssl ts -verify')) ?? ''

  test('holds, word for word', () => {
    const { status, stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', recipe], {
      cwd: folder,
      encoding: 'utf8',
    })
    // The output matches the comments.
    const promised = [...recipe.matchAll(/^# (.*)$/gm)].map(([, line]) => `${line}\n`)
    expect(promised).toHaveLength(3)
    expect([status, stdout]).toEqual([0, promised.join('')])
  })

  test.each(['merkleRoot', 'signatureValue', 'x5c', 'rfc3161'])('fails for another %s', (member) => {
    const document = structuredClone(shown)
    const flip = (text: string) => {
      const bytes = Buffer.from(text, 'base64')
      bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1
      return bytes.toString('base64')
    }
    if (member === 'merkleRoot') document.proof.merkleRoot = 'a'.repeat(64)
    else if (member === 'x5c') document.proof.x5c = [flip(document.proof.x5c[0])]
    else if (member === 'rfc3161') document.proof.rfc3161.token = flip(document.proof.rfc3161.token)
    else document.proof.signatureValue = flip(document.proof.signatureValue)
    const other = mkdtempSync(join(tmpdir(), 'dpp-recipe-'))
    for (const name of ['seal-ca.pem', 'tsa-ca.pem']) copyFileSync(join(folder, name), join(other, name))
    writeFileSync(join(other, 'passport.json'), JSON.stringify(document))
    expect(spawnSync('bash', ['-euo', 'pipefail', '-c', recipe], { cwd: other }).status).not.toBe(0)
    rmSync(other, { recursive: true })
  })
})

// seal-verdicts.test.ts has the cases on which all verifiers agree; these are documents of this gateway.
describe.skipIf(!hasPython)('the verifier in Python (needs python3 and openssl)', () => {
  const verifyDocument = (document: Document, ...more: string[]) => {
    const file = join(folder, 'candidate.json')
    writeFileSync(file, JSON.stringify(document))
    const { status, stdout, stderr } = spawnSync('python3', [PYTHON, file, ...more], { encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }

  test('verifies what the gateway sealed, whole and redacted, and says by whom', () => {
    expect(Object.keys(shown.proof.redactedLeaves)).toHaveLength(4)
    for (const document of [owned, shown]) {
      const { status, output } = verifyDocument(document, join(folder, 'seal-ca.pem'))
      expect([status, output]).toEqual([0, expect.stringMatching(/^valid: sealed by Legal Name \d+ GmbH$/m)])
      expect(verifyDocument(document).status).toBe(4)
    }
  })

  test('and refuses what was changed', () => {
    const changes: ((d: Document) => void)[] = [
      (d) => (d.metadata.originCountry = 'FR'),
      (d) => (d.metadata.ü[0] = 1.6),
      (d) => delete d.metadata.category,
      (d) => (d.metadata.facilityDetails = REDACTED.toLowerCase()),
      (d) => (d.proof.redactedLeaves.facilityDetails = 'a'.repeat(64)),
      (d) => (d.proof.salts.category = d.proof.salts.originCountry),
      (d) => (d.proof.merkleRoot = 'b'.repeat(64)),
      (d) => (d.proof.signatureValue = d.proof.x5c[0].slice(0, 96)),
      (d) => (d.economicOperator.regId = 'DE1'),
    ]
    for (const change of changes) {
      const document = structuredClone(shown)
      change(document)
      expect(verifyDocument(document).status, String(change)).toBe(1)
    }
    const { status, output } = verifyDocument(shown, authority.caFile)
    expect([status, output]).not.toEqual([0, expect.anything()])
  })
})

describe.skipIf(!hasOpenssl)('our own offline verifier', () => {
  test('verifies with both anchors, and says what stays open without them', async () => {
    for (const document of [owned, shown]) {
      const full = await verifySealedPassport(JSON.stringify(document), { sealCa, timestampCa })
      expect(full).toMatchObject({ form: 'sealed passport', valid: true })
      expect(full.checks.map(({ name, ok }) => `${name} ${ok}`)).toEqual([
        'form true',
        'subject true',
        'content true',
        'signature true',
        'certificate true',
        'timestamp true',
      ])
    }
    const { checks, verdict } = await verifySealedPassport(JSON.stringify(shown))
    expect(checks.map(({ ok }) => ok)).toEqual([true, true, true, true, null, null])
    expect(checks[4]?.detail).toMatch(/^The owner .* of the key is not verified: pass the seal CA certificate/)
    expect(verdict).toBe('undecided')
  })

  test('is what `dpp verify` runs', async () => {
    const anchors = ['--seal-ca', join(folder, 'seal-ca.pem'), '--tsa-ca', join(folder, 'tsa-ca.pem')]
    const file = join(folder, 'passport.json')
    const verified = await dpp(['verify', file, ...anchors, '--json'], {})
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    expect(JSON.parse(verified.stdout)).toEqual(
      await verifySealedPassport(JSON.stringify(shown), { sealCa, timestampCa }),
    )
    writeFileSync(join(folder, 'changed.json'), JSON.stringify({ ...shown, originCountry: 'FR' }))
    const refused = await dpp(['verify', join(folder, 'changed.json'), ...anchors], {})
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/FAIL {2}content/)])
    const unusable = await dpp(['verify', file, '--seal-ca', file], {})
    expect([unusable.code, unusable.stderr]).toEqual([3, expect.stringContaining('does not contain PEM certificates')])
  })

  test('another time than that which was sealed', async () => {
    const document = structuredClone(shown)
    document.proof.created = new Date(Date.parse(shown.proof.created) + 60_000).toISOString()
    const { valid, checks } = await verifySealedPassport(JSON.stringify(document), { sealCa, timestampCa })
    const failures = checks.filter(({ ok }) => ok === false).map(({ detail }) => detail)
    expect([valid, failures[0]]).toEqual([false, expect.stringMatching(/^proof.created differs from the sealed value/)])
  })

  test('a token is opened for nothing that does not hold, and none of more than 16 KiB', async () => {
    // An object identifier of one-byte arcs costs a parser 700 bytes per byte.
    const arcs = (length: number) => {
      const size = Buffer.alloc(4)
      size.writeUInt32BE(length)
      return Buffer.concat([Buffer.from([0x06, 0x84]), size, Buffer.alloc(length, 1)]).toString('base64')
    }
    const verifyToken = async (token: string, change: (document: Document) => void = () => {}) => {
      const document = structuredClone(shown)
      document.proof.rfc3161.token = token
      change(document)
      const { checks } = await verifySealedPassport(JSON.stringify(document), { sealCa, timestampCa })
      return checks.find(({ ok }) => ok === false)
    }
    expect(await verifyToken(arcs(16 * 1024))).toMatchObject({
      name: 'form',
      detail: /proof.rfc3161.token has more than 16384/,
    })
    expect(await verifyToken(arcs(10 * 16 * 1024))).toMatchObject({ name: 'form' })
    expect(await verifyToken(arcs(16_000))).toMatchObject({ name: 'timestamp' })
    expect(await verifyToken(arcs(16_000), (d) => (d.metadata.originCountry = 'FR'))).toMatchObject({ name: 'content' })
  })

  test('certificates are bounded in number and size before they are opened', async () => {
    const verifyChain = async (x5c: string[]) => {
      const document = structuredClone(shown)
      document.proof.x5c = x5c
      const { checks } = await verifySealedPassport(JSON.stringify(document), { sealCa, timestampCa })
      return checks.find(({ ok }) => ok === false)
    }
    const [leaf] = shown.proof.x5c
    expect(await verifyChain(Array(3).fill(leaf))).toMatchObject({
      name: 'form',
      detail: /not a list of 1 to 2 certificates/,
    })
    expect(await verifyChain(Array(3841).fill(leaf))).toMatchObject({ name: 'form' })
    expect(await verifyChain([Buffer.alloc(8193, 0x30).toString('base64')])).toMatchObject({
      name: 'form',
      detail: /x5c\[0\] has more than 8192 bytes/,
    })
  })

  test('a foreign seal CA, and one that is to be the timestamp authority too, fail', async () => {
    const failed = async (anchors: object) =>
      (await verifySealedPassport(JSON.stringify(shown), anchors)).checks
        .filter(({ ok }) => ok === false)
        .map(({ name }) => name)
    expect(await failed({ sealCa: timestampCa, timestampCa })).toEqual(['certificate', 'timestamp'])
    expect(await failed({ sealCa, timestampCa: sealCa })).toEqual(['timestamp'])
    expect(await failed({ sealCa: 'no certificate', timestampCa: 'none' })).toEqual(['certificate', 'timestamp'])
  })

  test('responds to any input', async () => {
    for (const odd of [
      '',
      'null',
      '1',
      '"x"',
      '[]',
      '{}',
      '{"metadata":{}}',
      '{"@type":"DigitalProductPassport","metadata":{},"proof":{}}',
      '{"@type":"DigitalProductPassport","metadata":[]}',
      ' '.repeat(3 * 1024 * 1024 + 1),
      '['.repeat(1_000_000),
    ]) {
      const { valid, checks } = await verifySealedPassport(odd, { sealCa, timestampCa })
      expect([valid, checks[0]?.name, checks[0]?.ok]).toEqual([false, 'form', false])
    }
  })
})

describe.skipIf(!hasOpenssl)('certificates that openssl made', () => {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  // Later than every document here.
  const NOW = new Date(Date.now() + 600_000)
  const YEARS = 365 * 86_400_000

  /** A key with a certificate of these extensions, and its authority. */
  const made = (extensions: string, caExtensions = 'basicConstraints=critical,CA:TRUE,pathlen:0') => {
    openssl(
      ...['req', '-x509', ...key, '-keyout', 'a.key', '-out', 'a.pem', '-subj', '/CN=A', '-days', '90'],
      ...['-config', config, '-addext', caExtensions, '-addext', 'keyUsage=critical,keyCertSign'],
    )
    openssl('req', ...key, '-keyout', 'b.key', '-out', 'b.csr', '-subj', '/CN=B', '-config', config)
    writeFileSync(join(folder, 'b.ext'), extensions)
    openssl(
      ...['x509', '-req', '-in', 'b.csr', '-CA', 'a.pem', '-CAkey', 'a.key', '-CAcreateserial'],
      ...['-extfile', 'b.ext', '-days', '30', '-out', 'b.pem'],
    )
    const read = (name: string) => new X509Certificate(readFileSync(join(folder, name)))
    const [authority, leaf] = [read('a.pem'), read('b.pem')]
    const pem = leaf.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()
    return { authority, x5c: [leaf.raw], pem }
  }
  let config: string
  beforeAll(() => {
    config = join(folder, 'plain.cnf')
    writeFileSync(config, '[req]\ndistinguished_name = dn\n[dn]\n')
  })

  test('are accepted for data, within their time, with the authority behind them or not', () => {
    const { authority, x5c, pem } = made('basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature')
    expect(() => checkSealCertificate(x5c, pem, authority.toString(), NOW)).not.toThrow()
    expect(() => checkSealCertificate([...x5c, authority.raw], pem, authority.toString(), NOW)).not.toThrow()
    const at = (time: number) => () => checkSealCertificate(x5c, pem, authority.toString(), new Date(time))
    expect(at(NOW.getTime() - YEARS)).toThrow(/was not valid at/)
    expect(at(NOW.getTime() + 40 * 86_400_000)).toThrow(/The certificate was not valid at/)
    expect(at(NOW.getTime() + YEARS)).toThrow(/was not valid at/)
  })

  test.each([
    ['an authority', 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,digitalSignature', /is a CA certificate/],
    [
      'for encryption',
      'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,keyAgreement',
      /must allow digitalSignature/,
    ],
    ['for whatever', 'basicConstraints=critical,CA:FALSE', /has no valid key usage/],
    ['for servers', 'keyUsage=critical,digitalSignature\nextendedKeyUsage=serverAuth', /has an extended key usage/],
    [
      'for time stamping',
      'keyUsage=digitalSignature\nextendedKeyUsage=critical,timeStamping',
      /has an extended key usage/,
    ],
  ])('%s are refused', (_, extensions, message) => {
    const { authority, x5c, pem } = made(extensions)
    expect(() => checkSealCertificate(x5c, pem, authority.toString(), NOW)).toThrow(message)
  })

  test('by a certificate that is not a CA are rejected', () => {
    const { authority, x5c, pem } = made(
      'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature',
      'basicConstraints=critical,CA:FALSE',
    )
    expect(() => checkSealCertificate(x5c, pem, authority.toString(), NOW)).toThrow(/seal CA|certificate authority/)
  })
})

describe.skipIf(!hasOpenssl)('timestamp tokens, by us and by `openssl ts -verify`', () => {
  const TEXT = 'a'.repeat(64)
  const authorities = () => timestampAuthoritiesOf(String(timestampCa))
  const openssl = (...args: string[]) => spawnSync('openssl', args, { cwd: folder })
  /** A query made by openssl, with its nonce. */
  const queryOf = (text: string) => {
    writeFileSync(join(folder, 'text'), text)
    execFileSync('openssl', ['ts', '-query', '-data', 'text', '-sha256', '-cert', '-out', 'query'], {
      cwd: folder,
      stdio: 'pipe',
    })
    const query = readFileSync(join(folder, 'query'))
    const nonce = readDerSequence(query).findLast(({ tag }) => tag === INTEGER)?.content
    return { query, nonce }
  }
  const isGoodForOpenssl = (token: Buffer) => {
    writeFileSync(join(folder, 'token'), token)
    return (
      openssl('ts', '-verify', '-queryfile', 'query', '-token_in', '-in', 'token', '-CAfile', 'tsa-ca.pem').status === 0
    )
  }

  test.each(['honest', 'unaltered', 'below'] as const)('%s: both accept it', async (mode) => {
    const { query, nonce } = queryOf(TEXT)
    const token = await authority.token(query, mode)
    const genTime = checkTimestampToken(token, TEXT, authorities(), { nonce })
    expect(Math.abs(genTime.getTime() - Date.now())).toBeLessThan(60_000)
    expect(isGoodForOpenssl(token)).toBe(true)
  })

  const REASONS: Record<string, RegExp> = {
    'another imprint': /is for other content/,
    'another nonce': /belongs to another request/,
    'signer without the purpose': /not a timestamp authority/,
    'signer with further purposes': /not a timestamp authority/,
    'signer whose purpose is not critical': /not a timestamp authority/,
    'signer of another authority': /does not lead to the trusted authority/,
    'expired signer': /does not lead to the trusted authority/,
    'signer below an authority too many': /longer than an authority allows/,
    'no certificate': /no certificate of its signer/,
    'no name of the certificate': /does not identify the certificate/,
  }
  test.each(Object.keys(REASONS))('%s: neither accepts it', async (mode) => {
    const { query, nonce } = queryOf(TEXT)
    const token = await authority.token(query, mode as never)
    expect(() => checkTimestampToken(token, TEXT, authorities(), { nonce })).toThrow(REASONS[mode])
    expect(isGoodForOpenssl(token)).toBe(false)
  })

  test('review-3-scale S1: a token is checked in 1.5 ms of processor time, and one that is known in a fifth of it', async () => {
    const { query, nonce } = queryOf(TEXT)
    const token = await authority.token(query, 'honest')
    const eachOf = (demands: { nonce?: Uint8Array }) =>
      leastProcessorTime(() => {
        for (let count = 0; count < 100; count += 1) checkTimestampToken(token, TEXT, authorities(), demands)
      }) / 100
    // Requested tokens are always verified.
    const checked = eachOf({ nonce })
    expect(checked).toBeLessThan(1.5)
    expect(eachOf({})).toBeLessThan(checked / 5)
  })

  test('a token with a changed byte has the same content, and one with bytes after it is invalid', async () => {
    const { query } = queryOf(TEXT)
    const token = await authority.token(query, 'honest')
    const trusted = timestampAuthoritiesOf(`${timestampCa}\n`)
    const genTime = checkTimestampToken(token, TEXT, trusted)
    let accepted = 0
    for (let at = 0; at < token.length; at += 1) {
      const changed = Buffer.from(token)
      changed[at] = (changed[at] as number) ^ 0x01
      const answer = () => checkTimestampToken(changed, TEXT, trusted)
      try {
        expect(answer()).toEqual(genTime)
        accepted += 1
      } catch (error) {
        expect((error as Error).message).not.toMatch(/^expected/)
      }
    }
    // No signature covers versions, algorithm parameters and the list of digests.
    expect(accepted).toBeLessThan(30)
    expect(() => checkTimestampToken(Buffer.concat([token, Buffer.from([0])]), TEXT, trusted)).toThrow()
  })

  test('every lie is listed; the caller validates the time of a token', () => {
    expect(LYING_MODES.filter((mode) => !(mode in REASONS))).toEqual(['an hour late', 'an hour early'])
  })

  test('of an authority whose certificate has ended since: the token stays good at its time', async () => {
    const { query } = queryOf(TEXT)
    const begin = beginOf(authority.caFile, 'expired')
    const token = await authority.token(query, { signer: 'expired', time: begin })
    expect(checkTimestampToken(token, TEXT, authorities())).toEqual(begin)
  })
})
