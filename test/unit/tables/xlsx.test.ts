import Excel from 'exceljs'
import { zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openTable } from '../../../src/tables/read-table.ts'
import { type Cell, type Row, TableError } from '../../../src/tables/table.ts'
import { openXlsx } from '../../../src/tables/xlsx-reader.ts'
import { writeXlsx } from '../../../src/tables/xlsx-writer.ts'

/** A workbook that somebody else has written. */
async function written(
  fill: (sheet: Excel.Worksheet, book: Excel.Workbook) => void,
  name = 'Passports',
): Promise<Buffer> {
  const book = new Excel.Workbook()
  fill(book.addWorksheet(name), book)
  return Buffer.from(await book.xlsx.writeBuffer())
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Rows as they are read the second time, when all is known. */
async function rowsOf(bytes: Buffer): Promise<Row[]> {
  const book = await openXlsx(bytes)
  await all(book.rows())
  return all(book.rows())
}

const cellsOf = async (bytes: Buffer) => (await rowsOf(bytes)).map(({ cells }) => cells)
const ours = async (rows: readonly (readonly Cell[])[]) => Buffer.concat(await all(writeXlsx({ rows })))

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of parts as an attacker writes them. */
const packed = (sheet: string, more: Readonly<Record<string, Uint8Array>> = {}) =>
  Buffer.from(
    zipSync({
      'xl/workbook.xml': Buffer.from(
        `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': Buffer.from(
        '<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>',
      ),
      'xl/worksheets/s.xml': Buffer.from(sheet),
      ...more,
    }),
  )
const sheetOf = (rows: string) => `<worksheet xmlns="${MAIN}"><sheetData>${rows}</sheetData></worksheet>`

describe('a workbook that another program has written', () => {
  test('gives texts, numbers, words and dates', async () => {
    const bytes = await written((sheet) => {
      sheet.addRow(['productId', 'brand', 'mass', 'on', 'since', 'at'])
      sheet.addRow(['A', ' Ä & <b> ', 1.5, true, new Date('2026-02-03T00:00:00Z'), new Date('2026-02-03T04:05:06Z')])
      sheet.addRow(['B', { richText: [{ text: 'one ' }, { text: 'two', font: { bold: true } }] }, 45678])
      sheet.getCell('C3').numFmt = '[$-407]d. mmmm yyyy;@'
      sheet.getCell('D3').value = 12
      sheet.getCell('D3').numFmt = '0.00 "days"'
    })
    expect(await cellsOf(bytes)).toEqual([
      ['productId', 'brand', 'mass', 'on', 'since', 'at'],
      ['A', ' Ä & <b> ', 1.5, true, '2026-02-03', '2026-02-03T04:05:06'],
      ['B', 'one two', '2025-01-21', 12],
    ])
  })

  test('counts days as spreadsheets do, with a 29 February 1900 that there was not', async () => {
    const bytes = await written((sheet) => {
      for (const days of [1, 59, 60, 61, 2958465]) sheet.addRow([days])
      sheet.getColumn(1).numFmt = 'yyyy-mm-dd'
    })
    const rows = await rowsOf(bytes)
    expect(rows.map(({ cells }) => cells[0])).toEqual(['1900-01-01', '1900-02-28', 60, '1900-03-01', '9999-12-31'])
    expect(rows[2]?.fault).toBe('A3 shows a day that there is not.')
  })

  test('takes the last value of formulas and says so, and refuses those without and errors', async () => {
    const rows = await rowsOf(
      await written((sheet) => {
        sheet.addRow([{ formula: '1+1', result: 2 }])
        sheet.addRow([{ formula: 'A1', result: undefined as never }])
        sheet.addRow([{ error: '#N/A' }])
      }),
    )
    expect(rows[0]).toMatchObject({ cells: [2], remarks: [{ code: 'FORMULA_VALUE_TAKEN', place: 'A1' }] })
    expect(rows.find(({ number }) => number === 3)?.fault).toBe('A3 has the error #N/A.')
  })

  test('has merged cells refused in each row that they touch', async () => {
    const rows = await rowsOf(
      await written((sheet) => {
        for (const row of ['productId', 'A', 'B', 'C', 'D']) sheet.addRow([row, row])
        sheet.mergeCells('B3:B4')
      }),
    )
    const fault = 'The cells B3:B4 are merged. Unmerge them, and fill in each one.'
    expect(rows.map((row) => row.fault)).toEqual([undefined, undefined, fault, fault, undefined])
  })

  test('is read in the sheet of passports, else in the first that is shown', async () => {
    const bytes = await written((sheet, book) => {
      sheet.addRow(['hidden'])
      sheet.state = 'hidden'
      book.addWorksheet('Shown').addRow(['shown'])
    }, 'First')
    const book = await openXlsx(bytes)
    expect([book.sheet, (await all(book.rows()))[0]?.cells]).toEqual(['Shown', ['shown']])
  })
})

describe('a workbook of ours', () => {
  test('is read by another program, and by us, as it was written', async () => {
    const rows: Cell[][] = [
      ['=1+1', '+x', '00012', ' a\nb\r\n\u0001_x0041_ ', 'ünï 😀 ]]>', '\ufffe'],
      [1.5, -0.1, 1e21, 5e-324, true, false],
      [undefined, undefined, 'x'],
    ]
    const bytes = await ours(rows)
    expect(await cellsOf(bytes)).toEqual(rows)
    const book = new Excel.Workbook()
    await book.xlsx.load(bytes as never)
    const sheet = book.getWorksheet('Passports')
    expect([sheet?.getCell('A1').value, sheet?.getCell('A1').type]).toEqual(['=1+1', Excel.ValueType.String])
    expect([sheet?.getCell('A2').value, sheet?.getCell('E2').value, sheet?.getCell('C3').value]).toEqual([
      1.5,
      true,
      'x',
    ])
  })
})

describe('a workbook that is none, or too much of one', () => {
  const failing = async (bytes: Buffer) => {
    try {
      await rowsOf(bytes)
    } catch (error) {
      if (error instanceof TableError) return error.message
      throw error
    }
    return undefined
  }
  const bomb = (size: number) => Buffer.alloc(size, ' ')

  test.each<[string, () => Buffer | Promise<Buffer>, RegExp]>([
    ['text', () => Buffer.from('productId\n1\n'), /no \.xlsx workbook, or it is cut off/],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /protected by a password, or of the old kind/],
    ['another archive', () => Buffer.from(zipSync({ a: Buffer.from('b') })), /xl\/workbook\.xml is missing/],
    [
      'a cell bomb',
      () => packed(sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>${bomb(40_000)}</t></is></c></row>`)),
      /^A1 has more than 32767 characters/,
    ],
    ['a row bomb', () => packed(sheetOf('<row><c><v>1</v></c></row>'.repeat(400_000))), /inflates to far more/],
    ['a part bomb', () => packed(sheetOf(''), { 'xl/sharedStrings.xml': bomb(50_000_000) }), /inflates to far more/],
    [
      'many columns',
      () => packed(sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(10_000)}</row>`)),
      /^SS1 is beyond the 512 columns/,
    ],
    ['a document type', () => packed(`<!DOCTYPE worksheet [<!ENTITY a "b">]>${sheetOf('')}`), /document type/],
    [
      'an XML that breaks off',
      () => packed(sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>').slice(0, -30)),
      /not what it should be/,
    ],
    ['rows out of order', () => packed(sheetOf('<row r="2"/><row r="2"/>')), /row 2 is followed by row 2/],
    [
      'a text that is not there',
      () => packed(sheetOf('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')),
      /^A1 has text 7, which is not in the file/,
    ],
  ])('%s is refused by name', async (_, make, why) => {
    expect(await failing(await make())).toMatch(why)
  })

  test('cut off anywhere is refused', async () => {
    const whole = await ours([['productId'], ['A']])
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      expect(await failing(whole.subarray(0, Math.floor(whole.length * part)))).toMatch(/cut off/)
    }
  })

  test('that declares less or more than it holds is refused', async () => {
    const bytes = packed(sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>'))
    const entry = bytes.lastIndexOf('xl/worksheets/s.xml')
    // In the central directory the unpacked size stands 22 bytes before the name.
    for (const size of [1, 2_147_483_647]) {
      const lying = Buffer.from(bytes)
      lying.writeUInt32LE(size, entry - 22)
      expect(await failing(lying)).toMatch(/inflates to far more|cut off/)
    }
  })

  test('with macros is read without them, and that is said', async () => {
    const bytes = packed(sheetOf('<row r="1"><c r="A1" t="str"><v>productId</v></c></row>'), {
      'xl/vbaProject.bin': Buffer.from('Sub AutoOpen()'),
    })
    expect((await openTable(bytes, 'xlsx')).remarks).toEqual([{ code: 'MACROS_IGNORED' }])
  })
})
