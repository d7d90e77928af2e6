import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { passportContent } from '../../../src/carriers/content.ts'
import {
  pixelsOf,
  rasterised,
  readByDmtx,
  readByZbar,
  readByZxing,
  textOf,
} from '../../../test/support/code-readers.ts'
import { BASE_URL, bearer, createWorkspace, textile } from '../../../test/support/gateway.ts'
import { HOSTILE_NAMES } from '../../../test/support/hostile-names.ts'
import { useLabels } from '../../../test/support/label-client.ts'
import { referenceTool } from '../../../test/support/reference-tools.ts'
import { filesInZip } from '../../../test/support/zip-reader.ts'

const { gateway, workspace, passports, print, printUnits, gtin, id, sku, unitIds } = await useLabels()

const poppler = referenceTool('pdftoppm')
const zbar = referenceTool('zbarimg')
const dmtx = referenceTool('dmtxread')

const inGreek = { ...workspace.as, 'accept-language': 'el' }
const CAPTION = 'Σαρώστε για περισσότερες πληροφορίες σχετικά με το προϊόν'

describe('labels of passports', () => {
  test('as PNG: a ZIP with a file of each code, and the manifest', async () => {
    const absent = randomUUID()
    const answer = await print({ ids: [id, absent, sku.id, id, 'no uuid'], size: 200 })
    expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      200,
      'application/zip',
      'attachment; filename="labels.zip"',
    ])
    expect(answer.headers['x-labels-skipped']).toBe('2')
    const files = await filesInZip(answer.bytes)
    const names = [`qr-${gtin}.png`, 'qr-SKU-1.png', `qr-${gtin}-2.png`]
    expect([...files.keys()]).toEqual([...names, 'manifest.json'])
    const pngs = names.map((name) => files.get(name) as Buffer)
    expect(pngs.map((png) => pixelsOf(png).size)).toEqual([200, 200, 200])
    if (zbar !== undefined) {
      expect(readByZbar(pngs)).toEqual([
        `${BASE_URL}/01/${gtin}`,
        `${BASE_URL}/passport/${sku.id}`,
        `${BASE_URL}/01/${gtin}`,
      ])
    }
    expect(JSON.parse(String(files.get('manifest.json')))).toEqual({
      included: 3,
      skipped: [
        { id: absent, reason: 'NOT_FOUND' },
        { id: 'no uuid', reason: 'NOT_FOUND' },
      ],
    })
  })

  test('review-3-security S8: an id that is named many times is drawn once', async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, index) => passports.given({ productId: `S8-${index}` })),
    )
    const spent = async (ids: readonly string[]) => {
      const times: number[] = []
      for (let run = 0; run < 5; run += 1) {
        const before = process.cpuUsage()
        const { status, bytes } = await print({ ids, size: 2048 })
        times.push(process.cpuUsage(before).user)
        expect([status, (await filesInZip(bytes)).size]).toEqual([200, ids.length + 1])
      }
      return Math.min(...times)
    }
    const once = await spent(others.map((other) => other.id))
    const again = await spent(others.map((_, index) => (index % 2 === 0 ? id : id.toUpperCase())))
    expect(again).toBeLessThan(once / 2)
  })

  test('as SVG, with what people read below', async () => {
    const files = await filesInZip((await print({ ids: [id], format: 'svg', hri: true, ecl: 'H' })).bytes)
    expect(String(files.get(`qr-${gtin}.svg`))).toContain(`>(01) ${gtin}</text>`)
  })

  test.runIf(poppler !== undefined)('as PDF: sheets, with the names in their own letters', async () => {
    const answer = await print({ ids: [id, sku.id], format: 'pdf', layout: 'L7163' })
    expect([answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
      'application/pdf',
      'attachment; filename="labels.pdf"',
    ])
    const text = textOf(answer.bytes)
    for (const word of ['Ελληνικό πουκάμισο', `(01) ${gtin}`, 'Батерия', 'SKU-1']) expect(text).toContain(word)
    const [page] = rasterised(answer.bytes, 200)
    expect((await readByZxing(page as Uint8Array)).map((found) => found.text).sort()).toEqual(
      [`${BASE_URL}/01/${gtin}`, `${BASE_URL}/passport/${sku.id}`].sort(),
    )
  })

  test.runIf(poppler !== undefined)('with a caption that invites to scan, in each form that has texts', async () => {
    const files = await filesInZip((await print({ ids: [id], format: 'svg', caption: true }, inGreek)).bytes)
    expect(
      String(files.get(`qr-${gtin}.svg`))
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' '),
    ).toContain(CAPTION)
    for (const symbology of ['qr', 'datamatrix']) {
      const labelRequest = { ids: [id], format: 'pdf', layout: 'roll-50x25', symbology, caption: true }
      const { bytes } = await print(labelRequest, inGreek)
      expect(textOf(bytes).replace(/\s+/g, ' ')).toContain(CAPTION)
      const [page] = rasterised(bytes, 300)
      if (symbology === 'datamatrix' && dmtx !== undefined) expect(readByDmtx(page as Uint8Array)).toContain(gtin)
      if (symbology === 'qr' && zbar !== undefined) {
        expect(readByZbar([page as Uint8Array])).toEqual([`${BASE_URL}/01/${gtin}`])
      }
    }
  })

  test('a DataMatrix is left out where there is no GS1 key', async () => {
    const files = await filesInZip((await print({ ids: [sku.id, id], symbology: 'datamatrix' })).bytes)
    expect([...files.keys()]).toEqual([`qr-${gtin}.png`, 'manifest.json'])
    expect(JSON.parse(String(files.get('manifest.json'))).skipped).toEqual([{ id: sku.id, reason: 'NOT_GS1' }])
    const refused = await print({ ids: [sku.id], symbology: 'datamatrix' })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `No label can be printed with these options: NOT_GS1 for ${sku.id}.`,
    ])
  })

  test('no name and no product id keeps the others from being printed', async () => {
    const names = HOSTILE_NAMES.filter((name) => name.isWellFormed() && !name.includes('\u0000'))
    const given = await Promise.all(
      names.map((name, index) =>
        passports.given({
          productId: `${index} ${name
            .replace(/[\p{Cc}\p{Cf}]/gu, '')
            .trim()
            .slice(0, 150)}`,
          metadata: textile({ productName: name }),
        }),
      ),
    )
    const ids = given.map((passport) => passport.id)
    expect(ids.length).toBeGreaterThan(10)
    const files = await filesInZip((await print({ ids, size: 300 })).bytes)
    expect(files.size).toBe(ids.length + 1)
    for (const name of files.keys()) expect(name).toMatch(/^(qr-[A-Za-z0-9._-]{1,80}\.png|manifest\.json)$/)
    if (poppler !== undefined) expect(rasterised((await print({ ids, format: 'pdf' })).bytes, 30)).toHaveLength(1)
  })

  test('names that differ in nothing that every system tells apart get numbers', async () => {
    const given = []
    for (const productId of ['ABC/1', 'abc?1', 'ABC_1-2', 'ABC 1'])
      given.push((await passports.given({ productId })).id)
    const files = await filesInZip((await print({ ids: given })).bytes)
    expect([...files.keys()].slice(0, 4)).toEqual([
      'qr-ABC_1.png',
      'qr-abc_1-2.png',
      'qr-ABC_1-2-2.png',
      'qr-ABC_1-3.png',
    ])
  })

  test('an invalid request is rejected with a message', async () => {
    const refused = async (json: object) => {
      const { status, body } = await print(json)
      expect([status, body.success, body.error]).toEqual([400, false, 'Bad Request'])
      return body.message
    }
    const many = 'ids must be a list of 1 to 10,000 UUIDs.'
    for (const ids of [undefined, null, [], 'x', [1], Array(10_001).fill(id), [['x']]]) {
      expect(await refused({ ids })).toBe(many)
    }
    expect(await refused({ ids: [id], format: 'gif' })).toBe('format must be png, svg or pdf')
    expect(await refused({ ids: [id], ecl: 'L' })).toBe('ecl must be M, Q or H')
    expect(await refused({ ids: [id], size: '200' })).toBe('size must be a number')
    expect(await refused({ ids: [id], hri: 'yes' })).toBe('hri must be true or false')
    expect(await refused({ ids: [id], caption: 'yes' })).toBe('caption must be true or false')
    expect(await refused({ ids: [id], symbology: 'ean' })).toBe('symbology must be qr or datamatrix')
    expect(await refused({ ids: [id], layout: 7 })).toBe('layout must be a text')
    for (const layout of ['A4', '../L7160', 'constructor', '__proto__', '']) {
      expect(await refused({ ids: [id], layout })).toMatch(/^layout must be one of: 5160, L7159/)
    }
    const { status, body } = await print({ ids: [randomUUID()] })
    expect([status, body.message]).toEqual([404, 'Passports or units not found in your workspace.'])
  })
})

describe('labels of others', () => {
  test('are not printed: they are left out as if they were not there', async () => {
    const other = await createWorkspace(gateway)
    expect((await print({ ids: [id] }, other.as)).status).toBe(404)
    expect((await printUnits({ ids: unitIds }, other.as)).status).toBe(404)
    expect((await printUnits({ passportId: id }, other.as)).status).toBe(404)
  })

  test('nor those of another operator, by a key of one', async () => {
    const { body } = await gateway.request('POST', '/api/v1/operators', {
      headers: workspace.as,
      json: { name: 'Second', regId: `REG-${randomUUID()}` },
    })
    const { key } = await gateway.container.cradle.workspaces.createKey({
      workspaceId: workspace.id,
      role: 'BRAND_OPERATOR',
      operatorId: body.operator.id,
    })
    const own = await passports.given({ operatorId: body.operator.id })
    const files = await filesInZip((await print({ ids: [id, own.id] }, bearer(key))).bytes)
    expect([...files.keys()]).toEqual([`qr-${own.productId}.png`, 'manifest.json'])
    expect((await printUnits({ passportId: id }, bearer(key))).status).toBe(404)
  })
})

test('the address of the passport resolves the content of a code', async () => {
  const { uri } = passportContent(BASE_URL, { id, productId: gtin })
  const { body } = await gateway.request('GET', uri.slice(BASE_URL.length), {
    headers: { accept: 'application/ld+json' },
  })
  expect(body.id).toBe(id)
})
