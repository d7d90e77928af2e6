import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { recordAudit } from '../../src/audit/audit-statements.ts'
import { all, useAuditTrail } from '../support/audit-client.ts'
import { createWorkspace, MASTER_KEY } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { dpp } from '../support/process.ts'
import { referenceTool } from '../support/reference-tools.ts'

const { gateway, superuser, entriesOf, verdictOf, givenTrail } = await useAuditTrail()
const { auditTrail, database } = gateway.container.cradle

const CHECK = join(import.meta.dirname, '../conformance/audit-chain.py')
const python = referenceTool('python3')

describe('the command line', () => {
  const env = { DATABASE_URL: gateway.databaseUrl, MASTER_KEY, BASE_URL: 'https://dpp.example.test' }
  const run = (...args: string[]) => dpp(['audit', ...args], env)
  const folder = mkdtempSync(join(tmpdir(), 'dpp-audit-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const check = (jsonLines: string) => {
    const { status, stdout, stderr } = spawnSync(python as string, [CHECK], { input: jsonLines, encoding: 'utf8' })
    return [status, `${stdout}${stderr}`.trim()]
  }

  test('verify tells the head, what is wrong, and whether a noted head is still there', async () => {
    const id = await givenTrail(3)
    const { head } = await verdictOf(id)
    const good = await run('verify', '--workspace', id)
    expect([good.code, good.stdout]).toEqual([0, `ok    ${id}  Trail: 3 entries, head 3:${head.hash}\n`])
    const noted = await run('verify', '--workspace', id, '--head', `3:${head.hash}`, '--json')
    expect([noted.code, JSON.parse(noted.stdout)]).toEqual([
      0,
      {
        whole: true,
        workspaces: [{ workspaceId: id, workspace: 'Trail', entries: 3, head: `3:${head.hash}`, faults: [] }],
      },
    ])
    await superuser.query(`update audit_entry set actor = 'x' where tenant_id = $1 and sequence = 2`, [id])
    const found = await run('verify')
    expect([found.code, found.stdout]).toEqual([1, expect.stringContaining('Entry 2 differs from the recorded')])
    expect(found.stdout).toMatch(new RegExp(`^FAIL  ${id}`, 'm'))
  })

  test.each([
    [['verify', '--head', `3:${'a'.repeat(64)}`], 2, '--head needs --workspace.'],
    [
      ['verify', '--workspace', randomUUID(), '--head', '3'],
      2,
      '--head must be in the format that "dpp audit verify" prints.',
    ],
    [['verify', '--workspace', randomUUID()], 1, 'not found'],
    [['export'], 2, '--workspace is missing.'],
  ])('%j ends with %d', async (args, code, message) => {
    expect(await run(...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) })
  })

  test.skipIf(python === undefined)('a few lines of another language verify the export', async () => {
    const { as, id, operatorId } = await createWorkspace(gateway)
    const json = { name: 'Ünïcode \u{1f50b} "\\ \u007f' }
    expectStatus(200, await gateway.request('PATCH', `/api/v1/operators/${operatorId}`, { headers: as, json }))
    await database.transaction(id, async (tx) =>
      recordAudit(tx, { actor: 'ä \u{1f50b} "\\/\u0001\u2028' }, 'operator.created', 'é', {
        z: 'ß\t\u{1f50b}',
        a: { y: [1, true, null], x: '' },
      }),
    )
    const { head } = await verdictOf(id)
    const out = join(folder, 'trail.jsonl')
    const written = await run('export', '--workspace', id, '--out', out)
    expect([written.code, written.stdout]).toEqual([0, expect.stringContaining(out)])
    const lines = readFileSync(out, 'utf8')
    expect(check(lines)).toEqual([0, `${head.sequence} entries, ${head.sequence}:${head.hash}`])
    // Negative control.
    expect(check(lines.replace('platform', 'Platform'))).toEqual([1, 'Entry 1 is not what its hash says.'])
    const removed = lines.split('\n').toSpliced(2, 1).join('\n')
    expect(check(removed)).toEqual([1, 'Entry 4 does not follow entry 2.'])
    const shown = (await entriesOf(as)).toReversed()
    expect(shown).toEqual(
      lines
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    )
    const printed = await run('export', '--workspace', id)
    expect([printed.code, printed.stdout]).toEqual([0, lines])
  })

  test('a span of time is exported without a gap', async () => {
    const id = await givenTrail(6)
    // A transaction that began earlier was committed later.
    await superuser.query(
      `update audit_entry set created_at = $2::timestamptz + ($3::int[])[sequence] * interval '1 day'
      where tenant_id = $1`,
      [id, '2026-01-01T00:00:00Z', [1, 2, 4, 3, 5, 6]],
    )
    const exported = async (from: string, to?: string) =>
      (await all(auditTrail.entries(id, { from, to }))).map(({ sequence }) => sequence)
    expect(await exported('2026-01-03', '2026-01-05')).toEqual([2, 3, 4])
    expect(await exported('2026-01-05', '2026-01-07')).toEqual([3, 4, 5])
    expect(await exported('2027-01-01')).toEqual([])
    await expect(exported('x')).rejects.toThrow('from must be an ISO 8601 timestamp.')
    const { code, stdout } = await run('export', '--workspace', id, '--from', '2026-01-03', '--to', '2026-01-05')
    expect([code, stdout.match(/"sequence":\d+/g)]).toEqual([0, ['"sequence":2', '"sequence":3', '"sequence":4']])
  })
})
