import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webDocuments } from '../../src/verify/documents.ts'
import { FORMS, forged, type IssuingGateway, METADATA, standard, startIssuingGateway } from '../support/credentials.ts'
import { dpp } from '../support/process.ts'

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

/** Puts what the issuer publishes into the folder, as `wget -x` does. */
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
    const asked = checks
      .filter(({ ok }: { ok: boolean | null }) => ok === true)
      .map(({ name }: { name: string }) => name)
    expect(asked.sort()).toEqual(['content', 'form', 'issuer', 'key', 'signature', 'status', 'validity'])
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
    expect([code, error]).toEqual([3, expect.stringMatching(/^There is no file .*absent\.$/)])
  })
})

describe('documents from the web', () => {
  test.each(['http://dpp.example.test/did.json', 'file:///etc/passwd', 'ftp://x.example/'])(
    '%s is refused',
    async (url) => {
      await expect(webDocuments().read(url, '*/*')).rejects.toThrow('is not an https address')
    },
  )

  test('are read from this machine, and a refusal is named', async () => {
    const at = `${issuing.gateway.origin}/tenants/${issuing.workspace.id}/did.json`
    expect(JSON.parse(await webDocuments({ allowLocalhost: true }).read(at, '*/*')).id).toBe(issuing.did)
    await expect(
      webDocuments({ allowLocalhost: true }).read(`${issuing.gateway.origin}/tenants/x/did.json`, '*/*'),
    ).rejects.toThrow('answered 404')
  })
})
