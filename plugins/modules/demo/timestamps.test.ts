import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasOpenssl } from '../../../test/support/timestamp-authority.ts'
import { startDemoTimestamps } from './timestamps.ts'

// The demo's authority, queried and verified by openssl. documentation.test.ts covers its tokens in seals of a demo.

describe.skipIf(!hasOpenssl)('the timestamp authority of the demo (needs openssl)', () => {
  let folder: string
  let authority: Awaited<ReturnType<typeof startDemoTimestamps>>
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
  const ask = (body: Uint8Array<ArrayBuffer>) => fetch(authority.tsaUrl, { method: 'POST', body })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dpp-demo-tsa-'))
    authority = await startDemoTimestamps(folder)
    writeFileSync(join(folder, 'data'), 'what is dated')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test.each([[['-cert']], [['-cert', '-no_nonce']], [['-cert', '-sha512']]])(
    'answers %j as openssl asks',
    async (options) => {
      openssl('ts', '-query', '-data', 'data', ...options, '-out', 'query')
      const reply = await ask(Uint8Array.from(readFileSync(join(folder, 'query'))))
      expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/timestamp-reply'])
      writeFileSync(join(folder, 'reply'), await reply.bytes())
      const verify = ['ts', '-verify', '-queryfile', 'query', '-in', 'reply', '-CAfile', 'demo-tsa-ca.pem']
      expect(openssl(...verify)).toContain('Verification: OK')
      // The token covers only the requested data.
      writeFileSync(join(folder, 'other'), 'something else')
      expect(() => openssl('ts', '-verify', '-data', 'other', '-in', 'reply', '-CAfile', 'demo-tsa-ca.pem')).toThrow()
    },
  )

  test('rejects invalid and too long queries', async () => {
    for (const body of ['', 'hello', 'x'.repeat(1025)]) expect((await ask(Buffer.from(body))).status).toBe(400)
  })

  test('keeps its key readable only by its owner, and its name: earlier timestamps stay valid', async () => {
    expect(statSync(join(folder, 'demo-tsa.pem')).mode & 0o777).toBe(0o600)
    const { tsaCa, tsaUrl } = await startDemoTimestamps(folder)
    expect([tsaCa, tsaUrl === authority.tsaUrl]).toEqual([authority.tsaCa, false])
    expect(readFileSync(join(folder, 'demo-tsa-ca.pem'), 'utf8')).toBe(tsaCa)
    expect(tsaCa).not.toContain('PRIVATE KEY')
  })
})
