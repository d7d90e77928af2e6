import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { statusPlaceOf } from '../support/credentials.ts'
import { preparedDataDir } from '../support/prepared-cluster.ts'
import { freePort, type GatewayProcess, startProcess } from '../support/process.ts'

// The embedded procedure of docs/guides/backup.md: stops the gateway and copies its folder.
const folder = await mkdtemp(join(tmpdir(), 'dpp-restored-'))
const env = { PORT: String(await freePort()), RATE_LIMITS: 'off' }
let gateway: GatewayProcess
afterAll(async () => {
  await gateway.end('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

async function startOn(name: string): Promise<void> {
  gateway = await startProcess({ ...env, DATA_DIR: join(folder, name) })
  await gateway.printed('Stop with Ctrl-C')
}
async function read(path: string, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${gateway.url}${path}`, { headers })
  expect(answer.status, path).toBe(200)
  return answer.text()
}
// biome-ignore lint/suspicious/noExplicitAny: answers are judged by what they hold.
const post = async (path: string, json: object, headers: Record<string, string> = {}): Promise<any> =>
  (
    await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(json),
    })
  ).json()
const CREDENTIAL = { accept: 'application/vc+jwt' }

test('a copy of everything verifies as the original did, seals on, and uses no index twice', {
  timeout: 180_000,
}, async () => {
  await preparedDataDir(join(folder, 'original'))
  await startOn('original')
  const key = /dpp_key_[A-Za-z0-9]{8}_[A-Za-z0-9_-]{43}/.exec(gateway.output())?.[0]
  const as = { authorization: `Bearer ${key}` }
  const { passports } = JSON.parse(await read('/api/v1/passports?limit=100', as))
  const documents = new Map<string, string>()
  const credentials = new Map<string, string>()
  for (const { id, status } of passports) {
    if (status !== 'ACTIVE') continue
    const document = await read(`/passport/${id}`, as)
    documents.set(id, document)
    // A passport without a named facility has no credential.
    const credential = await fetch(`${gateway.url}/passport/${id}`, { headers: CREDENTIAL })
    expect([200, 406]).toContain(credential.status)
    if (credential.ok) credentials.set(id, await credential.text())
  }
  expect(await gateway.end('SIGTERM')).toBe(0)
  // Names, owners and modes, as a backup preserves them.
  execFileSync('cp', ['-a', join(folder, 'original'), join(folder, 'copy')])
  await rm(join(folder, 'original'), { recursive: true })

  await startOn('copy')
  let sealed = 0
  for (const [id, document] of documents) {
    expect(await read(`/passport/${id}`, as)).toBe(document)
    const payload = JSON.parse(document)
    if (typeof payload.digitalSeal !== 'string') continue
    expect(await post('/api/v1/audit/verify', { payload })).toMatchObject({ verdict: 'valid' })
    sealed++
  }
  expect(sealed).toBeGreaterThan(0)
  expect(credentials.size).toBeGreaterThan(0)
  for (const [id, credential] of credentials) {
    expect(statusPlaceOf(await read(`/passport/${id}`, CREDENTIAL))).toEqual(statusPlaceOf(credential))
  }

  const metadata = { category: 'toys', originCountry: 'CZ' }
  const [{ id: facilityId }] = JSON.parse(await read('/api/v1/facilities', as)).facilities
  const { passport } = await post('/api/v1/passports', { productId: 'AFTERWARDS', facilityId, metadata }, as)
  expect([...documents.keys()]).not.toContain(passport.id)
  expect(await post(`/api/v1/passports/${passport.id}/seal`, {}, as)).toMatchObject({ success: true })
  const payload = JSON.parse(await read(`/passport/${passport.id}`, as))
  expect(await post('/api/v1/audit/verify', { payload })).toMatchObject({ verdict: 'valid' })
  const used = [...credentials.values()].map(statusPlaceOf)
  const next = statusPlaceOf(await read(`/passport/${passport.id}`, CREDENTIAL))
  expect(used).not.toContain(next)
})
