import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createWorkspace,
  MASTER_KEY,
  newGtin,
  startTestGateway,
  type TestGateway,
  textile,
} from '../../../test/support/gateway.ts'
import { passportClient } from '../../../test/support/passport-client.ts'
import { dpp, freePort } from '../../../test/support/process.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { type CellEntries, conflictsOf, directoryFiles } from './directory.ts'

const HAPROXY = referenceTool('haproxy')
const CELLS = ['north', 'south'] as const
const PREFIXES = { north: '9500011', south: '9500012' }
const SUFFIX = '.cells.example'

describe.skipIf(HAPROXY === undefined)('HAProxy before two cells', () => {
  let folder: string
  const gateways: TestGateway[] = []
  const gtins: string[] = []
  const running: ChildProcess[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dpp-cells-'))
    for (const [place, cell] of CELLS.entries()) {
      const env = { BASE_URL: `https://${cell}.example`, WORKSPACE_HOST_SUFFIX: SUFFIX }
      const gateway = await startTestGateway(env)
      const workspace = await createWorkspace(gateway, { subdomain: `maker-${cell}` })
      await gateway.container.cradle.companyPrefixes.claim(workspace.id, PREFIXES[cell])
      const productId = newGtin(PREFIXES[cell])
      await passportClient(gateway, workspace.as).given({ productId, metadata: textile() })
      gateways.push(gateway)
      gtins.push(productId)
      const variables = { ...env, DATABASE_URL: gateway.databaseUrl, MASTER_KEY, LOG_LEVEL: 'silent' }
      const { host } = new URL(gateway.origin)
      const listed = await dpp(['cells', 'entries', '--cell', cell, '--address', host, '--json'], variables)
      expect(listed, listed.stderr).toMatchObject({ code: 0 })
      await writeFile(file(place), listed.stdout)
    }
  })
  afterAll(async () => {
    for (const one of running) {
      one.kill('SIGTERM')
      if (one.exitCode === null) await once(one, 'exit')
    }
    for (const gateway of gateways) await gateway.close()
    await rm(folder, { recursive: true, force: true })
  })

  const file = (place: number) => join(folder, `${CELLS[place]}.json`)

  /** Writes the directory and starts HAProxy with it. */
  async function startDirectory(...options: string[]) {
    const written = await dpp(['cells', 'directory', file(0), file(1), '--out', folder, ...options], {})
    expect(written, written.stderr).toMatchObject({ code: 0 })
    const port = await freePort()
    running.push(
      spawn(HAPROXY as string, ['-db', '-q', '-f', 'cells.cfg'], {
        cwd: folder,
        env: { PATH: process.env.PATH, CELLS_BIND: `127.0.0.1:${port}` },
        stdio: 'ignore',
      }),
    )
    const read = (path: string, host = 'id.example') =>
      new Promise<{ status: number | undefined; location: string | undefined; text: string }>((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path, headers: { host, accept: 'application/ld+json' } })
        sent.on('error', reject)
        sent.on('response', async (answer) => {
          let text = ''
          for await (const chunk of answer) text += chunk
          resolve({ status: answer.statusCode, location: answer.headers.location, text })
        })
        sent.end()
      })
    await vi.waitFor(() => read('/'), { timeout: 10_000, interval: 50 })
    return read
  }

  test('a product link reaches the cell that claims its prefix, a host the cell of its workspace', async () => {
    const read = await startDirectory()
    for (const [place, cell] of CELLS.entries()) {
      const gtin = gtins[place] ?? ''
      await expect.poll(async () => (await read(`/01/${gtin}`)).status).toBe(200)
      expect((await read(`/01/${gtin}?linkType=all`)).status).not.toBe(404)
      expect((await read(`/01/${gtin}`)).text).toContain(`"@id":"https://${cell}.example/01/${gtin}"`)
      const [here, elsewhere] = [`maker-${cell}${SUFFIX}`, `maker-${CELLS[1 - place]}${SUFFIX}`]
      expect((await read(`/01/${gtin}`, here)).status).toBe(200)
      expect((await read('/api/v1/version', here)).status).toBe(200)
      expect((await read(`/01/${gtin}`, elsewhere)).status).toBe(404)
    }
  })

  test('an address of no cell, and a number that only resembles a key, get 404', async () => {
    const read = await startDirectory()
    for (const path of ['/', `/01/${newGtin('9500013')}`, `/01/${PREFIXES.north}`, `/passport/${gtins[0]}`]) {
      expect(await read(path)).toMatchObject({ status: 404, text: 'No cell serves this address.' })
    }
  })

  test('with --redirects the directory sends readers to the address of the cell', async () => {
    const read = await startDirectory('--redirects')
    for (const [place, cell] of CELLS.entries()) {
      const path = `/01/${gtins[place]}/21/A%2F7?linkType=gs1:pip`
      expect(await read(path)).toMatchObject({ status: 307, location: `https://${cell}.example${path}` })
    }
  })

  test('lists that claim the same are rejected, and written to no file', async () => {
    const north = JSON.parse(await readFile(file(0), 'utf8'))
    const copy = join(folder, 'copy.json')
    await writeFile(copy, JSON.stringify({ ...north, cell: 'west' }))
    const { code, stdout } = await dpp(['cells', 'directory', file(0), copy, '--out', join(folder, 'none')], {})
    expect(code).toBe(1)
    expect(stdout).toContain(`Prefix ${PREFIXES.north} of the cell west overlaps ${PREFIXES.north} of north.`)
    expect(stdout).toContain('is in the cells north and west.')
    await writeFile(copy, '{"cell":"x"}')
    const bad = await dpp(['cells', 'directory', copy, '--out', folder], {})
    expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('copy.json is not a list of') })
  })
})

const cell = (name: string, prefixes: string[], hosts: string[] = []): CellEntries => ({
  ...{ cell: name, address: `${name}:80`, baseUrl: `https://${name}.example` },
  prefixes: prefixes.map((prefix) => ({ name: prefix, workspaceId: `${name}-${prefix}` })),
  hosts: hosts.map((host) => ({ name: host, workspaceId: `${name}-${host}` })),
})

test('a prefix may not begin with one of another cell, also with others between them', () => {
  expect(conflictsOf([cell('a', ['4012345', '5012345']), cell('b', ['4012346', '50123'])])).toEqual([
    'Prefix 5012345 of the cell a overlaps 50123 of b.',
  ])
  expect(conflictsOf([cell('a', ['4012', '40123']), cell('b', ['401245'])])).toEqual([
    'Prefix 401245 of the cell b overlaps 4012 of a.',
  ])
  expect(conflictsOf([cell('a', ['4012345'], ['x.example']), cell('b', ['4012346'], ['x.example'])])).toEqual([
    'Host x.example is in the cells a and b.',
  ])
})

test('the map has each prefix with its cell', () => {
  const files = directoryFiles([cell('b', ['4012346']), cell('a', ['4012345'])])
  expect(files['cell-prefixes.map']).toBe('4012345 cell-a\n4012346 cell-b\n')
  expect(files['cells.cfg']).toContain('backend cell-a from cells\n')
})
