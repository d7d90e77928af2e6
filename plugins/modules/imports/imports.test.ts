import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Excel from 'exceljs'
import { describe, expect, test, vi } from 'vitest'
import { unzip } from '../../../test/support/aasx-reader.ts'
import { aasxOf, environmentOf, xmlOf } from '../../../test/support/aasx-writer.ts'
import { createWorkspace, newGtin, textile } from '../../../test/support/gateway.ts'
import { expectStatus, passportClient } from '../../../test/support/passport-client.ts'
import { dpp } from '../../../test/support/process.ts'
import { useGateway } from '../../../test/support/use-gateway.ts'
import type { Cradle } from './cradle.ts'

const { gateway, workspace } = await useGateway()
const imports = gateway.container.resolve<Cradle['imports']>('imports')

const CSV = 'text/csv'
const JSON_LINES = 'application/x-ndjson'
const HEAD =
  'productId,category,productName,originCountry,materialComposition.1.material,materialComposition.1.percentage'
const rowOf = (productId: string, name = 'Shirt', share = '100') => `${productId},textiles,${name},PT,cotton,${share}`
const lines = (...rows: string[]) => Buffer.from(`${rows.join('\r\n')}\r\n`)

const send = (bytes: Buffer, type = CSV, query = '', headers: Record<string, string> = workspace.as) =>
  gateway.request('POST', `/api/v1/imports${query}`, { headers, file: { type, bytes } })
const importOf = async (id: string, headers: Record<string, string> = workspace.as) =>
  (await gateway.request('GET', `/api/v1/imports/${id}`, { headers })).body.import
const passportOf = (productId: string) =>
  gateway.request('GET', `/api/v1/passports/${encodeURIComponent(productId)}`, { headers: workspace.as })

async function imported(bytes: Buffer, type = CSV, query = '', headers = workspace.as) {
  const { status, body } = await send(bytes, type, query, headers)
  expect(status).toBe(202)
  return ended(body.import.id, headers)
}
const ended = (id: string, headers = workspace.as) =>
  vi.waitFor(
    async () => {
      const found = await importOf(id, headers)
      expect(['done', 'failed']).toContain(found.status)
      return found
    },
    { timeout: 60_000, interval: 50 },
  )

test('a table with other headings is imported by `columns`, and a column without a key is ignored', async () => {
  const product = newGtin()
  const file = lines('Article,Sort,Origin,Remark', `${product},textiles,PT,"a, b"`)
  const columns = { Article: 'productId', Sort: 'category', Origin: 'originCountry', Remark: '' }
  const query = `?columns=${encodeURIComponent(JSON.stringify(columns))}`
  expect(await imported(file, CSV, query)).toMatchObject({ rows: { created: 1, refused: 0 }, remarks: [] })
  const { body } = await passportOf(product)
  expect(body.metadata ?? body).toMatchObject({ originCountry: 'PT' })
  for (const text of ['[]', '{', '{"a":1}']) {
    expect((await send(file, CSV, `?columns=${encodeURIComponent(text)}`)).status).toBe(400)
  }
  expect((await send(Buffer.from('{}'), JSON_LINES, query)).status).toBe(400)
})

test('a file becomes drafts of an operator, which need no capacity and no right to publish', async () => {
  const { workspaces } = gateway.container.cradle
  const own = await createWorkspace(gateway)
  await workspaces.set(own.id, { passportLimit: 0 })
  const { key } = await workspaces.createKey({ workspaceId: own.id, role: 'EDITOR' })
  const headers = { authorization: `Bearer ${key}` }
  const product = newGtin()
  const found = await imported(lines(HEAD, rowOf(product)), CSV, `?draft=true&operatorId=${own.operatorId}`, headers)
  expect(found).toMatchObject({ draft: true, operatorId: own.operatorId, rows: { created: 1, refused: 0 } })
  expect(found.passports).toEqual([{ id: expect.any(String), productId: product }])
  const rows = await gateway.sqlAs(own.id, 'select status from passport where id = $1', [found.passports[0].id])
  expect(rows).toEqual([{ status: 'DRAFT' }])
  const published = await imported(lines(HEAD, rowOf(newGtin())), CSV, '', headers)
  expect(published.errors).toMatchObject([{ message: expect.stringContaining('drafts only') }])
  const elsewhere = await imported(lines(HEAD, rowOf(newGtin())), CSV, `?operatorId=${workspace.operatorId}`, own.as)
  expect(elsewhere.errors).toMatchObject([{ message: expect.stringContaining('not bound') }])
})

describe('a file of passports', () => {
  test('as CSV: rows become passports, and rejected rows are reported with their cells', async () => {
    const [first, second] = [newGtin(), newGtin()]
    const file = lines(
      HEAD,
      rowOf(first),
      rowOf('X-1', 'Shirt', 'much'),
      rowOf(second),
      rowOf('X-2', 'Shirt', '101'),
      rowOf(first),
    )
    const started = await send(file)
    expect([started.status, started.headers.location, started.body.isRepeated]).toEqual([
      202,
      started.body.import.url,
      false,
    ])
    const found = await ended(started.body.import.id)
    expect(found).toMatchObject({ status: 'done', progress: 1, rows: { total: 5, read: 5, created: 2, refused: 3 } })
    expect(found.errors).toEqual([
      { row: 3, productId: 'X-1', message: 'F3 (materialComposition.1.percentage) must be a number, not "much".' },
      { row: 5, productId: 'X-2', message: expect.stringMatching(/^F5: /) },
      { row: 6, productId: first, message: 'The request contains this product and operator more than once.' },
    ])
    const { body } = await passportOf(second)
    expect(body.metadata ?? body).toMatchObject({ materialComposition: [{ material: 'cotton', percentage: 100 }] })

    const errors = await gateway.request('GET', `/api/v1/imports/${found.id}/errors`, { headers: workspace.as })
    expect(errors.headers['content-type']).toMatch(/^text\/csv/)
    const [head, ...rest] = String(errors.bytes).trimEnd().split('\r\n')
    expect(head).toBe(`\ufeff${HEAD},error,#row`)
    expect(rest.map((line) => line.split(',', 1)[0])).toEqual(['X-1', 'X-2', first])

    const mended = Buffer.from(String(errors.bytes).replace('much', '100').replace(',101,', ',100,'))
    expect((await imported(mended)).rows).toEqual({ total: 3, read: 3, created: 2, refused: 1 })
  })

  test('as JSON Lines, each line for itself', async () => {
    const productId = newGtin()
    const good = JSON.stringify({ productId, metadata: textile() })
    const file = Buffer.from(`${good}\n{"productId":\n\n[]\n{"productId":"A","productId":"B"}\n`)
    const found = await imported(file, JSON_LINES)
    expect(found.rows).toEqual({ total: 4, read: 4, created: 1, refused: 3 })
    expect(found.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [2, expect.stringMatching(/^The line is not valid JSON/)],
      [4, 'The line is not a JSON object.'],
      [5, 'productId is a duplicate key.'],
    ])
  })

  test('is taken in once, and again where that is wished', async () => {
    const file = lines(HEAD, rowOf(newGtin()))
    const first = await imported(file)
    const again = await send(file)
    expect([again.status, again.body.isRepeated, again.body.import.id]).toEqual([200, true, first.id])
    const repeated = await imported(file, CSV, '?anew=true')
    expect(repeated.id).not.toBe(first.id)
    expect(repeated.rows).toMatchObject({ created: 0, refused: 1 })
  })

  test('with names is taken in again in another language', async () => {
    const principal = await gateway.container.cradle.identity.fromBearer(workspace.key)
    if (principal === undefined) throw new Error('The key does not hold.')
    const file = lines('productId,category,originCountry', `${newGtin()},textiles,Allemagne`)
    const add = async (lang: string, acceptsNames: boolean) => {
      const added = await imports.add(principal, { format: 'csv', file, lang, acceptsNames }, false)
      await imports.work(workspace.id, added.import.id, new AbortController().signal)
      return { isRepeated: added.isRepeated, ...(await importOf(added.import.id)).rows }
    }
    expect(await add('en', false)).toMatchObject({ isRepeated: false, created: 0 })
    expect(await add('en', true)).toMatchObject({ isRepeated: false, created: 0 })
    expect(await add('fr', true)).toMatchObject({ isRepeated: false, created: 1 })
    expect(await add('fr', true)).toMatchObject({ isRepeated: true, created: 1 })
    expect(await add('fr', false)).toMatchObject({ isRepeated: true, created: 1 })
  })

  test('in a dry run is judged and creates nothing', async () => {
    const productId = newGtin()
    const file = lines(HEAD, rowOf(productId), rowOf('X-3', 'Shirt', '101'))
    const found = await imported(file, CSV, '?dryRun=true')
    expect(found).toMatchObject({ status: 'done', dryRun: true, rows: { created: 1, refused: 1 } })
    expect((await passportOf(productId)).status).toBe(404)
    expect((await imported(file)).rows).toMatchObject({ created: 1, refused: 1 })
  })

  test('that breaks off stores nothing', async () => {
    const productId = newGtin()
    for (const [tail, why] of [
      ['"Not closed,PT', /quotation mark at line \d+ is not closed/],
      ['X,textiles,B\xe4r,PT,cotton,100', /^Byte \d+ \(line 303\) is not UTF-8\. .*windows-1252/],
    ] as const) {
      const rows = Array.from({ length: 300 }, (_, index) => rowOf(`${productId}-${index}`))
      const file = Buffer.concat([lines(HEAD, rowOf(productId), ...rows), Buffer.from(tail, 'latin1')])
      const found = await imported(file)
      expect(found).toMatchObject({ status: 'failed', rows: { read: 0, created: 0, refused: 0 } })
      expect(found.failure).toMatch(why)
      expect((await passportOf(productId)).status).toBe(404)
    }
  })

  test('in a dry run finds as much room in the plan as the import itself', async () => {
    const small = await createWorkspace(gateway, { plan: 'growth' })
    const file = lines(HEAD, ...Array.from({ length: 450 }, () => rowOf(newGtin())))
    const principal = await gateway.container.cradle.identity.fromBearer(small.key)
    if (principal === undefined) throw new Error('The key does not hold.')
    for (const dryRun of [true, false]) {
      const { import: added } = await imports.add(principal, { format: 'csv', file, lang: 'en', dryRun }, false)
      await imports.work(small.id, added.id, new AbortController().signal)
      const found = await importOf(added.id, small.as)
      expect(found.rows).toEqual({ total: 450, read: 450, created: 250, refused: 200 })
      expect(found.errors[0]).toMatchObject({
        row: 252,
        message: 'The limit of published passports is reached.',
      })
    }
  })

  test('continues after the rows of an earlier attempt, each row exactly once', async () => {
    const ids = Array.from({ length: 700 }, () => newGtin())
    const file = lines(HEAD, ...ids.map((id) => rowOf(id)))
    const principal = await gateway.container.cradle.identity.fromBearer(workspace.key)
    if (principal === undefined) throw new Error('The key does not hold.')
    const { import: added } = await imports.add(principal, { format: 'csv', file, lang: 'en' }, false)
    const stopped = new AbortController()
    let batches = 0
    await expect(
      imports.work(workspace.id, added.id, stopped.signal, () => {
        batches += 1
        if (batches === 2) stopped.abort(new Error('gone'))
      }),
    ).rejects.toThrow('gone')
    expect((await importOf(added.id)).rows).toEqual({ total: 700, read: 400, created: 400, refused: 0 })
    const signal = new AbortController().signal
    await Promise.allSettled([
      imports.work(workspace.id, added.id, signal),
      imports.work(workspace.id, added.id, signal),
    ])
    expect(await importOf(added.id)).toMatchObject({
      status: 'done',
      rows: { total: 700, read: 700, created: 700, refused: 0 },
    })
    const [row] = await gateway.sql<{ count: string }>('select count(*) from passport where product_id = any($1)', [
      ids,
    ])
    expect(row?.count).toBe('700')
    const [pieces] = await gateway.sql<{ count: string }>('select count(*) from import_piece where import_id = $1', [
      added.id,
    ])
    expect(pieces?.count).toBe('0')
  })

  test('ends where the key that sent it is revoked, and where the workspace has no room', async () => {
    const other = await createWorkspace(gateway)
    const file = lines(HEAD, rowOf(newGtin()))
    const principal = await gateway.container.cradle.identity.fromBearer(other.key)
    if (principal === undefined) throw new Error('The key does not hold.')
    const { import: added } = await imports.add(principal, { format: 'csv', file, lang: 'en' }, false)
    await gateway.sqlAs(other.id, 'update api_key set revoked_at = now() where tenant_id = $1', [other.id])
    await imports.work(other.id, added.id, new AbortController().signal)
    const [row] = await gateway.sqlAs<{ status: string; failure: string }>(
      other.id,
      'select status, failure from import where id = $1',
      [added.id],
    )
    expect(row).toEqual({
      status: 'failed',
      failure: 'The credential of this import is no longer valid.',
    })

    const small = await createWorkspace(gateway)
    await gateway.sqlAs(small.id, 'update workspace set row_limit = 4 where id = $1', [small.id])
    const ids = Array.from({ length: 300 }, () => newGtin())
    const { body } = await send(lines(HEAD, ...ids.map((id) => rowOf(id))), CSV, '', small.as)
    const found = await vi.waitFor(
      async () => {
        const found = await importOf(body.import.id, small.as)
        expect(found.status).toBe('done')
        return found
      },
      { timeout: 120_000 },
    )
    expect(found.rows).toEqual({ total: 300, read: 300, created: 0, refused: 300 })
    expect(found.errors[0].message).toMatch(/^The storage limit is reached/)
  })

  test('is refused where it can be none', async () => {
    expect((await send(Buffer.alloc(0))).body.message).toBe('The file is empty.')
    expect((await send(lines('a'), CSV, '?category=boats')).body.message).toMatch(/^category: must be one of: /)
    expect((await send(lines('a'), CSV, '?category=Textiles')).body.message).toMatch(/Did you mean textiles\?$/)
    expect((await send(lines('a'), JSON_LINES, '?charset=utf-8')).status).toBe(400)
    const { status, body } = await send(lines('a'), 'application/json')
    expect([status, body.message]).toEqual([
      415,
      'Unsupported Content-Type or Content-Encoding. Send text/csv, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/x-ndjson, application/jsonl, application/aas+zip, application/asset-administration-shell-package or application/asset-administration-shell-package+xml, without a content encoding.',
    ])
    expect((await imported(lines('name,price', 'a,1'))).failure).toMatch(/heading productId is missing/)
    expect((await imported(lines(HEAD))).failure).toBe('The file has no rows after its headings.')
    expect((await imported(lines(`${HEAD},a\0b`, rowOf('X-0')))).failure).toBe(
      'The heading in G1 contains the character U+0000.',
    )
    expect((await imported(Buffer.from('PK'), XLSX)).failure).toMatch(
      /^The file is not a valid \.xlsx workbook, or is truncated/,
    )
    expect((await gateway.request('GET', `/api/v1/imports/${randomUUID()}`, { headers: workspace.as })).status).toBe(
      404,
    )
  })

  test('by two concurrent attempts, and no more', async () => {
    const other = await createWorkspace(gateway)
    await gateway.sqlAs(
      other.id,
      `insert into import (id, tenant_id, actor, role, format, options, file_hash, bytes, created_at, expires_at)
        select gen_random_uuid(), $1, 'x', 'x', 'csv', '{"dryRun":false}', '', 1, now(), now() + interval '1 day' from generate_series(1, 2)`,
      [other.id],
    )
    const refused = await send(lines(HEAD, rowOf('Y-1')), CSV, '', other.as)
    expect([refused.status, refused.body.code]).toEqual([409, 'IMPORT_LIMIT_REACHED'])
    const { body } = await gateway.request('GET', '/api/v1/imports', { headers: other.as })
    expect(body.imports).toHaveLength(2)
  })
})

describe('findings in the rows of a file', () => {
  test('review-3-users I2: a column unknown to the schema is reported once, with a suggestion', async () => {
    const [first, second] = [newGtin(), newGtin()]
    const file = lines(`${HEAD},fibre,prodctName`, `${rowOf(first)},x,y`, `${rowOf(second)},x,`, rowOf('I2-1'))
    const expected = [
      {
        ...{ code: 'UNKNOWN_KEY', count: 2, place: 'G1', path: 'fibre' },
        message: 'The key fibre is unknown in this category. It is stored unchanged.',
      },
      {
        ...{ code: 'UNKNOWN_KEY', count: 1, place: 'H1', path: 'prodctName' },
        message: expect.stringMatching(/Did you mean productName\?$/),
      },
      { code: 'NON_GS1_PRODUCT_ID', count: 1, place: 'A4', path: 'productId', message: expect.any(String) },
    ]
    for (const query of ['?dryRun=true', '']) {
      const found = await imported(file, CSV, query)
      expect([found.rows.created, found.remarks]).toEqual([3, expected])
    }
    expect((await imported(file, CSV, '?dryRun=true&lang=de')).remarks[1].message).toMatch(/Meinten Sie productName\?$/)
  })

  test('review-3-users I2: all errors of a row are reported together', async () => {
    const gtin = newGtin()
    const wrong = `${gtin.slice(0, -1)}${(Number(gtin.at(-1)) + 1) % 10}`
    const head =
      'productId,category,originCountry,fiberComposition.1.fiber,fiberComposition.1.percentage,expectedWashCycles'
    const file = lines(
      head,
      `${wrong},textiles,PT,cotton,90,often`,
      ',textile,PT,cotton,100,50',
      '9.50601E+12,textiles,XX,cotton,100,many',
    )
    const found = await imported(file, CSV, '?dryRun=true')
    expect(found.rows).toMatchObject({ created: 0, refused: 3 })
    const messages = found.errors.map(({ message }: { message: string }) => message)
    expect(messages[0]).toMatch(
      /^F2 \(expectedWashCycles\) must be a number, not "often"\. A2: productId has 14 digits/,
    )
    expect(messages[0]).toMatch(/100/)
    expect(messages[0].match(/expectedWashCycles|Wash/gi)).toHaveLength(1)
    expect(messages[1]).toMatch(/^productId is missing or not a string\. B3: category: .*Did you mean textiles\?$/)
    expect(messages[2]).toMatch(
      /^A4 \(productId\) is "9\.50601E\+12", a number with lost digits\..* F4 .*"many"\..* C4: /,
    )
    const { rows } = await imported(file)
    expect(rows).toMatchObject({ created: 0, refused: 3 })
  })

  test('review-3-inputs N8: leading zeros of a GTIN are restored, and other article numbers are reported', async () => {
    const ean = newGtin().slice(1)
    const file = lines(
      HEAD,
      rowOf(ean),
      rowOf(`="${newGtin()}"`),
      rowOf('SKU-1'),
      rowOf('1234565'),
      rowOf('1,23457E+13'),
    )
    const bytes = Buffer.from(String(file).replace('1,23457E+13', '"1,23457E+13"'))
    const found = await imported(bytes)
    expect(found.rows).toMatchObject({ created: 4, refused: 1 })
    expect(found.remarks).toEqual([
      { code: 'GTIN_PADDED', count: 1, place: 'A2' },
      { code: 'NON_GS1_PRODUCT_ID', count: 3, place: 'A4', path: 'productId', message: expect.any(String) },
    ])
    expect(found.errors).toEqual([
      {
        row: 6,
        productId: '1,23457E+13',
        message: expect.stringMatching(/^A6 \(productId\) .*enter the complete number\.$/),
      },
    ])
    expect((await passportOf(`0${ean}`)).status).toBe(200)
  })

  test('review-3-inputs N8: of JSON Lines too', async () => {
    const ean = newGtin().slice(1)
    const file = Buffer.from(`${JSON.stringify({ productId: ean, metadata: textile({ fibre: 1 }) })}\n`)
    const { remarks } = await imported(file, JSON_LINES, '?dryRun=true')
    expect(remarks.map(({ code, place, path }: Record<string, string>) => [code, place, path])).toEqual([
      ['GTIN_NEEDS_PADDING', 'line 1', 'productId'],
      ['UNKNOWN_KEY', 'line 1', 'fibre'],
    ])
  })

  test('kinds of remarks are bounded', async () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      JSON.stringify({ productId: newGtin(), metadata: textile({ [`unknown${index}`]: 1 }) }),
    )
    const { remarks } = await imported(Buffer.from(rows.join('\n')), JSON_LINES, '?dryRun=true')
    expect(remarks).toHaveLength(51)
    expect(remarks.at(-1)).toEqual({ code: 'UNKNOWN_KEY', count: 10, place: 'line 51' })
  })

  test('review-3-inputs N2: percentages of a workbook are those that it shows', async () => {
    const book = new Excel.Workbook()
    const sheet = book.addWorksheet('Passports')
    sheet.addRow(HEAD.split(',').concat('materialComposition.2.material', 'materialComposition.2.percentage'))
    const [first, second] = [newGtin(), newGtin()]
    sheet.addRow([first, 'textiles', 'Shirt', 'PT', 'cotton', 0.29, 'wool', 0.71])
    sheet.addRow([second, 'textiles', 'Shirt', 'PT', 'cotton', 29_000, 'wool', 71_000])
    for (const column of [6, 8]) {
      sheet.getRow(2).getCell(column).numFmt = '0%'
      sheet.getRow(3).getCell(column).numFmt = '0,'
    }
    const found = await imported(Buffer.from(await book.xlsx.writeBuffer()), XLSX)
    expect(found.rows).toMatchObject({ created: 1, refused: 1 })
    expect(found.errors[0].message).toMatch(
      /^F3 \(materialComposition\.1\.percentage\) has the number format "0,", .* H3 /,
    )
    const { body } = await passportOf(first)
    expect(body.metadata.materialComposition).toEqual([
      { material: 'cotton', percentage: 29 },
      { material: 'wool', percentage: 71 },
    ])
  })
})

const AASX = 'application/aas+zip'

describe('an AASX package', () => {
  const shirt = (productId: string, more: Record<string, string> = {}) => ({
    ...{ category: 'textiles', originCountry: 'PT', productId },
    ...more,
  })

  test('has a passport in each shell, and tells those that cannot become one with part and shell', async () => {
    const [first, second] = [`AAS-${newGtin()}`, `AAS-${newGtin()}`]
    const file = aasxOf(
      {
        'aasx/a.json': environmentOf(shirt(first), shirt('B', { expectedWashCycles: '-1' }), { productId: 'C' }),
        'aasx/b.json': environmentOf(shirt(first)),
        'aasx/c.json': environmentOf(shirt(second)),
        'aasx/d.xml': '<aasenv xmlns="http://www.admin-shell.io/aas/2/0"/>',
        'aasx/e.json': { assetAdministrationShells: [], submodels: [] },
        'aasx/f.json': environmentOf({ category: 'textiles' }),
      },
      { 'aasx/files/manual.pdf': '%PDF-1.7' },
    )
    const preview = await imported(file, AASX, '?dryRun=true')
    expect((await passportOf(first)).status).toBe(404)
    const found = await imported(file, AASX)
    expect(found).toMatchObject({
      status: 'done',
      format: 'aasx',
      rows: { total: 8, read: 8, created: 2, refused: 6 },
      remarks: [
        { code: 'FILES_IGNORED', count: 1, place: 'aasx/files/manual.pdf' },
        { code: 'NON_GS1_PRODUCT_ID', count: 5, place: 'aasx/a.json, Shell_0' },
        { code: 'UNKNOWN_KEY', count: 4, place: 'aasx/a.json, Shell_0', path: 'productId' },
      ],
    })
    expect([preview.rows, preview.errors]).toEqual([found.rows, found.errors])
    expect(found.errors).toEqual([
      { row: 2, productId: 'B', message: expect.stringMatching(/^aasx\/a\.json, Shell_1: .*number/) },
      { row: 3, productId: 'C', message: expect.stringMatching(/^aasx\/a\.json, Shell_2: .*category/i) },
      {
        row: 4,
        productId: first,
        message: 'aasx/b.json, Shell_0: The request contains this product and operator more than once.',
      },
      {
        row: 6,
        message: expect.stringMatching(/^aasx\/d\.xml: The environment is XML of AAS 2\.0, which is not supported\./),
      },
      { row: 7, message: 'aasx/e.json: The submodel with the idShort ComplianceMetadata is missing.' },
      { row: 8, message: 'aasx/f.json, Shell_0: The document has no product identifier: add gtin, grai or productId.' },
    ])
    expect((await passportOf(second)).body.metadata).toMatchObject({ originCountry: 'PT' })
    const { bytes } = await gateway.request('GET', `/api/v1/imports/${found.id}/errors`, { headers: workspace.as })
    expect(String(bytes).split('\r\n').slice(0, 2)).toEqual([
      '\ufeffshell,productId,error,#row',
      expect.stringMatching(/^"?aasx\/a\.json, Shell_1"?,B,/),
    ])
    expect((await send(file, AASX)).body.import.id).toBe(found.id)
    expect((await imported(file, AASX, '?anew=true')).rows).toMatchObject({ created: 0, refused: 8 })
  })

  test('brings the seals that this workspace has made, and no others', async () => {
    const client = passportClient(gateway, workspace.as)
    const sealedDraft = async (isRetained = false) => {
      const { id } = await client.given({ metadata: textile(), productId: newGtin(), draft: true })
      expectStatus(200, await client.seal(id))
      const { body } = await gateway.request('GET', `/passport/${id}`, {
        headers: { ...workspace.as, accept: 'application/aas+json' },
      })
      if (!isRetained) expectStatus(200, await client.remove(id))
      return { id, environment: body }
    }
    const [gone, there, moved] = [await sealedDraft(), await sealedDraft(true), await sealedDraft()]
    const other = await createWorkspace(gateway)
    const { id: foreign } = await passportClient(gateway, other.as).given({ draft: true })
    await gateway.sqlAs(other.id, 'update passport set id = $1 where id = $2', [moved.id, foreign])
    const spoiled = structuredClone(gone.environment)
    const [element] = spoiled.submodels
      .find(({ idShort }: { idShort: string }) => idShort === 'ComplianceMetadata')
      .submodelElements.filter(({ idShort }: { idShort: string }) => idShort === 'originCountry')
    element.value = 'ES'
    const plain = `AAS-${newGtin()}`
    const file = aasxOf({
      'moved.json': moved.environment,
      'gone.aas.xml': `\ufeff${xmlOf(gone.environment).replaceAll('><', '>\r\n  <')}`,
      'there.json': there.environment,
      'spoiled.json': spoiled,
      'plain.json': environmentOf(shirt(plain)),
    })
    const drafts = await imported(aasxOf({ 'gone.json': gone.environment }), AASX, '?draft=true')
    expect(drafts.errors[0].message).toMatch(/: A sealed passport is not a draft\. Import it as published\.$/)
    const found = await imported(file, AASX)
    expect(found.rows).toEqual({ total: 5, read: 5, created: 2, refused: 3 })
    expect(found.errors.map(({ row, message }: { row: number; message: string }) => [row, message])).toEqual([
      [1, expect.stringMatching(/: The seal was made for another passport\.$/)],
      [3, expect.stringMatching(/: A passport for this product and operator already exists\.$/)],
      [4, expect.stringMatching(/: The seal was made for other metadata\.$/)],
    ])
    const { body: payload } = await gateway.request('GET', `/api/v1/passports/${gone.id}`, { headers: workspace.as })
    expect(payload.status).toBe('ACTIVE')
    const audited = await gateway.request('POST', '/api/v1/audit/verify', { json: { payload } })
    expect(audited.body).toMatchObject({ verified: true, verdict: 'valid' })
    const elsewhere = await imported(aasxOf({ 'there.json': there.environment }), AASX, '', other.as)
    expect(elsewhere.errors[0].message).toMatch(/: The seal was not made with a key of this workspace\.$/)
  })

  test('continues after the rows of an earlier attempt, and stores no part of a broken one', async () => {
    const ids = Array.from({ length: 450 }, () => `AAS-${newGtin()}`)
    const environments = { 'a.json': environmentOf(...ids.slice(0, 300).map((id) => shirt(id))) }
    const rest = environmentOf(...ids.slice(300).map((id) => shirt(id)))
    const principal = await gateway.container.cradle.identity.fromBearer(workspace.key)
    if (principal === undefined) throw new Error('The key does not hold.')
    const file = aasxOf({ ...environments, 'b.json': rest })
    const { import: added } = await imports.add(principal, { format: 'aasx', file, lang: 'en' }, false)
    const stopped = new AbortController()
    await expect(
      imports.work(workspace.id, added.id, stopped.signal, () => stopped.abort(new Error('gone'))),
    ).rejects.toThrow('gone')
    expect((await importOf(added.id)).rows).toEqual({ total: 450, read: 200, created: 200, refused: 0 })
    await imports.work(workspace.id, added.id, new AbortController().signal)
    expect((await importOf(added.id)).rows).toEqual({ total: 450, read: 450, created: 450, refused: 0 })

    const fresh = `AAS-${newGtin()}`
    const broken = aasxOf({ 'a.json': environmentOf(shirt(fresh)), 'b.json': ' '.repeat(2_000_000) })
    const found = await imported(broken, AASX)
    expect(found).toMatchObject({ status: 'failed', rows: { read: 0, created: 0 } })
    expect(found.failure).toMatch(
      /^b\.json has \d+ bytes and decompresses to far more, which is not allowed\. Send it in parts\.$/,
    )
    expect((await passportOf(fresh)).status).toBe(404)
    expect((await imported(lines(HEAD), AASX)).failure).toMatch(
      /^The file is not a valid AASX package, or is truncated/,
    )
    expect((await imported(aasxOf({ 'a.json': environmentOf() }), XLSX)).failure).toMatch(/^Invalid \.xlsx file/)
  })
})

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

describe('a catalogue as a file', () => {
  test.each([
    ['csv', CSV, ''],
    ['xlsx', XLSX, ''],
    ['jsonl', JSON_LINES, ''],
    ['aasx', AASX, ''],
    ['aasx', AASX, '&environments=json'],
    ['aasx', AASX, '&environments=xml-3.0'],
    ['aasx', 'application/asset-administration-shell-package+xml', '&environments=xml-3.1'],
  ])('as %s gives another workspace the same metadata, sent as %s%s', async (format, type, more) => {
    const [from, to] = [await createWorkspace(gateway), await createWorkspace(gateway)]
    const odd = {
      productName: '=cmd|x',
      own: { deep: [1, { a: null }] },
      empty: [],
      'dotted.key': "'=1",
      brand: ' ä;b ',
    }
    const given = [newGtin(), '+49 40', newGtin()].map((productId, index) => {
      const metadata = textile(index === 1 ? odd : { productName: `Shirt ${index}` })
      return { productId: format === 'csv' ? productId : `${productId}-${format}`, metadata }
    })
    const stored = await gateway.request('POST', '/api/v1/passports/bulk', {
      headers: from.as,
      json: { passports: given },
    })
    expect(stored.body.insertedCount).toBe(3)
    const { bytes } = await gateway.request('GET', `/api/v1/passports/export?format=${format}${more}`, {
      headers: from.as,
    })
    if (format === 'aasx') {
      const part = `aasx/catalogue/1.aas.${more.includes('xml') ? 'xml' : 'json'}`
      expect((await unzip(bytes)).get(part)).toContain(more === '&environments=xml-3.1' ? '/aas/3/1"' : 'submodels')
    } else {
      const other = await gateway.request('GET', `/api/v1/passports/export?format=${format}&environments=json`, {
        headers: from.as,
      })
      expect([other.status, other.body.message]).toEqual([400, 'environments is allowed only with format=aasx.'])
    }
    if (format === 'csv') expect(String(bytes)).toContain("\n'+49 40,")
    const started = await send(bytes, type, '', to.as)
    await vi.waitFor(async () => expect((await importOf(started.body.import.id, to.as)).status).toBe('done'), {
      timeout: 60_000,
    })
    expect((await importOf(started.body.import.id, to.as)).errors).toEqual([])
    const again = await gateway.request('GET', '/api/v1/passports/export?format=jsonl', { headers: to.as })
    const documents = String(again.bytes)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const byProduct = (list: { productId: string }[]) => list.toSorted((a, b) => (a.productId < b.productId ? -1 : 1))
    expect(byProduct(documents)).toEqual(byProduct(given))
  })

  test('is filled in where a template is, with lists to choose from', async () => {
    const { bytes, headers } = await gateway.request('GET', '/api/v1/imports/templates/batteries?lang=de', {
      headers: workspace.as,
    })
    expect(headers['content-disposition']).toBe('attachment; filename="template-batteries.xlsx"')
    const book = new Excel.Workbook()
    await book.xlsx.load(bytes as never)
    const sheet = book.getWorksheet('Passports')
    if (sheet === undefined) throw new Error('There is no such sheet.')
    const keys = (sheet.getRow(2).values as string[]).slice(1)
    expect(keys.slice(0, 3)).toEqual(['productId', 'operatorId', 'facilityId'])
    expect((sheet.getRow(1).values as string[]).slice(2, 4)).toEqual([
      'Verantwortlicher Wirtschaftsakteur',
      'Herstellungsort',
    ])
    const column = keys.indexOf('originCountry') + 1
    expect(sheet.getCell(4, column).dataValidation).toMatchObject({
      type: 'list',
      formulae: [expect.stringMatching(/^Lists!/)],
    })
    expect(sheet.getCell(1, keys.indexOf('recycledContent.cobalt') + 1).value).toMatch(/Kobalt/)
    sheet.getCell(4, 1).value = newGtin()
    sheet.getCell(4, column).value = 'PT'
    sheet.getCell(5, 1).value = newGtin()
    sheet.getCell(5, 3).value = randomUUID()
    sheet.getCell(5, column).value = 'PT'
    const validations = (sheet as unknown as { dataValidations: { model: object } }).dataValidations
    validations.model = Object.fromEntries(
      Object.entries(validations.model).filter(([address]) => /^[A-Z]+[45]$/.test(address)),
    )
    const filled = Buffer.from(await book.xlsx.writeBuffer())
    const found = await imported(filled, XLSX, '?category=batteries&dryRun=true')
    expect([found.failure, found.sheet, found.rows.total]).toEqual([undefined, 'Passports', 2])
    expect(found.errors).toEqual([expect.objectContaining({ row: 5, message: expect.stringMatching(/facility/i) })])
    expect(found.errors[0]?.message ?? '').not.toMatch(/heading/)
  })

  test('review-3-users I6: no template for a slip, no raw error for a file that is not there', async () => {
    const env = { DPP_URL: gateway.origin, DPP_KEY: workspace.key }
    const folder = mkdtempSync(join(tmpdir(), 'dpp-template-'))
    try {
      const out = join(folder, 'a.csv')
      expect(await dpp(['template', 'textil', '--out', out], env)).toEqual({
        code: 1,
        stdout: '',
        stderr: 'Unknown category "textil". Did you mean textiles?\n',
      })
      expect((await dpp(['template', 'textiles', '--out', out, '--lang', 'de'], env)).stderr).toBe('')
      expect(readFileSync(out, 'utf8')).toContain('productId')
      expect(await dpp(['import', 'nope.csv'], env)).toEqual({
        code: 3,
        stdout: '',
        stderr: 'File nope.csv not found.\n',
      })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  test('on the command line', async () => {
    const env = { DPP_URL: gateway.origin, DPP_KEY: workspace.key }
    const folder = mkdtempSync(join(tmpdir(), 'dpp-import-'))
    try {
      const file = join(folder, 'catalogue.csv')
      writeFileSync(file, lines(HEAD, rowOf(newGtin()), rowOf('Z-1', 'Shirt', 'much')))
      const first = await dpp(['import', file, '--watch'], env)
      expect([first.stderr, first.code, first.stdout]).toEqual([
        '',
        1,
        expect.stringMatching(
          /^(?:\d of (?:2|unknown) rows, \d rejected …\n)*1 of 2 rows became passports, 1 rejected\.\n {2}3 {2}Z-1: F3 /,
        ),
      ])
      const again = await dpp(['import', file, '--json'], env)
      expect(JSON.parse(again.stdout)).toMatchObject({ isRepeated: true, rows: { created: 1 } })
      const odd = join(folder, 'odd.csv')
      writeFileSync(odd, lines(`${HEAD},fibre`, `${rowOf(newGtin().slice(1))},x`))
      const output = await dpp(['import', odd, '--dry-run'], env)
      expect(output.stdout.split('\n').slice(1)).toEqual([
        '  GTIN_PADDED, 1 in all, first A2',
        '  UNKNOWN_KEY, 1 in all, first G1: The key fibre is unknown in this category. It is stored unchanged.',
        '',
      ])
      const out = join(folder, 'out.jsonl')
      expect((await dpp(['export', '--out', out], env)).code).toBe(0)
      expect(readFileSync(out, 'utf8')).toContain('"category":"textiles"')
      const wrong = await dpp(['import', join(folder, 'a.doc')], env)
      expect(wrong.code).toBe(2)
      const listed = await dpp(['imports'], env)
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^\S+\tdone\tcsv\t2\t1\t1\t/m)])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
