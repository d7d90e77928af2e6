import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { runCommandLine } from '../../src/command-line.ts'
import { newGln, newGtin, textile } from '../support/gateway.ts'
import { battery, passportClient } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { inDays } from '../support/sample-calls.ts'
import { useGateway } from '../support/use-gateway.ts'

/** Commands that call one operation of a gateway each, without a database. */
const { gateway, workspace } = await useGateway()
const passports = passportClient(gateway, workspace.as)
const env = { DPP_URL: gateway.origin, DPP_KEY: workspace.key, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' }
const folder = mkdtempSync(join(tmpdir(), 'dpp-remote-commands-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => dpp(args, env)
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}
const file = (name: string, content: unknown) => {
  writeFileSync(join(folder, name), JSON.stringify(content))
  return join(folder, name)
}
const rows = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('review-3-users I6: over HTTP', () => {
  test('operators are created, changed, listed, deleted', async () => {
    const created = await json('operator', 'create', '--name', 'Acme', '--reg-id', 'A-1', '--email', 'a@acme.example')
    expect(created).toMatchObject({ name: 'Acme', regId: 'A-1', contact: { email: 'a@acme.example' } })
    expect((await json('operator', 'update', created.id, '--role', 'IMPORTER')).role).toBe('IMPORTER')
    expect((await run('operator', 'get', created.id)).stdout).toMatch(/^id +\S+\nname +Acme\n/)
    const listed = rows((await run('operator', 'list')).stdout)
    expect(listed).toContainEqual([created.id, 'Acme', 'A-1', '', 'IMPORTER', ''])
    expect(await run('operator', 'delete', created.id)).toMatchObject({ code: 0, stdout: 'The operator is deleted.\n' })
    const gone = await run('operator', 'get', created.id, '--json')
    expect([gone.code, JSON.parse(gone.stdout)]).toEqual([
      1,
      expect.objectContaining({ status: 404, code: 'NOT_FOUND' }),
    ])
  })

  test('facilities are created from options or a file, changed, listed, deleted', async () => {
    const gln = newGln()
    const byOptions = await json('facility', 'create', '--gln', gln, '--name', 'Works', '--country', 'PT')
    expect(byOptions).toMatchObject({ gln, name: 'Works', country: 'PT' })
    const byFile = await json('facility', 'create', file('works.json', { gln: newGln(), name: 'B', country: 'DE' }))
    expect((await json('facility', 'update', byFile.id, '--city', 'Kiel')).city).toBe('Kiel')
    expect((await json('facility', 'list')).facilities.map(({ id }: { id: string }) => id)).toEqual([
      byFile.id,
      byOptions.id,
    ])
    expect((await run('facility', 'delete', byFile.id)).stdout).toBe('The facility is deleted.\n')
    const refused = await run('facility', 'create', '--gln', gln, '--name', 'Twin', '--country', 'PT')
    expect([refused.code, refused.stdout]).toEqual([1, ''])
    expect(refused.stderr).toMatch(/\S/)
  })

  test('a passport is changed, sealed, revised, recalled and read back', async () => {
    const { id } = await passports.given({ metadata: textile({ size: 'M' }) })
    const changed = file('changed.json', { metadata: textile({ size: 'L' }) })
    expect((await json('passport', 'update', id, changed, '--reason', 'Wrong size')).passport.metadata.size).toBe('L')
    await json('passport', 'seal', id)
    // Accepts the output of `passport get`: other members are omitted.
    const document = await json('passport', 'get', id)
    const again = file('again.json', { ...document, metadata: { ...document.metadata, size: 'S' } })
    expect((await json('passport', 'revise', id, again, '--reason', 'Again')).passport.metadata.size).toBe('S')
    const recalled = await json('passport', 'status', id, 'RECALLED', '--reason', 'The seam opens')
    expect(recalled).toMatchObject({ id, status: 'RECALLED' })
    const history = await run('passport', 'history', id)
    expect([history.code, history.stdout]).toEqual([0, expect.stringContaining('\tAgain\n')])
    const { versions } = await json('passport', 'history', id, '--limit', '1')
    expect(versions).toHaveLength(1)
    expect((await json('passport', 'statistics', id)).passportId).toBe(id)
    expect(await run('passport', 'delete', id)).toMatchObject({ code: 1, stdout: '' })
  })

  test('review-3-users I6: a file that cannot be written is said with the folder that is missing', async () => {
    const { id } = await passports.given()
    for (const command of [
      ['passport', 'get', id, '--out', '/nowhere/at/all.json'],
      ['export', '--out', '/nowhere/at/all.csv'],
    ]) {
      expect(await run(...command)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^--out: Folder \/nowhere\/at not found. Create it first.\n/),
      })
    }
  })

  test('a draft is deleted', async () => {
    const path = file('draft.json', { productId: newGtin(), metadata: textile() })
    const { passport } = await json('passport', 'create', path, '--draft')
    expect((await run('passport', 'delete', passport.id)).code).toBe(0)
  })

  test('units are serialised, measured and listed', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const { units } = await json('unit', 'create', id, '--serial', 'SN-1')
    const event = await json('unit', 'event', units[0].id, 'SOH_MEASUREMENT', '--soh', '91.5', '--cycles', '7')
    expect(event).toMatchObject({ stateOfHealth: 91.5, cycleCount: 7 })
    expect(await run('unit', 'event', units[0].id, 'OTHER', '--soh', 'much')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--soh must be a number.'),
    })
    expect(rows((await run('unit', 'events', units[0].id)).stdout)[0]?.slice(1, 4)).toEqual([
      'SOH_MEASUREMENT',
      '91.5',
      '7',
    ])
    const some = file('units.json', { units: [{ serialNumber: 'SN-2' }, { serialNumber: 'SN-1' }] })
    const partly = await run('unit', 'create', id, some)
    expect([partly.code, partly.stdout]).toEqual([1, expect.stringMatching(/^Unit \S+: SN-2\n {2}.*already exists/)])
    expect(
      (await json('unit', 'list', id)).units.map(({ serialNumber }: { serialNumber: string }) => serialNumber),
    ).toEqual(['SN-2', 'SN-1'])
    expect((await json('unit', 'get', units[0].id)).serialNumber).toBe('SN-1')
    expect((await run('unit', 'delete', units[0].id)).code).toBe(0)
  })

  test('grants are issued, renewed and revoked', async () => {
    const { id } = await passports.given({ metadata: battery() })
    const given = ['--name', 'Ada', '--scope', 'PASSPORT', '--passport', id, '--expires', inDays(3)]
    const { grant, token } = await json('grant', 'create', ...given)
    expect(token).toMatch(/^dpp_li_/)
    const later = inDays(9)
    expect(new Date((await json('grant', 'renew', grant.id, '--expires', later)).expiresAt)).toEqual(new Date(later))
    expect((await json('grant', 'revoke', grant.id)).status).toBe('REVOKED')
    expect(rows((await run('grant', 'list', '--status', 'REVOKED')).stdout)[0]?.slice(0, 2)).toEqual([
      grant.id,
      'REVOKED',
    ])
    expect((await json('grant', 'list', '--status', 'PENDING')).grants).toEqual([])
    expect((await run('grant', 'create', '--name', 'Ada')).stderr).toMatch(
      /^--scope is missing\.\nUsage: dpp grant create/,
    )
  })
})

test.each([
  [['operator', 'get'], 2, /ID is missing/],
  [['operator', 'get', '..'], 2, /"\.\." is not a valid ID/],
  [['passport', 'open', '..'], 2, /"\.\." is not a valid ID/],
  [['unit', 'create'], 2, /PASSPORT is missing/],
  [['passport', 'update', 'x'], 2, /FILE\|URL\|- is missing/],
  [['passport', 'update', 'x', '/nowhere'], 3, /^File \/nowhere not found\.\n$/],
  [['facility', 'create', '/dev/null'], 3, /is not JSON/],
  [['passport', 'create', import.meta.dirname], 3, /is a folder\.\n$/],
])('%j ends with %i', async (args, code, message) => {
  const ended = await run(...args)
  expect([ended.code, ended.stdout]).toEqual([code, ''])
  expect(ended.stderr).toMatch(message)
})

test('review-3-users I6: a list has a heading on a terminal, says if there is more, and its help explains the columns', async () => {
  await passports.given()
  await passports.given()
  const [printed, messages]: [string[], string[]] = [[], []]
  const terminal = {
    env,
    isTerminal: true,
    print: (text: string) => printed.push(text),
    tell: (text: string) => messages.push(text),
  }
  expect(await runCommandLine(['passport', 'list', '--limit', '1'], terminal)).toBe(0)
  const [heading, row] = stripVTControlCharacters(printed.join('\n')).split('\n')
  expect(heading).toMatch(/^ID +PRODUCT +CATEGORY +STATUS +SEALED +OPERATOR +CHANGED$/)
  expect(row).toMatch(/^\S+ +\d{14} +textiles +ACTIVE +no /)
  expect(messages).toEqual(['Only the first 1 are listed. For all: --all'])
  const { stdout } = await run('passport', 'list', '--help')
  expect(stdout).toContain('Columns: ID, PRODUCT, CATEGORY, STATUS, SEALED, OPERATOR, CHANGED')
  expect(stdout).toContain('SEALED: electronic seal.')
})
