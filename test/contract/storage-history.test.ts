import { describe, expect, test } from 'vitest'
import { MAX_STORED_BYTES } from '../../src/renditions/rendition-statements.ts'
import { textile } from '../support/gateway.ts'
import { expectStatus } from '../support/passport-client.ts'
import { heavy, useStorage } from '../support/storage-client.ts'

const { gateway, one, counted, given } = await useStorage()

describe('the history', () => {
  test('of a passport of 1 MiB that is moved many times holds its metadata once, and each row still tells it', async () => {
    const { workspace, passports } = await given()
    const metadata = heavy(1_000_000)
    const { id } = await passports.given({ metadata })
    const before = await counted(workspace)
    for (let moves = 0; moves < 12; moves += 1) {
      expectStatus(200, await passports.setStatus(id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE'))
    }
    const storedVersions = () =>
      one<{ versions: number; bytes: number; disk: number }>(
        workspace,
        `select count(*)::int as versions, coalesce(sum(octet_length(metadata::text)), 0)::int as bytes,
           coalesce(sum(pg_column_size(metadata)), 0)::int as disk from passport_history where passport_id = $1`,
        [id],
      )
    expect(await storedVersions()).toEqual({ versions: 12, bytes: 0, disk: 0 })
    expect(await counted(workspace)).toEqual(before)
    // Status changes leave the version's metadata open; the edit fills it in.
    const bytes = Buffer.byteLength(JSON.stringify({ ...metadata, gtin: '12345678901234' }))
    expectStatus(200, await passports.update(id, { metadata: textile() }))
    expectStatus(200, await passports.update(id, { metadata: textile(), changeReason: 'Nothing' }))
    expect(await storedVersions()).toEqual({ versions: 14, bytes, disk: expect.any(Number) })
    const versions = await gateway.sqlAs<{ version: number; digest: string; is_heavy: boolean }>(
      workspace.id,
      `select version, md5(metadata::text) as digest, metadata ->> 'careInstructions' = $2 as is_heavy
       from passport_version where passport_id = $1 order by version`,
      [id, metadata.careInstructions],
    )
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 14 }, (_, index) => index + 1))
    expect(versions.slice(0, 13).every((row) => row.is_heavy && row.digest === versions[0]?.digest)).toBe(true)
    expect(versions[13]).toMatchObject({ version: 14, is_heavy: null })
    const { disk } = await one<{ disk: number }>(
      workspace,
      `select sum(octet_length(body))::int as disk from rendition where passport_id = $1 and representation = 'jsonld'`,
      [id],
    )
    expect(disk).toBeLessThan(10 * 2_100_000)
  })

  test('of a thousand moves holds the metadata once', async () => {
    const { workspace, passports } = await given()
    const metadata = heavy(100_000)
    const { id } = await passports.given({ metadata })
    // State after a thousand status changes.
    await passports.setStatus(id, 'RECALLED')
    await gateway.sqlAs(
      workspace.id,
      `insert into passport_history (passport_id, tenant_id, version, changed_by, change_reason, created_at)
       select $1, $2, number, 'test', 'Status changed: ACTIVE → RECALLED', now() from generate_series(2, 1000) as number`,
      [id, workspace.id],
    )
    await passports.update(id, { metadata: textile() })
    expect(
      await one(
        workspace,
        `select count(*)::int as versions, count(metadata)::int as copies, count(distinct md5(v.metadata_text))::int as contents
         from passport_history join lateral (
           select metadata::text as metadata_text from passport_version
           where passport_version.passport_id = passport_history.passport_id and passport_version.version = passport_history.version
         ) as v on true where passport_id = $1`,
        [id],
      ),
    ).toEqual({ versions: 1001, copies: 1, contents: 1 })
  })

  test('of a large passport keeps few of the documents that events refer to', async () => {
    const { workspace, passports } = await given()
    const { id } = await passports.given({ metadata: heavy(400_000) })
    for (let moves = 0; moves < 12; moves += 1) await passports.setStatus(id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE')
    const documents = () =>
      one<{ count: number; bytes: number }>(
        workspace,
        `select count(*)::int as count, sum(octet_length(body))::int as bytes from rendition
         where passport_id = $1 and representation = 'jsonld'`,
        [id],
      )
    const { count, bytes } = await documents()
    expect(count).toBe(9)
    expect(bytes).toBeGreaterThan(MAX_STORED_BYTES)
    const small = await passports.given()
    for (let moves = 0; moves < 12; moves += 1)
      await passports.setStatus(small.id, moves % 2 === 0 ? 'RECALLED' : 'ACTIVE')
    const [row] = await gateway.sqlAs<{ count: number }>(
      workspace.id,
      `select count(*)::int as count from rendition where passport_id = $1 and representation = 'jsonld'`,
      [small.id],
    )
    expect(row?.count).toBe(13)
  })
})
