import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { dpp } from '../../../test/support/process.ts'
import { GRANT } from './testing/clean-documents.ts'
import { type Request, startService } from './testing/clean-service.ts'

const service = await startService()
const { link } = service.documents
const folder = mkdtempSync(join(tmpdir(), 'dpp-conformance-'))
afterEach(() => service.plant(undefined))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service.close()
})

const run = (...args: string[]) => dpp(['conformance', ...args], {})

/** Records the requests of a run. */
async function requestsOf(...args: string[]): Promise<Request[]> {
  const requests: Request[] = []
  service.plant((response, request) => {
    requests.push(request)
    return response
  })
  await run(...args)
  return requests
}

describe('a run', () => {
  test('without faults exits with 0, and says what was skipped and why', async () => {
    const { code, stdout } = await run(link, '--only', 'http,caching', '--allow-localhost')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^skip {2}1 check of http: the service does not compress$/m)
    expect(stdout).toMatch(/^41 checks: \d+ passed, 0 failed, 0 warnings, \d+ skipped; \d+ requests\.$/m)
  })

  test('with a fault exits with 1, and shows clause, request and response', async () => {
    service.plant((response, { path }) => (path.endsWith('gs1resolver') ? { ...response, status: 500 } : response))
    const { code, stdout } = await run(link, '--only', 'gs1.description')
    expect(code).toBe(1)
    expect(stdout).toContain('FAIL  gs1.description  The resolver describes itself')
    expect(stdout).toContain('(GS1-Conformant Resolver 1.2, 7)')
    expect(stdout).toContain('Status 500, expected 200.')
    expect(stdout).toContain(`> GET ${service.base}/.well-known/gs1resolver`)
    expect(stdout).toContain('< 500 application/json {"name":"Resolver"')
  })

  test('with a warning exits with 0', async () => {
    service.plant((response) => ({ ...response, headers: { ...response.headers, 'x-content-type-options': '' } }))
    const { code, stdout } = await run(link, '--only', 'http.no-sniffing')
    expect([code, stdout]).toEqual([0, expect.stringContaining('WARN  http.no-sniffing')])
  })

  test('finds the passport of a page that links to it, or of an interface', async () => {
    const { code, stdout } = await run(service.base, '--only', 'en18222', '--json')
    const { passportId, productId, counts } = JSON.parse(stdout)
    expect([code, passportId, productId, counts.fail]).toEqual([0, service.documents.dppId, link, 0])
    const base = await run(`${service.base}/v1`, '--product', link, '--only', 'en18222.read-by-id', '--json')
    expect(JSON.parse(base.stdout)).toMatchObject({ passportId, counts: { pass: 1 } })
  })

  test('of a service without EN 18222 skips its checks with the reason', async () => {
    service.plant((response, { path }) => (path.startsWith('/v1/') ? { ...response, status: 404, body: '' } : response))
    const { code, stdout } = await run(link, '--only', 'http,en18222,en18223')
    expect(code).toBe(0)
    expect(stdout).toContain(`no EN 18222 interface at ${service.base}/v1 (status 404)`)
    const stated = await run(link, '--api', `${service.base}/v1`, '--only', 'en18222')
    expect([stated.code, stated.stdout]).toEqual([1, expect.stringContaining('FAIL  en18222.read-by-id')])
  })

  test('that can test nothing exits with 4', async () => {
    const { code, stdout } = await run(link, '--only', 'en18216.tls-1.2')
    expect([code, stdout]).toEqual([4, expect.stringContaining('the address is not HTTPS')])
  })

  test('of a service that does not respond exits with 3', async () => {
    const { code, stderr } = await run('http://localhost:1/01/09506000134352')
    expect([code, stderr]).toEqual([3, expect.stringContaining('No response')])
  })
})

describe('output', () => {
  test('as JSON has every check with its verdict, and hides credentials', async () => {
    service.plant((response, { path }) => (path.startsWith('/01/') ? { ...response, status: 500 } : response))
    const { stdout } = await run(link, '--only', 'caching,access', '--grant', GRANT, '--json')
    const { checks } = JSON.parse(stdout)
    expect(new Set(checks.map(({ level }: { level: string }) => level))).toEqual(new Set(['shall', 'should']))
    const [failed] = checks.filter(({ verdict }: { verdict: string }) => verdict === 'fail')
    expect(failed).toMatchObject({ id: expect.any(String), clause: expect.any(String), reason: expect.any(String) })
    expect(failed.exchanges[0]).toMatchObject({ request: { method: 'GET' }, response: { status: 500 } })
    expect(stdout).toContain('"authorization":"…"')
    expect(stdout).not.toContain(GRANT)
  })

  test('as JUnit is XML with failures and skipped tests', async () => {
    service.plant((response, { path }) => (path.endsWith('gs1resolver') ? { ...response, body: '<&"]]>' } : response))
    const { stdout } = await run(link, '--only', 'gs1,seals', '--junit')
    const counted = (pattern: RegExp) => stdout.match(pattern)?.length ?? 0
    expect(stdout.match(/(?<=<testsuite name=")\w+/g)).toEqual(['gs1', 'seals'])
    expect(counted(/<testcase /g)).toBe(48)
    expect(counted(/<failure message="The body is not JSON/g)).toBe(1)
    expect(counted(/<skipped /g)).toBeGreaterThan(7)
    expect(stdout).toContain('&lt; 200 application/json &lt;&amp;&quot;]]&gt;')
    // Every "<" begins a tag.
    expect(counted(/</g)).toBe(counted(/<(?:\?xml|\/?test(?:suites?|case)|\/?failure|skipped|\/?system-out)\b/g))
  })

  test('--list shows the checks without a request', async () => {
    const { code, stdout } = await run('--list', '--only', 'http')
    expect([code, stdout.trimEnd().split('\n').length]).toEqual([0, 24])
    expect(stdout).toMatch(/^http\.head\tRFC 9110, 9\.3\.2\tHEAD responds as GET, without a body$/m)
  })
})

describe('requests', () => {
  test('change nothing without --write', async () => {
    const methods = new Set((await requestsOf(link)).map(({ method, path }) => `${method} ${path.slice(0, 20)}`))
    const unsafe = [...methods].filter(
      (text) => /^(?:PUT|PATCH|DELETE)/.test(text) || /^POST (?!\/v1\/dppsByProductId)/.test(text),
    )
    expect(unsafe).toEqual([])
    const written = await requestsOf(link, '--write', '--only', 'en18222-writes')
    expect(written.map(({ method }) => method)).toContain('PATCH')
  })

  test('end at their limit, which exits with 4', async () => {
    const { code, stdout } = await run(link, '--max-requests', '20')
    expect([code, stdout]).toEqual([4, expect.stringMatching(/20 requests\. Ended early: the limit of 20 requests/)])
  })

  test('carry the token only where a check needs it', async () => {
    const requests = await requestsOf(link, '--grant', GRANT)
    const withToken = requests.filter(({ headers }) => headers.authorization === `Bearer ${GRANT}`)
    expect(withToken.length).toBeGreaterThan(0)
    expect(withToken.every(({ method }) => method === 'GET')).toBe(true)
    expect(requests.some(({ query }) => [...query.values()].includes(GRANT))).toBe(false)
  })

  test('to this machine that a document names are sent only if allowed', async () => {
    const paths: string[] = []
    const other = createServer((request, response) => {
      paths.push(request.url ?? '')
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    service.plant((response, { path }) =>
      path === '/01/09506000134352'
        ? { ...response, status: 307, headers: { location: `http://localhost:${port}/x` } }
        : response,
    )
    const shut = await run(link, '--only', 'http.get')
    expect([shut.code, shut.stdout, paths]).toEqual([1, expect.stringContaining('add --allow-localhost'), []])
    await run(link, '--only', 'http.get', '--allow-localhost')
    expect(paths).toContain('/x')
    other.close()
  })

  test('to another host carry no token', async () => {
    const tokens: (string | undefined)[] = []
    const other = createServer((request, response) => {
      tokens.push(request.headers.authorization)
      response.end('{}')
    })
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const location = `http://localhost:${(other.address() as AddressInfo).port}/x`
    service.plant((response, { headers }) =>
      headers.authorization === undefined ? response : { ...response, status: 307, headers: { location } },
    )
    await run(link, '--only', 'access,caching', '--grant', GRANT, '--allow-localhost')
    expect(new Set(tokens)).toEqual(new Set([undefined]))
    other.close()
  })

  test('are repeated after a rate limit', async () => {
    let count = 0
    service.plant((response, { path }) => {
      count += path === '/.well-known/gs1resolver' ? 1 : 0
      const isLimited = path === '/.well-known/gs1resolver' && count === 1
      return isLimited ? { status: 429, headers: { 'retry-after': '0' }, body: '' } : response
    })
    const { code, stderr } = await run(link, '--only', 'gs1.description')
    expect([code, count, stderr]).toEqual([0, 2, expect.stringContaining('limits the rate')])
  })
})

describe('usage', () => {
  test.each([
    [[], 'URL is missing'],
    [['ftp://service.example/'], 'URL must be a web address'],
    [['https://user:secret@service.example/'], 'must not contain a user name'],
    [['https://service.example/', '--only', 'nothing'], 'no check is named nothing. Run with --list.'],
    [['http://service.example/', '--key', 'secret'], '--key needs an https URL'],
    [['https://service.example/', '--key', 'two words'], 'without spaces'],
    [['https://service.example/', '--max-requests', 'many'], '--max-requests must be a number'],
  ])('%j is wrong', async (args, words) => {
    const { code, stderr } = await run(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(stderr).not.toMatch(/secret@|two words/)
  })

  test('a missing document for CreateDPP cannot be read', async () => {
    expect((await run(link, '--create', join(folder, 'absent'))).code).toBe(3)
    writeFileSync(join(folder, 'new.json'), '{}')
    const { stdout } = await run(
      link,
      '--write',
      '--key',
      'key-of-the-operator',
      '--create',
      join(folder, 'new.json'),
      '--only',
      'en18222-writes',
    )
    expect(stdout).toContain('the service does not offer CreateDPP (501)')
  })
})
