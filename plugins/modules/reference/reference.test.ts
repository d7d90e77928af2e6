import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../../test/support/gateway.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import { createReference } from './reference.ts'

const { gateway, workspace } = await useGateway()
const { contract } = gateway.container.cradle
const { document, operations } = contract

const folder = mkdtempSync(join(tmpdir(), 'dpp-reference-'))
writeFileSync(join(folder, 'picture.jpeg'), 'no picture')
afterAll(() => rmSync(folder, { recursive: true }))

const get = (path: string, headers: Record<string, string> = {}) => gateway.request('GET', path, { headers })

const pages = new Map<string, string>()
for (const address of createReference(contract, 'http://localhost').addresses) {
  const path = address === '' ? '/docs' : `/docs/${address}`
  const { status, text } = await get(path)
  expect([path, status]).toEqual([path, 200])
  pages.set(path, text)
}
const page = (path: string): string => pages.get(path) ?? ''
const readable = (text: string) =>
  text
    .replace(/<(style|script)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe('the pages', () => {
  test('are one for each tag, operation and schema, and say what the contract says of it', () => {
    expect(pages.size).toBe(
      3 + document.tags.length + operations.size + Object.keys(document.components.schemas).length,
    )
    for (const { operationId, method, path } of operations.values()) {
      const { summary, tags } = document.paths[path][method.toLowerCase()]
      const text = readable(page(`/docs/${operationId}`))
      expect(text).toContain(summary)
      expect(text.replace(/\s+/g, ' ')).toContain(`${method} ${path}`)
      expect(page(`/docs/${tags[0]}`)).toContain(`<li id="${operationId}"><a href="/docs/${operationId}">`)
      expect(page('/docs')).toContain(`<a href="/docs/${operationId}">`)
    }
    for (const name of Object.keys(document.components.schemas)) {
      expect(page('/docs/schemas')).toContain(`<a href="/docs/schemas/${name}">`)
    }
  })

  test('lead to each other without a gap', () => {
    const broken: string[] = []
    for (const [path, text] of pages) {
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
      expect(ids.length, path).toBe(new Set(ids).size)
      for (const [, href = ''] of text.matchAll(/<a [^>]*?href="([^"]*)"/g)) {
        const [target = '', fragment] = href.split('#')
        const at = target === '' ? path : target
        const isKnown = at.startsWith('/docs') ? pages.has(at) : ['/openapi.json', '/openapi.yaml'].includes(at)
        const isThere = fragment === undefined || page(at).includes(` id="${fragment}"`)
        if (!(isKnown && isThere)) broken.push(`${path}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('contain only texts for readers, and no foreign markup', () => {
    for (const [path, text] of pages) {
      const pageText = readable(text)
      expect(pageText, path).not.toMatch(/\[object |\bundefined\b|\bNaN\b|&lt;|&amp;/)
      const tags = new Set(
        [...text.replace(/<(style|script)[\s\S]*?<\/\1>/g, '').matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(
          ([, tag]) => tag,
        ),
      )
      expect(
        [...tags].filter((tag) => !TAGS.has(tag as string)),
        path,
      ).toEqual([])
      expect(text.match(/<script/g), path).toHaveLength(1)
      expect(text, path).not.toMatch(/ (on[a-z]+|style)=/)
    }
  })

  test('are small, and all together take little memory', async () => {
    const sizes = [...pages].map(([path, text]) => ({ path, bytes: Buffer.byteLength(text) }))
    expect(
      sizes.filter(
        ({ path, bytes }) =>
          bytes > (path === '/docs' || path === '/docs/schemas' || path === '/docs/errors' ? 400_000 : 100_000),
      ),
    ).toEqual([])
    const cached = await Promise.all(
      [...pages.keys()].map(async (path) => (await get(path, { 'accept-encoding': 'br' })).bytes.length),
    )
    expect(cached.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(6_000_000)
  })

  test('state the permission, the limits and the gates of an operation, and what it takes and answers', () => {
    const text = readable(page('/docs/createPassport')).replace(/\s+/g, ' ')
    for (const expected of [
      'permission passport:create',
      'body up to 1 MiB',
      'gate mfa',
      'idempotent with Idempotency-Key',
      'Idempotency-Key in header',
      'productId required · string · at most 200 characters',
      'As ValidationFailed'.slice(3),
      'Example of a body',
    ]) {
      expect(text).toContain(expected)
    }
    expect(readable(page('/docs/getFrontPage'))).toContain('rate limit resolver-limit')
    expect(readable(page('/docs/getFrontPage'))).toContain('provisional')
  })

  test('review-3-users I1: approve an undecided request', () => {
    for (const operation of ['approveGrant', 'denyGrant']) {
      expect(readable(page(`/docs/${operation}`))).toContain('select(.status == "PENDING")')
    }
    expect(readable(page('/docs/revokeGrant'))).toContain('.grants[0].id')
    expect(readable(page('/docs/createWebhookSubscription'))).toContain('RECEIVER_URL=https://example.com/events')
  })

  test('explain every form of errors with who answers it, and every code', () => {
    const text = page('/docs/errors')
    for (const name of [
      'StandardError',
      'MinimalError',
      'ValidationFailed',
      'RowErrors',
      'FrameworkError',
      'BareError',
    ]) {
      expect(text).toContain(`>${name}</h2>`)
    }
    expect(readable(text)).toContain('Errors have five formats')
    const { schemas } = document.components
    for (const code of [...schemas.ErrorCode.enum, ...schemas.FrameworkCode.enum]) {
      const [, entry = ''] = text.split(`<div id="${code}">`)
      expect(
        readable(entry.split('</div>')[0] ?? '')
          .trim()
          .split(/\s+/).length,
        code,
      ).toBeGreaterThan(3)
    }
  })

  test('tell who subscribes what comes, and how to know that it is from here', () => {
    const text = page('/docs/webhooks')
    const { WebhookEventType } = document.components.schemas
    expect(Object.keys(document.webhooks).toSorted()).toEqual(WebhookEventType.enum.toSorted())
    for (const event of WebhookEventType.enum) expect(text).toContain(`<div id="${event}">`)
    expect(readable(text)).toContain('HMAC-SHA256 over')
    expect(readable(text)).toContain('digitalLinkUri')
    expect(readable(text)).toContain('grantId')
  })
})

describe('over HTTP', () => {
  test('is compressed for callers that take it, and not sent again to one that has it', async () => {
    const plain = await get('/docs/createPassport')
    const small = await get('/docs/createPassport', { 'accept-encoding': 'gzip, br;q=0.9' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(small.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(small.bytes).toString()).toBe(plain.text)
    expect(small.bytes.length).toBeLessThan(plain.bytes.length / 3)
    expect(small.headers.vary).toBe('Accept-Encoding')
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    for (const [answer, encoding] of [
      [plain, 'identity, br;q=0'],
      [small, 'br'],
    ] as const) {
      const headers = { 'if-none-match': answer.headers.etag as string, 'accept-encoding': encoding }
      expect((await get('/docs/createPassport', headers)).status).toBe(304)
    }
  })

  test('a page runs what it contains and nothing else', async () => {
    for (const path of ['/docs', '/docs/errors', '/docs/createPassport', '/docs/schemas/NewPassport']) {
      const policy = (await get(path)).headers['content-security-policy'] ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toMatch(/script-src 'sha256-[^ ]+';/)
      expect(policy).not.toContain('unsafe')
    }
  })

  test('an address without a page is answered with the page for that', async () => {
    for (const path of ['/docs/nothing', '/docs/__proto__', '/docs/schemas/nothing', '/docs/schemas/constructor']) {
      const { status, text } = await get(path, { accept: 'text/html' })
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain('<h1>No page here</h1>')
      expect((await get(path, { accept: 'application/json' })).body).toMatchObject({ error: 'Not Found' })
    }
  })
})

describe.skipIf(spawnSync('curl', ['--version']).error !== undefined)('the commands', () => {
  const codeOf = (operationId: string, label: string) => {
    const block = new RegExp(`<figcaption>${label}[\\s\\S]*?<pre><code>([\\s\\S]*?)</code>`)
    return readable(block.exec(page(`/docs/${operationId}`))?.[1] ?? '')
  }
  const commands = [...operations.values()].map(({ operationId, isPublic, method }) => {
    return { operationId, isPublic, method, command: codeOf(operationId, 'curl') }
  })

  test.skipIf(spawnSync('jq', ['--version']).error !== undefined)(
    'review-3-users I1: work when they are pasted with the ids that the page asks for',
    { timeout: 120_000 },
    async () => {
      const own = await createWorkspace(gateway)
      const run = async (operationId: string) => {
        const script = `${codeOf(operationId, 'Your values, in the same shell')}\n${codeOf(operationId, 'curl')} -w '\\n%{http_code}'`
        const { stdout } = await shell(script, { KEY: own.key })
        return `${operationId} ${stdout.trimEnd().split('\n').at(-1)} ${stdout.startsWith('{') ? '' : stdout.slice(0, 80)}`
      }
      const statuses: string[] = []
      for (const operationId of PASTED) statuses.push((await run(operationId)).trim())
      expect(statuses).toEqual(
        PASTED.map((operationId) => expect.stringMatching(new RegExp(`^${operationId} 20[0-4]$`))),
      )
    },
  )

  test('are ones that a shell can read, and send what they say', { timeout: 300_000 }, async () => {
    expect(commands.length).toBeGreaterThan(100)
    for (const { operationId, command, isPublic } of commands) {
      expect(command, operationId).toMatch(/^curl -sS "\$BASE\//)
      expect(command.includes('$KEY'), operationId).toBe(!isPublic)
    }
    const scripts = commands.map(({ operationId, command }) => {
      const sent = command.replace(/ \\\n {2}-o \S+$/, '')
      return `printf '%s ' ${operationId}; ${sent} -o /dev/null -w '%{http_code} %{method}\\n' 2>&1`
    })
    const { stdout, stderr } = await shell(scripts.join('\n'))
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    const status = /(?!401|405|406|413|415)[1-4]\d\d/.source
    expect(lines).toEqual(
      commands.map(({ operationId, method }) => {
        // Served by a registry (EN 18222, 5.2).
        const expected = operationId === 'registerProductDpp' ? 501 : status
        return expect.stringMatching(new RegExp(`^${operationId} ${expected} ${method}$`))
      }),
    )
  })
})

const PASTED = [
  'registerOperator',
  'registerFacility',
  'createPassport',
  'listPassports',
  'getPassport',
  'updatePassport',
  'getPassportCompleteness',
  'sealPassport',
  'updatePassportStatus',
  'issueGrant',
  'importPassports',
  'bulkIngestPassports',
  'validatePassport',
  'listFacilities',
]

function shell(script: string, variables: Record<string, string> = {}) {
  const named = [...script.matchAll(/\$([A-Z][A-Z0-9_]*)/g)].map(([, name]) => [
    name,
    '00000000-0000-4000-8000-000000000000',
  ])
  const env = {
    ...Object.fromEntries(named),
    PATH: process.env.PATH,
    BASE: gateway.origin,
    KEY: workspace.key,
    ...variables,
  }
  return new Promise<{ stdout: string; stderr: string }>((resolve) => {
    execFile('sh', ['-c', script], { env, cwd: folder }, (_error, stdout, stderr) => resolve({ stdout, stderr }))
  })
}

const TAGS: ReadonlySet<string> = new Set(
  (
    'html head meta title link style body svg symbol rect path circle use a header div p span time footer script main nav ol ul li ' +
    'h1 h2 dl dt dd figure figcaption button pre code b details summary form label input'
  ).split(' '),
)
