import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FORMS, forged, METADATA, startIssuingGateway } from '../support/credentials.ts'
import { dpp } from '../support/process.ts'
import { unitClient } from '../support/unit-client.ts'

const issuing = await startIssuingGateway()
const folder = mkdtempSync(join(tmpdir(), 'dpp-verify-many-'))
const known = join(folder, 'known')
const id = await issuing.given(METADATA.batteries ?? {})
const jwt = await issuing.credential(id, FORMS.jwt)
const embedded = JSON.parse(await issuing.credential(id, FORMS.dataIntegrity))

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await issuing.gateway.close()
})
beforeAll(async () => {
  for (const part of ['did.json', 'status/revocation', 'status/tokens']) {
    const url = `${issuing.url}/${part}`
    const { host, pathname } = new URL(url)
    mkdirSync(dirname(join(known, host, pathname)), { recursive: true })
    writeFileSync(join(known, host, pathname), await issuing.read(url))
  }
})

const file = (name: string, content: string | Uint8Array | object) => {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  const isRaw = typeof content === 'string' || content instanceof Uint8Array
  writeFileSync(path, isRaw ? content : JSON.stringify(content))
  return path
}
const verify = (...args: string[]) => dpp(['verify', '--offline', known, ...args], {})
const verified = async (content: string | Uint8Array | object) => {
  const { code, stdout } = await verify(file('one', content), '--json')
  return { code, ...JSON.parse(stdout) }
}

describe('review-3-users O3: many documents', () => {
  const good = () => file('many/a-good.jwt', jwt)
  const bad = () => file('many/b-bad.jwt', forged(jwt, { payload: { name: 'Other' } }))

  test('are a row each, of files, folders and lists; the worst decides the exit code', async () => {
    good()
    bad()
    const list = file('list.txt', `# two of them\n${good()}\n\n  ${join(folder, 'absent')}  \n`)
    const { code, stdout, stderr } = await verify(join(folder, 'many'), '--from', list)
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').slice(0, 3)),
    ).toEqual([
      ['valid', 'vc+jwt', good()],
      ['not valid', 'vc+jwt', bad()],
      ['valid', 'vc+jwt', good()],
      ['unreadable', '', join(folder, 'absent')],
    ])
    expect(stdout).toContain(`File ${join(folder, 'absent')} not found.`)
    expect([code, stderr]).toEqual([1, '4 documents: 1 not valid, 1 unreadable, 2 valid.\n'])
    expect((await verify(good(), good())).code).toBe(0)
    expect((await verify(good(), join(folder, 'absent'))).code).toBe(3)
    expect((await verify(good(), file('sheet.html', '<!DOCTYPE html><p>'))).code).toBe(4)
  })

  test('as JSON and as CSV', async () => {
    const asJson = await verify(good(), bad(), '--json')
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      documents: [
        { document: good(), verdict: 'valid', form: 'vc+jwt' },
        { document: bad(), verdict: 'not valid' },
      ],
      counts: { valid: 1, 'not valid': 1, undecided: 0, unreadable: 0 },
    })
    const { code, stdout } = await verify(file('=1+1.jwt', jwt), bad(), '--csv')
    const [heading, first, second] = stdout.trimEnd().split('\n')
    expect([code, heading]).toEqual([1, 'document,verdict,format,reason'])
    expect(first).toBe(`${join(folder, '=1+1.jwt')},valid,vc+jwt,`)
    expect(second).toMatch(/,not valid,vc\+jwt,\S/)
  })
})

describe('review-3-users O2: an address that limits the rate', () => {
  let server: Server
  let answer: RequestListener = () => {}
  beforeAll(async () => {
    server = createServer((request, response) => answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  test.each([
    ['by its header', { 'retry-after': '1' }, ''],
    ['by its words', {}, '{"message":"Rate limit exceeded, retry in 1 second"}'],
  ])('is read again when it says, %s', async (_, headers, body) => {
    let requests = 0
    answer = (__, response) => {
      requests += 1
      if (requests === 1) response.writeHead(429, headers).end(body)
      else response.end(jwt)
    }
    const url = `http://localhost:${(server.address() as AddressInfo).port}/passport`
    const { code, stderr, stdout } = await verify(url)
    expect([code, stdout.split('\n')[0]]).toEqual([0, 'vc+jwt: valid'])
    expect(stderr).toBe(`${url} limits the rate: next attempt in 1 s …\n`)
  })
})

describe('review-3-claims 7.1: a document without a signature is not a forgery', () => {
  const units = unitClient(issuing.gateway, issuing.workspace.as)
  const passport = (accept: string) => issuing.gateway.request('GET', `/passport/${id}`, { headers: { accept } })

  test.each([
    ['application/aas+json', 'AAS environment'],
    ['text/html', 'HTML page'],
  ])('%s', async (accept, form) => {
    const found = await verified((await passport(accept)).text)
    expect(found).toMatchObject({
      code: 4,
      verdict: 'undecided',
      form,
      checks: [{ name: 'form', ok: null, code: 'unsigned' }],
    })
  })

  test.each([
    ['PDF', Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n', 'latin1')],
    ['AASX or another ZIP package', Buffer.from('PK\x03\x04\x14\x00\xff', 'latin1')],
    ['XML', '<?xml version="1.0"?><a/>'],
    ['JSON-LD document', { '@context': 'https://schema.org' }],
  ])('%s', async (form, content) => {
    expect(await verified(content)).toMatchObject({ code: 4, verdict: 'undecided', form })
  })

  test('a link set', async () => {
    const { productId } = (await passport('application/ld+json')).body
    const { text } = await issuing.gateway.request('GET', `/01/${productId}?linkType=all`, {
      headers: { accept: 'application/linkset+json' },
    })
    expect(await verified(text)).toMatchObject({ code: 4, verdict: 'undecided', form: 'link set' })
  })

  test('a unit', async () => {
    const { id: unitId } = await units.given(id)
    const document = (
      await issuing.gateway.request('GET', `/unit/${unitId}`, { headers: { accept: 'application/ld+json' } })
    ).text
    expect(await verified(document)).toMatchObject({ code: 4, form: 'BatteryUnit document' })
    const { stdout } = await verify(file('unit.json', document))
    expect(stdout).toMatch(/^BatteryUnit document: not signed, nothing to verify\n/)
    expect(stdout).not.toMatch(/NOT VALID|FAIL/)
  })

  test('a credential that lost its proof stays not valid', async () => {
    const { proof: _proof, ...rest } = embedded
    expect(await verified(rest)).toMatchObject({ code: 1, verdict: 'not valid', form: 'data-integrity' })
  })
})

describe('review-3-inputs N28: credentials inside something else', () => {
  const presentation = (...verifiableCredential: unknown[]) => ({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: ['VerifiablePresentation'],
    verifiableCredential,
  })
  const enveloped = (compact: string) => ({
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    type: 'EnvelopedVerifiableCredential',
    id: `data:application/vc+jwt,${compact}`,
  })
  const wrong = forged(jwt, { payload: { name: 'Other' } })

  test.each([
    ['a presentation', presentation(embedded), 'presentation of 1 credential'],
    ['a presentation of several', presentation(embedded, enveloped(jwt), jwt), 'presentation of 3 credentials'],
    ['a VC-API body', { verifiableCredential: embedded, options: {} }, 'data-integrity'],
    ['a VC-API body with a JWT', { verifiableCredential: jwt }, 'vc+jwt'],
    [
      'a VC-API body with a presentation',
      { verifiablePresentation: presentation(jwt) },
      'presentation of 1 credential',
    ],
    ['a JWT in quotes', JSON.stringify(jwt), 'vc+jwt'],
  ])('%s is valid', async (_, content, form) => {
    expect(await verified(content)).toMatchObject({ code: 0, verdict: 'valid', form })
  })

  test('says that the presenter is not verified, and which credential is wrong', async () => {
    const { code, verdict, checks } = await verified(presentation(embedded, wrong))
    expect([code, verdict]).toEqual([1, 'not valid'])
    expect(checks[0]).toEqual({
      name: 'form',
      ok: true,
      detail: 'Each credential is verified. The presenter is not.',
    })
    const failures = checks.filter(({ ok }: { ok: boolean | null }) => ok === false)
    expect(failures.map(({ detail }: { detail: string }) => detail)).toEqual([expect.stringMatching(/^2, vc\+jwt: /)])
  })

  test.each([
    ['an unknown one', presentation(embedded, { a: 1 }), 4, 'undecided'],
    ['a presentation', presentation(presentation(embedded)), 4, 'undecided'],
    ['nothing', presentation(), 4, 'undecided'],
    ['too many', presentation(...Array(17).fill(jwt)), 3, 'not valid'],
    ['a wrong one in a body', { verifiableCredential: wrong }, 1, 'not valid'],
  ])('a presentation with %s', async (_, content, code, verdict) => {
    expect(await verified(content)).toMatchObject({ code, verdict })
  })
})
