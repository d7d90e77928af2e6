import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createWorkspace, newGtin, textile } from '../support/gateway.ts'
import { dppProcess, dpp as run } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'
import { useGateway } from '../support/use-gateway.ts'

/** Commands that use the API of a gateway, without database and settings. */
const ROOT = join(import.meta.dirname, '../..')
const { gateway, workspace } = await useGateway()
const url = gateway.origin
const folder = mkdtempSync(join(tmpdir(), 'dpp-remote-'))
const profiles = join(folder, 'config/dpp/profiles.json')
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => rmSync(join(folder, 'config'), { recursive: true, force: true }))

/** Runs `dpp`; in a separate process if it reads standard input. */
function dpp(args: readonly string[], { input, env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const given = {
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
    ...env,
  }
  return input === undefined ? run(args, given) : dppProcess(args, given, input)
}
const login = (key = workspace.key, ...more: string[]) => dpp(['login', '--url', url, ...more], { input: `${key}\n` })
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await dpp([...args, '--json'])
  expect({ code, stderr, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 })
  return JSON.parse(stdout)
}
const file = (name: string, content: unknown) => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  return join(folder, name)
}

describe('login', () => {
  test('keeps the key readable only by its owner, and logout deletes it', async () => {
    const { code, stdout, stderr } = await login()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Logged in at http:\/\/\S+ as BRAND_OPERATOR of Workspace \d+\. Stored as "default"\.\n$/)
    expect(stdout).not.toContain(workspace.key)
    expect(JSON.parse(readFileSync(profiles, 'utf8'))).toEqual({
      current: 'default',
      profiles: { default: { url, key: workspace.key } },
    })
    expect([statSync(profiles).mode & 0o777, statSync(join(profiles, '..')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(await json('whoami')).toMatchObject({ url, profile: 'default', tenant: { id: workspace.id } })
    expect((await dpp(['logout'])).stdout).toContain('is deleted')
    expect(existsSync(profiles)).toBe(false)
    expect(await dpp(['whoami'])).toMatchObject({ code: 2, stderr: expect.stringContaining('dpp login --url URL') })
  })

  test('stores no part of an invalid key, or of one that would travel unencrypted', async () => {
    expect(await login('dpp_key_wrong')).toMatchObject({ code: 1, stderr: expect.stringMatching(/\S/) })
    expect(await login('')).toMatchObject({ code: 2 })
    expect(await login('two words')).toMatchObject({ code: 2, stderr: expect.stringContaining('Invalid API key') })
    const open = await dpp(['login', '--url', 'http://passports.example.com'], { input: workspace.key })
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('must be https') })
    const gone = await dpp(['login', '--url', 'http://127.0.0.1:1'], { input: workspace.key })
    expect(gone).toMatchObject({ code: 3, stderr: expect.stringContaining('cannot be reached') })
    expect(existsSync(profiles)).toBe(false)
  })

  test('keeps several; the last is meant unless another is named, and a key goes to its own gateway alone', async () => {
    const other = await createWorkspace(gateway)
    await login()
    await login(other.key, '--profile', 'other')
    expect((await json('whoami')).tenant.id).toBe(other.id)
    expect((await json('whoami', '--profile', 'default')).tenant.id).toBe(workspace.id)
    expect(await dpp(['whoami', '--profile', 'third'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Stored logins: default, other'),
    })
    const byEnvironment = await dpp(['whoami', '--json'], { env: { DPP_URL: url, DPP_KEY: workspace.key } })
    expect(JSON.parse(byEnvironment.stdout).tenant.id).toBe(workspace.id)
    // Only the address: credentials stored for another one are not sent.
    const stranger = await dpp(['whoami', '--json'], { env: { DPP_URL: url } })
    expect([stranger.code, JSON.parse(stranger.stdout).status]).toEqual([1, 401])
  })

  test('is not trusted where others may read it', async () => {
    await login()
    chmodSync(profiles, 0o644)
    expect(await dpp(['whoami'])).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') })
  })

  test.skipIf(referenceTool('python3') === undefined)('shows nothing of a key that is typed', async () => {
    const program = `
import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], 'src/dpp.js', 'login', '--url', sys.argv[2]])
shown = b''
while b'API key for' not in shown: shown += os.read(terminal, 4096)
os.write(terminal, b'x\\x7f' + os.environ['TYPED'].encode() + b'\\r')
while True:
    try: chunk = os.read(terminal, 4096)
    except OSError: break
    if not chunk: break
    shown += chunk
sys.stdout.write(shown.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`
    const child = spawn('python3', ['-c', program, process.execPath, url], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), TYPED: workspace.key },
    })
    let shown = ''
    child.stdout.on('data', (chunk) => {
      shown += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, shown]).toEqual([0, expect.stringContaining('as BRAND_OPERATOR')])
    expect(shown).not.toContain(workspace.key.slice(-12))
    expect(readFileSync(profiles, 'utf8')).toContain(workspace.key)
  })
})

describe('passports', () => {
  beforeEach(async () => {
    await login()
  })
  const content = (more: object = {}) => ({ productId: newGtin(), metadata: textile(more) })

  test('are checked, created, sealed, listed, read and shown', async () => {
    const passport = content({ size: 'M' })
    const path = file('passport.json', passport)
    expect(await dpp(['passport', 'validate', path])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Valid: textiles\.\nRequired by law: \d+ of \d+ mandatory, 0 of \d+ conditional, /,
      ),
    })
    const created = await json('passport', 'create', path)
    const { id } = created.passport
    expect(created.passport).toMatchObject({ productId: passport.productId, status: 'ACTIVE' })
    expect(await json('passport', 'seal', passport.productId)).toMatchObject({
      id,
      merkleRoot: expect.stringMatching(/^[0-9a-f]{64}$/),
    })

    const { code, stdout } = await dpp(['passport', 'list', '--limit', '1'])
    const cells = stdout.trimEnd().split('\t')
    expect([code, cells.slice(0, 5)]).toEqual([0, [id, passport.productId, 'textiles', 'ACTIVE', 'yes']])
    expect((await json('passport', 'list', '--category', 'toys')).passports).toEqual([])

    expect(await json('passport', 'get', id)).toMatchObject({ id, size: 'M' })
    const page = join(folder, 'page.html')
    expect((await dpp(['passport', 'get', id, '--as', 'html', '--out', page])).code).toBe(0)
    expect(readFileSync(page, 'utf8')).toContain('</html>')
    expect(await dpp(['passport', 'get', id, '--as', 'pdf'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out is missing'),
    })
    expect(await dpp(['passport', 'open', passport.productId])).toMatchObject({ stdout: `${url}/passport/${id}\n` })
    expect((await dpp(['passport', 'qr', id])).stdout).toContain('<svg')
    const picture = join(folder, 'code.png')
    expect((await dpp(['passport', 'qr', id, '--format', 'png', '--size', '200', '--out', picture])).code).toBe(0)
    expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG')
  })

  test('come from standard input, as drafts too, and once under one key', async () => {
    const draft = content()
    const args = ['passport', 'create', '-', '--draft', '--key', 'once', '--json']
    const answers = [
      await dpp(args, { input: JSON.stringify(draft) }),
      await dpp(args, { input: JSON.stringify(draft) }),
    ]
    const [first, second] = answers.map(({ stdout }) => JSON.parse(stdout).passport)
    expect([first.status, second.id]).toEqual(['DRAFT', first.id])
  })

  test('that are not valid are reported value by value, with exit code 1', async () => {
    const path = file(
      'bad.json',
      content({ originCountry: 'ZZ', materialComposition: [{ material: 'a', percentage: 9 }] }),
    )
    const { code, stdout } = await dpp(['passport', 'validate', path], { env: { LANG: 'de_DE.UTF-8' } })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Not valid: .+\n {2}\S+: .+\n {2}\S+: .+\n$/)
    const asJson = await dpp(['passport', 'validate', path, '--json'])
    expect([
      asJson.code,
      JSON.parse(asJson.stdout)
        .errors.map(({ path }: { path: string }) => path)
        .sort(),
    ]).toEqual([1, ['materialComposition', 'originCountry']])
    const created = await dpp(['passport', 'create', path])
    expect([created.code, created.stderr]).toEqual([1, expect.stringContaining('  originCountry: ')])
  })

  test.each([
    [['passport', 'get', 'nobody'], 1, /\S/],
    [['passport', 'get'], 2, /ID is missing\.\nUsage: dpp passport get ID\|PRODUCT \[options\]/],
    [['passport', 'get', 'a', '--as', 'docx'], 2, /--as must be one of: json-ld, aas/],
    [['passport', 'list', '--limit', '-1'], 2, /--limit needs a value: NUMBER/],
    [['passport', 'list', '--limit', 'x'], 2, /--limit must be an integer/],
    [['passport', 'list', '--categroy', 'x'], 2, /Unknown option '--categroy'\. Did you mean --category\?/],
    [['passport', 'validate', '/nowhere'], 3, /File \/nowhere not found/],
    [['passport', 'create', '/dev/null'], 3, /is not JSON/],
  ])('%j ends with %i', async (args, expected, message) => {
    const { code, stdout, stderr } = await dpp(args)
    expect([code, stdout]).toEqual([expected, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n\s+at /)
  })
})

describe('help', () => {
  test('is there for all, for a group and for a command, with meanings, values and defaults', async () => {
    expect((await dpp([])).stdout).toContain('  passport validate  ')
    const group = await dpp(['key', '--help'])
    expect([group.code, group.stdout.match(/^ {2}key \w+/gm)]).toEqual([
      0,
      ['  key create', '  key list', '  key revoke', '  key rewrap'],
    ])
    expect((await dpp(['help', 'key'])).stdout).toBe(group.stdout)
    expect((await dpp(['key'])).code).toBe(2)
    const { stdout } = await dpp(['passport', 'get', '--help'])
    expect(stdout).toContain('Usage: dpp passport get ID|PRODUCT [options]')
    expect(stdout).toMatch(/--as FORM +Format; one of json-ld, aas, .*; default: json-ld/)
    expect(stdout).not.toContain('\u001b')
  })

  test('knows its version, and what a slip may have meant', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(await dpp(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` })
    for (const [words, meant] of [
      [['passprt', 'list'], 'passport list'],
      [['pasport'], 'passport'],
      [['verfy', 'x'], 'verify'],
    ] as const) {
      expect(await dpp(words)).toMatchObject({ code: 2, stderr: expect.stringContaining(`Did you mean "${meant}"?`) })
    }
    expect((await dpp(['dance'])).stderr).not.toContain('Did you mean')
  })
})

test('no command has touched a database or made a folder for one', () => {
  expect(existsSync(join(folder, 'data'))).toBe(false)
})
