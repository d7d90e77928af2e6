import Excel from 'exceljs'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { openTable } from './read-table.ts'
import { type Cell, type Row, TableError } from './table.ts'
import { openXlsx } from './xlsx-reader.ts'
import { writeXlsx } from './xlsx-writer.ts'

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

async function rowsOf(bytes: Buffer): Promise<Row[]> {
  const book = await openXlsx(bytes)
  await all(book.rows())
  return all(book.rows())
}

const cellsOf = async (bytes: Buffer) => (await rowsOf(bytes)).map(({ cells }) => cells)
const ours = async (rows: readonly (readonly Cell[])[]) => Buffer.concat(await all(writeXlsx({ rows })))

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const STRICT = 'http://purl.oclc.org/ooxml/spreadsheetml/main'
const STRICT_TYPES = 'http://purl.oclc.org/ooxml/officeDocument/relationships'

const relationships = (each: Readonly<Record<string, string>>) =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${Object.entries(each)
    .map(([type, target], index) => `<Relationship Id="r${index + 1}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
const workbookXml = (properties = '', more = '', main = MAIN, types = TYPES) =>
  `<workbook xmlns="${main}" xmlns:r="${types}">${properties}<sheets><sheet name="A" sheetId="1" r:id="r1"/></sheets>${more}</workbook>`

const packed = (sheet: string, more: Readonly<Record<string, string | Uint8Array>> = {}) =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries({
          '_rels/.rels': relationships({ [`${TYPES}/officeDocument`]: 'xl/workbook.xml' }),
          'xl/workbook.xml': workbookXml(),
          'xl/_rels/workbook.xml.rels': relationships({
            [`${TYPES}/worksheet`]: 'worksheets/s.xml',
            [`${TYPES}/styles`]: 'styles.xml',
            [`${TYPES}/sharedStrings`]: 'sharedStrings.xml',
            'http://schemas.microsoft.com/office/2006/relationships/vbaProject': 'vbaProject.bin',
          }),
          'xl/worksheets/s.xml': sheet,
          ...more,
        }).map(([name, content]) => [name, Buffer.from(content)]),
      ),
    ),
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
    expect(rows[2]?.notes?.get(0)?.fault).toBe('shows a date that does not exist.')
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
    expect(rows.find(({ number }) => number === 3)?.notes?.get(0)?.fault).toBe('has the error #N/A.')
  })

  test('has merged cells refused in each row that they touch', async () => {
    const rows = await rowsOf(
      await written((sheet) => {
        for (const row of ['productId', 'A', 'B', 'C', 'D']) sheet.addRow([row, row])
        sheet.mergeCells('B3:B4')
      }),
    )
    const fault = 'The cells B3:B4 are merged. Unmerge them and fill in each cell.'
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

describe('the parts of a workbook', () => {
  const DATE = '<row r="1"><c r="A1" s="1"><v>44560</v></c><c r="B1" t="s"><v>0</v></c></row>'
  const stylesXml = (main = MAIN) =>
    `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`
  const textsXml = (main = MAIN) => `<sst xmlns="${main}"><si><t>text</t></si></sst>`
  const EXTENDED = `<extLst><ext uri="{140A7094-0E35-4892-8432-C4D2E57EDEB5}" xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>`

  test.each([
    ['<workbookPr date1904="1"/>', EXTENDED, '2025-12-31'],
    ['<workbookPr date1904="true"/>', '', '2025-12-31'],
    ['<workbookPr date1904="0"/>', EXTENDED, '2021-12-30'],
    ['', EXTENDED.replace('chartTrackingRefBase="1"', 'date1904="1"'), '2021-12-30'],
    ['<workbookPr/>', '', '2021-12-30'],
  ])('review-3-inputs N1: the date system is that of %s, whatever extensions say', async (properties, more, day) => {
    const bytes = packed(sheetOf(DATE), {
      'xl/workbook.xml': workbookXml(properties, more),
      'xl/styles.xml': stylesXml(),
      'xl/sharedStrings.xml': textsXml(),
    })
    expect(await cellsOf(bytes)).toEqual([[day, 'text']])
  })

  test('review-3-inputs N1: elements of extensions are not those of the sheet, the texts or the styles', async () => {
    const x = (xml: string) => `<x:e xmlns:x="urn:x">${xml}</x:e>`
    const bytes = packed(
      sheetOf(
        `<row r="1"><c r="A1" s="1"><v>44560</v>${x('<x:v>1</x:v>')}</c><c r="B1" t="s"><v>0</v></c>${x('<x:c r="C1"><x:v>3</x:v></x:c>')}</row>`,
      ),
      {
        'xl/styles.xml': stylesXml().replace('<xf ', `${x('<x:xf numFmtId="9"/>')}<xf `),
        'xl/sharedStrings.xml': textsXml().replace('<si>', `${x('<x:si><x:t>no</x:t></x:si>')}<si>`),
      },
    )
    expect(await cellsOf(bytes)).toEqual([['2021-12-30', 'text']])
  })

  test('review-3-inputs N1: a strict workbook is read as a transitional one', async () => {
    const bytes = packed(sheetOf(DATE).replace(MAIN, STRICT), {
      '_rels/.rels': relationships({ [`${STRICT_TYPES}/officeDocument`]: 'xl/workbook.xml' }),
      'xl/workbook.xml': workbookXml('<workbookPr date1904="1"/>', '', STRICT, STRICT_TYPES),
      'xl/_rels/workbook.xml.rels': relationships({
        [`${STRICT_TYPES}/worksheet`]: 'worksheets/s.xml',
        [`${STRICT_TYPES}/styles`]: 'styles.xml',
        [`${STRICT_TYPES}/sharedStrings`]: 'sharedStrings.xml',
      }),
      'xl/styles.xml': stylesXml(STRICT),
      'xl/sharedStrings.xml': textsXml(STRICT),
    })
    expect(await cellsOf(bytes)).toEqual([['2025-12-31', 'text']])
  })

  test.each([
    ['/book/workbook2.xml', 'styles2.xml', '../texts/strings.xml'],
    ['book/Workbook2.xml', '/book/styles2.xml', '/texts/Strings.xml'],
  ])(
    'review-3-inputs N10: the workbook %s, its styles and texts are found by relationships',
    async (book, styles, texts) => {
      const bytes = packed('', {
        '_rels/.rels': relationships({ 'urn:x': 'xl/workbook.xml', [`${TYPES}/officeDocument`]: book }),
        'book/workbook2.xml': workbookXml(),
        'book/_rels/workbook2.xml.rels': relationships({
          [`${TYPES}/worksheet`]: '../xl/worksheets/s2.xml',
          [`${TYPES}/styles`]: styles,
          [`${TYPES}/sharedStrings`]: texts,
        }),
        'xl/worksheets/s2.xml': sheetOf(DATE),
        'book/styles2.xml': stylesXml(),
        'texts/strings.xml': textsXml(),
        'xl/styles.xml': stylesXml().replace('14', '9'),
        'xl/sharedStrings.xml': textsXml().replace('text', 'no'),
      })
      expect(await cellsOf(bytes)).toEqual([['2021-12-30', 'text']])
    },
  )

  test('review-3-inputs N26: a workbook whose parts are named with backslashes is read', async () => {
    const plain = packed(sheetOf(DATE), { 'xl/styles.xml': stylesXml(), 'xl/sharedStrings.xml': textsXml() })
    const named = Object.entries(unzipSync(plain)).map(([name, content]) => [name.replaceAll('/', '\\'), content])
    expect(await cellsOf(Buffer.from(zipSync(Object.fromEntries(named))))).toEqual([['2021-12-30', 'text']])
  })

  test('review-3-inputs N25: a number of more digits than numbers have is a fault of its cell', async () => {
    const [row] = await rowsOf(
      packed(
        sheetOf(
          '<row r="1"><c><v>9007199254740993</v></c><c><v>9007199254740992</v></c><c><v>0.10000000000000001</v></c></row>',
        ),
      ),
    )
    expect(row?.cells.slice(1)).toEqual([9007199254740992, 0.1])
    expect([...(row?.notes ?? [])]).toEqual([[0, { fault: expect.stringMatching(/number with too many digits/) }]])
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

describe('an invalid or too large workbook', () => {
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
    ['text', () => Buffer.from('productId\n1\n'), /not a valid \.xlsx workbook, or is truncated/],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /password-protected or in the old format/],
    [
      'another archive',
      () => Buffer.from(zipSync({ a: Buffer.from('b') })),
      /Invalid \.xlsx file: it contains no workbook/,
    ],
    [
      'a cell bomb',
      () => packed(sheetOf(`<row r="1"><c r="A1" t="inlineStr"><is><t>${bomb(40_000)}</t></is></c></row>`)),
      /^A1 has more than 32767 characters/,
    ],
    ['a row bomb', () => packed(sheetOf('<row><c><v>1</v></c></row>'.repeat(400_000))), /decompresses to far more/],
    [
      'a part bomb',
      () => packed(sheetOf(''), { 'xl/sharedStrings.xml': bomb(50_000_000) }),
      /decompresses to far more/,
    ],
    [
      'many columns',
      () => packed(sheetOf(`<row r="1">${'<c><v>1</v></c>'.repeat(10_000)}</row>`)),
      /^SS1 is beyond the limit of 512 columns/,
    ],
    ['a document type', () => packed(`<!DOCTYPE worksheet [<!ENTITY a "b">]>${sheetOf('')}`), /document type/],
    [
      'an XML that breaks off',
      () => packed(sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>').slice(0, -30)),
      /^The file has invalid XML: /,
    ],
    ['rows out of order', () => packed(sheetOf('<row r="2"/><row r="2"/>')), /row 2 is followed by row 2/],
    [
      'a text that is not there',
      () => packed(sheetOf('<row r="1"><c r="A1" t="s"><v>7</v></c></row>')),
      /^A1 refers to shared string 7, which is missing in the file/,
    ],
  ])('%s is refused by name', async (_, make, why) => {
    expect(await failing(await make())).toMatch(why)
  })

  test('more number formats than programs write are refused', async () => {
    const ids = Array.from({ length: 321 }, (_, index) => index + 164)
    const styles = `<styleSheet xmlns="${MAIN}"><numFmts>${ids.map((id) => `<numFmt numFmtId="${id}" formatCode="0&quot;${id}&quot;"/>`).join('')}</numFmts><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs></styleSheet>`
    expect(await failing(packed(sheetOf(''), { 'xl/styles.xml': styles }))).toMatch(/more than 320 number formats/)
  })

  test('cut off anywhere is refused', async () => {
    const whole = await ours([['productId'], ['A']])
    for (const part of [0.2, 0.5, 0.9, 0.99]) {
      expect(await failing(whole.subarray(0, Math.floor(whole.length * part)))).toMatch(/truncated/)
    }
  })

  test('that declares less or more than it holds is refused', async () => {
    const bytes = packed(sheetOf('<row r="1"><c r="A1"><v>1</v></c></row>'))
    const entry = bytes.lastIndexOf('xl/worksheets/s.xml')
    for (const size of [1, 2_147_483_647]) {
      const lying = Buffer.from(bytes)
      lying.writeUInt32LE(size, entry - 22)
      expect(await failing(lying)).toMatch(/decompresses to far more|truncated/)
    }
  })

  test('with macros is read without them, and that is said', async () => {
    const bytes = packed(sheetOf('<row r="1"><c r="A1" t="str"><v>productId</v></c></row>'), {
      'xl/vbaProject.bin': Buffer.from('Sub AutoOpen()'),
    })
    expect((await openTable(bytes, 'xlsx')).remarks).toEqual([{ code: 'MACROS_IGNORED' }])
  })
})
