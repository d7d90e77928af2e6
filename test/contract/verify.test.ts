import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webDocuments } from '../../src/outside/documents.ts'
import { FORMS, forged, type IssuingGateway, METADATA, startIssuingGateway } from '../support/credentials.ts'
import { createWorkspace, newGln, startTestGateway } from '../support/gateway.ts'
import { passportClient } from '../support/passport-client.ts'
import { dpp, freePort } from '../support/process.ts'
import { standard } from '../support/reference-tools.ts'

let issuing: IssuingGateway
let id: string
let folder: string

beforeAll(async () => {
  issuing = await startIssuingGateway()
  folder = mkdtempSync(join(tmpdir(), 'dpp-verify-'))
  id = await issuing.given(METADATA.batteries ?? {})
  for (const [name, accept] of Object.entries(FORMS))
    writeFileSync(join(folder, name), await issuing.credential(id, accept))
  await keep()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await issuing.gateway.close()
})

/** Saves the issuer's published documents in the folder, as `wget -x` does. */
async function keep() {
  const tenant = `${issuing.url}/`
  const metadata = `${new URL(issuing.url).origin}/.well-known/jwt-vc-issuer${new URL(issuing.url).pathname}`
  for (const url of [`${tenant}did.json`, `${tenant}status/revocation`, `${tenant}status/tokens`, metadata]) {
    const { host, pathname } = new URL(url)
    const file = join(folder, host, pathname)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, await issuing.read(url))
  }
}

const verify = async (file: string, ...more: string[]) => {
  const { stdout, stderr, code } = await dpp(['verify', join(folder, file), '--json', ...more], {})
  return { stderr, code, ...JSON.parse(stdout) }
}
const offline = (file: string) => verify(file, '--offline', folder)

describe('dpp verify --offline', () => {
  test.each([
    ['jwt', 'vc+jwt'],
    ['dataIntegrity', 'data-integrity'],
    ['sdJwt', 'dc+sd-jwt'],
  ])('says that %s holds, with everything that was asked and no network', async (file, form) => {
    const { code, valid, checks, ...rest } = await offline(file)
    expect([code, valid, rest.form, rest.stderr]).toEqual([0, true, form, ''])
    const names = checks
      .filter(({ ok }: { ok: boolean | null }) => ok === true)
      .map(({ name }: { name: string }) => name)
    expect(names.sort()).toEqual(['content', 'form', 'issuer', 'key', 'signature', 'status', 'validity'])
  })

  test.skipIf(standard('untp') === undefined)(
    'checks meaning and schema with what the folder has of UNTP',
    async () => {
      const published = {
        'vocabulary.uncefact.org/untp/0.7.0/context/index.html': 'untp/0.7.0/untp-context.jsonld',
        'untp.unece.org/artefacts/schema/v0.7.0/dpp/DigitalProductPassport.json':
          'untp/0.7.0/DigitalProductPassport.reconstructed.json',
      }
      for (const [at, path] of Object.entries(published)) {
        mkdirSync(dirname(join(folder, at)), { recursive: true })
        writeFileSync(join(folder, at), readFileSync(standard(path) ?? ''))
      }
      for (const file of ['jwt', 'dataIntegrity']) {
        const { valid, checks } = await offline(file)
        expect([file, valid]).toEqual([file, true])
        expect(checks).toContainEqual({ name: 'content', ok: true, detail: expect.stringContaining('every term') })
        expect(checks).toContainEqual({ name: 'schema', ok: true, detail: expect.any(String) })
      }
      const schema = join(folder, 'untp.unece.org/artefacts/schema/v0.7.0/dpp/DigitalProductPassport.json')
      writeFileSync(schema, JSON.stringify({ required: ['absent'] }))
      expect((await offline('jwt')).valid).toBe(false)
      rmSync(schema)
    },
  )

  test('says in lines what is wrong, and ends with 1', async () => {
    writeFileSync(
      join(folder, 'forged'),
      forged(readFileSync(join(folder, 'jwt'), 'utf8'), { payload: { name: 'Other' } }),
    )
    const { stdout, code } = await dpp(['verify', join(folder, 'forged'), '--offline', folder], {})
    expect(code).toBe(1)
    expect(stdout).toMatch(/^vc\+jwt: NOT VALID\n/)
    expect(stdout).toMatch(/FAIL {2}signature/)
  })

  test('says which document the folder lacks', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true })
    const { checks, code, verdict } = await verify('jwt', '--offline', join(folder, 'empty'))
    expect([code, verdict]).toEqual([4, 'undecided'])
    expect(checks.find(({ name }: { name: string }) => name === 'key').detail).toContain('did.json is not in')
  })

  test('sees a revocation in the list that was kept after it', async () => {
    await issuing.passports.setStatus(id, 'RECALLED')
    await keep()
    for (const file of Object.keys(FORMS)) {
      const { valid, checks } = await offline(file)
      expect([file, valid]).toEqual([file, false])
      expect(checks.find(({ name }: { name: string }) => name === 'status').ok).toBe(false)
    }
    await issuing.passports.setStatus(id, 'ACTIVE')
    await keep()
    expect((await offline('jwt')).valid).toBe(true)
  })

  test('names a file that is not there', async () => {
    const { code, error } = await verify('absent')
    expect([code, error]).toEqual([3, expect.stringMatching(/^File .*absent not found\.$/)])
  })
})

describe('the output of dpp verify, and its exit code', () => {
  const verifyText = async (text: string | Uint8Array, ...more: string[]) => {
    const file = join(folder, 'told')
    writeFileSync(file, text)
    const { stdout, stderr, code } = await dpp(['verify', file, ...more], {})
    return { stdout, stderr, code }
  }

  test('0: valid; 4: fits, but its status is unknown, unless that is allowed', async () => {
    const jwt = readFileSync(join(folder, 'jwt'), 'utf8')
    const part = mkdtempSync(join(tmpdir(), 'dpp-part-'))
    const { host, pathname } = new URL(`${issuing.url}/did.json`)
    mkdirSync(dirname(join(part, host, pathname)), { recursive: true })
    copyFileSync(join(folder, host, pathname), join(part, host, pathname))
    const whole = await verifyText(jwt, '--offline', folder)
    expect([whole.code, whole.stdout.split('\n')[0], whole.stderr]).toEqual([0, 'vc+jwt: valid', ''])
    const open = await verifyText(jwt, '--offline', part)
    expect([open.code, open.stdout.split('\n')[0]]).toEqual([4, 'vc+jwt: fits, but its status is unknown'])
    expect(open.stdout).toMatch(
      /\n {2}\? {5}status .* is not in .*\n {20}Retry later, or accept an unknown status with --allow-unknown-status\./,
    )
    const allowed = await verifyText(jwt, '--offline', part, '--allow-unknown-status')
    expect([allowed.code, allowed.stdout.split('\n')[0]]).toEqual([0, 'vc+jwt: valid'])
    rmSync(part, { recursive: true })
  })

  test('1: revoked, in words', async () => {
    await issuing.passports.setStatus(id, 'RECALLED')
    await keep()
    const { code, stdout } = await verifyText(readFileSync(join(folder, 'jwt'), 'utf8'), '--offline', folder)
    expect([code, stdout.split('\n')[0]]).toEqual([1, 'vc+jwt: NOT VALID'])
    expect(stdout).toMatch(
      /FAIL {2}status {6}The issuer has revoked the credential.*\n {20}Do not rely on this document/,
    )
    await issuing.passports.setStatus(id, 'ACTIVE')
    await keep()
  })

  test.each([
    ['no UTF-8', Uint8Array.of(0x7b, 0xff), /is not UTF-8 text/],
    ['no JSON', '{"a":', /cannot be read[\s\S]*is not JSON/],
    ['no form that is known', '{"a":1}', /cannot be read[\s\S]*Unsupported format/],
    ['no token', 'a.b.c', /cannot be read[\s\S]*Unsupported format/],
    ['too much', ' '.repeat(5 * 1024 * 1024), /has more than 4194304 bytes/],
  ])('3: %s', async (_, text, expected) => {
    const { code, stdout, stderr } = await verifyText(text)
    expect([code, `${stdout}${stderr}`]).toEqual([3, expect.stringMatching(expected)])
  })

  test('3: an address that does not answer', async () => {
    const { code, stderr } = await dpp(['verify', 'http://localhost:1/passport'], {})
    expect([code, stderr]).toEqual([3, expect.stringMatching(/^http:\/\/localhost:1\/passport cannot be read: /)])
  })

  test('nothing that a stranger wrote reaches the terminal as a command', async () => {
    const evil = 'did:web:\u001b[2J\u202e\u0007.example'
    const forged = [
      { alg: 'ES256', typ: 'vc+jwt', kid: evil },
      { issuer: evil, '@context': [evil], type: evil },
    ]
    const [header, payload] = forged.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    const { code, stdout } = await verifyText(`${header}.${payload}.AAAA`)
    expect(code).toBe(1)
    expect(stdout).toMatch(/did:web:/)
    expect(stdout).not.toMatch(/[^\P{C}\n]/u)
  })
})

test('a gateway on this machine is asked only by who says so', async () => {
  const port = await freePort()
  const gateway = await startTestGateway({ PORT: String(port), BASE_URL: `http://localhost:${port}` })
  try {
    const workspace = await createWorkspace(gateway)
    const { body } = await gateway.request('POST', '/api/v1/facilities', {
      headers: workspace.as,
      json: { gln: newGln(), name: 'Works', country: 'PT', streetAddress: 'Rua 1', city: 'Porto' },
    })
    const { id } = await passportClient(gateway, workspace.as).given({
      metadata: METADATA.textiles ?? {},
      facilityId: body.facility.id,
    })
    for (const [name, accept] of Object.entries(FORMS)) {
      const { text } = await gateway.request('GET', `/passport/${id}`, { headers: { accept } })
      const file = join(folder, `local-${name}`)
      writeFileSync(file, text)
      const shy = await dpp(['verify', file], {})
      expect([name, shy.code, shy.stdout]).toEqual([name, 4, expect.stringContaining('add --allow-localhost')])
      const { code, stdout } = await dpp(['verify', file, '--allow-localhost'], {})
      expect([name, code, stdout]).toEqual([name, 0, expect.stringMatching(/^\S+: valid\n/)])
    }
    const direct = await dpp(['verify', `http://localhost:${port}/passport/${id}`, '--allow-localhost'], {})
    expect([direct.code, direct.stdout.split('\n')[0]]).toEqual([0, 'vc+jwt: valid'])
  } finally {
    await gateway.close()
  }
}, 120_000)

describe('documents from the web', () => {
  test.each(['http://dpp.example.test/did.json', 'file:///etc/passwd', 'ftp://x.example/'])(
    '%s is refused',
    async (url) => {
      await expect(webDocuments().read(url, '*/*')).rejects.toThrow('must begin with https://')
    },
  )

  test('are read from this machine, and a refusal is named', async () => {
    const at = `${issuing.gateway.origin}/tenants/${issuing.workspace.id}/did.json`
    expect(JSON.parse(await webDocuments({ allowLocalhost: true }).read(at, '*/*')).id).toBe(issuing.did)
    await expect(
      webDocuments({ allowLocalhost: true }).read(`${issuing.gateway.origin}/tenants/x/did.json`, '*/*'),
    ).rejects.toThrow('responded with 404')
  })
})
