import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvLine, disarmed, rearmed } from '../../../../src/domain/csv-line.ts'
import type { Metadata } from '../../../../src/domain/metadata.ts'
import { COMMON_SCHEMA } from '../../../../src/plugin/common-schema.ts'
import { plugins } from '../../../../test/support/categories.ts'
import { oddMetadata, randomMetadata } from '../../../../test/support/random-metadata.ts'
import { columnsOf, exporter, headingsOf, keyTest, kindsOf, readingOf } from './columns.ts'
import { readCsv } from './csv.ts'
import { readJsonLines } from './json-lines.ts'
import { openTable } from './read-table.ts'
import { type Cell, TableError } from './table.ts'
import { writeXlsx } from './xlsx-writer.ts'

const schemasOf = (category: string | undefined) => [plugins.categories.get(category ?? '')?.schema, COMMON_SCHEMA]
const kindsFor = (category: string | undefined) => kindsOf(schemasOf(category), COMMON_SCHEMA)
const batteries = kindsFor('batteries')

const read = (headings: readonly Cell[], cells: readonly Cell[]) => {
  const found = headingsOf({ number: 1, cells: headings })
  if (found === undefined) throw new Error('There are no headings.')
  const reading = readingOf(found, { number: 2, cells }, () => batteries, 'batteries')
  return { ...reading, fault: faultOf(reading) }
}

const faultOf = ({ fault, faults }: Pick<ReturnType<typeof readingOf>, 'fault' | 'faults'>) =>
  [...faults, ...(fault === undefined ? [] : [fault])].join(' ') || undefined

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

test('keys of later entries and of translations are known, and others are not', () => {
  const schemas = [...plugins.categories.values()].map(({ schema }) => schema)
  const isKnown = keyTest([...schemas, COMMON_SCHEMA], COMMON_SCHEMA)
  const known = [
    ...['productId', 'metadata', 'metadata@2', 'error', '#id', 'category', 'recycledContent.cobalt'],
    ...['materialComposition.1.material', 'materialComposition.1000.material', 'careInstructions.2', 'legalBasis.1'],
    ...['productName', 'productName.de', 'productName.pt-BR'],
  ]
  const unknown = [
    ...['', 'fibre', '__proto__', 'metadata.1', 'brand.de', 'productName.german', 'productName.DE', 'productName.1'],
    ...['materialComposition.0.material', 'materialComposition.1001.material', 'materialComposition.[].material'],
  ]
  expect([known.filter((key) => !isKnown(key)), unknown.filter(isKnown)]).toEqual([[], []])
})

describe('cells become metadata', () => {
  test('with groups, lists of groups and lists in one cell', () => {
    const headings = [
      'productId',
      'recycledContent.cobalt',
      'materialComposition.2.material',
      'materialComposition.1.material',
      'metadata',
      '#note',
    ]
    const { document, fault } = read(headings, ['A', '16', 'b', 'a', '{"own":[1]}', 'x'])
    expect([fault, document]).toEqual([
      undefined,
      {
        productId: 'A',
        metadata: {
          recycledContent: { cobalt: 16 },
          materialComposition: [{ material: 'a' }, { material: 'b' }],
          own: [1],
          category: 'batteries',
        },
      },
    ])
  })

  test.each<[Cell, number | RegExp]>([
    ['16', 16],
    ['1,5', 1.5],
    ['1.234,5', 1234.5],
    ['1,234.5', 1234.5],
    ['1.234', 1.234],
    ['-0,25', -0.25],
    ['0,125', 0.125],
    ['1e3', 1000],
    ['1,234', /can mean 1234 or 1\.234/],
    ['abc', /must be a number, not "abc"/],
    ['0x10', /must be a number/],
    ['', 0],
  ])('a number written %j', (cell, expected) => {
    const { document, fault } = read(['productId', 'recycledContent.cobalt'], ['A', cell === '' ? 0 : cell])
    if (expected instanceof RegExp) expect(fault).toMatch(expected)
    else expect(document.metadata.recycledContent).toEqual({ cobalt: expected })
  })

  test('a GTIN that was taken for a number gets its zeros back, and one that has lost more is refused', () => {
    const padded = read(['productId', 'gtin'], [9520123456788, 9520123456788])
    expect(padded.document).toMatchObject({ productId: '09520123456788', metadata: { gtin: '09520123456788' } })
    expect(padded.remarks).toEqual([
      { code: 'GTIN_PADDED', place: 'A2' },
      { code: 'GTIN_PADDED', place: 'B2' },
    ])
    expect(read(['productId'], [12345]).document.productId).toBe('12345')
    expect(read(['productId'], [2 ** 60]).fault).toMatch(/^A2 \(productId\) is a number with too many digits/)
  })

  test('headings are refused where they are there twice, or lead to a prototype', () => {
    expect(() => headingsOf({ number: 3, cells: ['productId', 'gtin', 'gtin'] })).toThrow(
      'Duplicate heading "gtin" in B3 and C3.',
    )
    for (const key of ['__proto__.x', 'a.constructor', 'a..b', '.a', 'a.99999']) {
      expect(() => headingsOf({ number: 1, cells: ['productId', key] })).toThrow(TableError)
    }
    expect(headingsOf({ number: 1, cells: ['a', 'b'] })).toBeUndefined()
  })

  test('columns that contradict each other, and cells without heading, are faults of their row', () => {
    expect(read(['productId', 'own', 'own.x'], ['A', '1', '2']).fault).toBe('C2 (own.x) contradicts another column.')
    expect(read(['productId', 'toString.x'], ['A', '1']).fault).toBeUndefined()
    expect(read(['productId'], ['A', 'x']).fault).toBe('B2 has a value but no heading.')
    expect(read(['productId', 'metadata'], ['A', '[]']).fault).toMatch(/not a JSON object/)
  })
})

describe('review-3-inputs N8: columns of identifiers', () => {
  const GTIN = '09520123456788'
  const productId = (cell: Cell) => {
    const { document, remarks, fault } = read(['productId'], [cell])
    return fault ?? [document.productId, ...remarks.map(({ code }) => code)].join(' ')
  }

  test.each<[Cell, string]>([
    [9520123456788, `${GTIN} GTIN_PADDED`],
    ['9520123456788', `${GTIN} GTIN_PADDED`],
    [' 9520123456788 ', `${GTIN} GTIN_PADDED`],
    [GTIN, GTIN],
    // UPC-A, with and without leading zeros.
    ['012345678905', '00012345678905 GTIN_PADDED'],
    [12345678905, '00012345678905 GTIN_PADDED'],
    [1234567895, '00001234567895 GTIN_PADDED'],
    // GTIN-8.
    ['96385074', '00000096385074 GTIN_PADDED'],
    [96385074, '00000096385074 GTIN_PADDED'],
    // Article numbers: too short, of another length, or with another check digit.
    [48, '48'],
    [1234565, '1234565'],
    ['48', '48'],
    ['12345678905', '12345678905'],
    ['9520123456789', '9520123456789'],
    [96385075, '96385075'],
    ['A-1', 'A-1'],
    ['12E5', '12E5'],
  ])('%j is %s', (cell, expected) => {
    expect(productId(cell)).toBe(expected)
    expect(read(['productId', 'gtin'], ['X', cell]).document.metadata.gtin).toBe(expected.split(' ')[0])
  })

  test.each(['9,50601E+12', '9.50600E+12', '1.23457e+13', '9E+12'])('%j is refused, with a next step', (cell) => {
    const fault = `A2 (productId) is "${cell}", a number with lost digits. Format the column as text and enter the complete number.`
    expect(productId(cell)).toBe(fault)
    expect(read(['productId', 'gtin'], ['X', cell]).fault).toBe(fault.replace('A2 (productId)', 'B2 (gtin)'))
  })

  test.each([
    ["'09520123456788", GTIN],
    ['="09520123456788"', GTIN],
    ["'9520123456788", `${GTIN} GTIN_PADDED`],
    ["'0042", '0042'],
    ["'A-1", "'A-1"],
  ])('review-3-inputs N12: %j is %s', (cell, expected) => {
    expect(productId(cell)).toBe(expected)
  })
})

describe('review-3-users I2', () => {
  test('every cell with a fault is reported, and its member exists for later steps', () => {
    const { faults, unread, document } = read(
      ['productId', 'recycledContent.cobalt', 'recycledContent.lead', 'productName'],
      ['9,5E+12', 'much', 'more', 'Cell'],
    )
    expect(faults).toEqual([
      expect.stringMatching(/^A2 \(productId\) is "9,5E\+12"/),
      'B2 (recycledContent.cobalt) must be a number, not "much".',
      'C2 (recycledContent.lead) must be a number, not "more".',
    ])
    expect([...unread]).toEqual(['productId', 'recycledContent.cobalt', 'recycledContent.lead'])
    expect(document).toMatchObject({ productId: '9,5E+12', metadata: { productName: 'Cell' } })
  })
})

describe('review-3-inputs N25', () => {
  test('a number of more digits than numbers have is refused', () => {
    const cobalt = (cell: Cell) => read(['productId', 'recycledContent.cobalt'], ['A', cell])
    expect(cobalt('9007199254740993').fault).toMatch(/^B2 .* a number with too many digits/)
    expect(cobalt('9007199254740992').document.metadata.recycledContent).toEqual({ cobalt: 9007199254740992 })
  })
})

describe('formulas', () => {
  test.each(['=1+1', '+49 40', '-x', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', "'=1", "''+1", '\n-1'])(
    '%j is disarmed',
    (text) => {
      expect(disarmed(text)).toBe(`'${text}`)
      expect(rearmed(disarmed(text))).toBe(text)
    },
  )

  test.each(['-5.2', '12', "it's", "'quoted'", 'a=b', ''])('%j stays', (text) => expect(disarmed(text)).toBe(text))

  test('any text is what it was', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '=', '-', ' ', '1', '.', '\t', 'a') })),
        (text) => {
          expect(rearmed(disarmed(text))).toBe(text)
        },
      ),
    )
  })
})

describe('exported values are read again unchanged', () => {
  const columns = columnsOf(
    [...[...plugins.categories.values()].map(({ schema }) => schema), COMMON_SCHEMA],
    COMMON_SCHEMA,
  ).slice(0, 480)
  const { keys, cellsOf } = exporter(columns, kindsFor)
  const metadataOf = async (bytes: Buffer, format: 'csv' | 'xlsx'): Promise<Metadata[]> => {
    const table = await openTable(bytes, format)
    const records = await all(table.records())
    return records.map((record) => {
      if (!('headings' in record)) throw new Error('That is no row.')
      const reading = readingOf(record.headings, record.row, kindsFor, undefined)
      expect(faultOf(reading)).toBeUndefined()
      return reading.document.metadata
    })
  }

  test('also what an import would refuse in a column, or would read as something else', async () => {
    const plain: Metadata[] = [
      { category: 'batteries', gtin: '9.5E+12', productName: '="1"' },
      { category: 'batteries', gtin: '9520123456788' },
      { category: 'batteries', gtin: "'09520123456788" },
    ]
    const rows = plain.map((metadata, index) =>
      cellsOf({ id: 'i', productId: `P-${index}`, status: 'ACTIVE', operator: 'o', metadata }),
    )
    expect(await metadataOf(Buffer.from([keys, ...rows].map(csvLine).join('')), 'csv')).toEqual(plain)
    expect(await metadataOf(Buffer.concat(await all(writeXlsx({ rows: [keys, ...rows] }))), 'xlsx')).toEqual(plain)
  })

  test('as comma-separated values and as a workbook, whatever the metadata say', { timeout: 120_000 }, async () => {
    const some = fc.array(fc.oneof(oddMetadata(), ...Object.values(randomMetadata())), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(some, async (list) => {
        const plain = JSON.parse(JSON.stringify(list)) as Metadata[]
        const rows = plain.map((metadata, index) =>
          cellsOf({ id: 'i', productId: `P-${index}`, status: 'ACTIVE', operator: 'o', metadata }),
        )
        const csv = Buffer.from(`\ufeff${[keys, ...rows].map(csvLine).join('')}`)
        expect(await metadataOf(csv, 'csv')).toEqual(plain)
        const xlsx = Buffer.concat(await all(writeXlsx({ rows: [keys, ...rows] })))
        expect(await metadataOf(xlsx, 'xlsx')).toEqual(plain)
      }),
      { numRuns: 20 },
    )
  })
})

describe('comma-separated values', () => {
  const cells = async (bytes: Buffer, charset?: Parameters<typeof readCsv>[1]) =>
    (await all(readCsv(bytes, charset))).map((row) => row.cells)

  test.each([
    [
      'productId;brand\nA;"1,5;2"\n',
      [
        ['productId', 'brand'],
        ['A', '1,5;2'],
      ],
    ],
    [
      '"product,Id"\tbrand\r\nA\tB',
      [
        ['product,Id', 'brand'],
        ['A', 'B'],
      ],
    ],
    [
      'sep=|\nproductId|x\n1|2,3\n',
      [
        ['productId', 'x'],
        ['1', '2,3'],
      ],
    ],
    [
      'a,b\n\n,\n"x\ny",""""\n',
      [
        ['a', 'b'],
        ['x\ny', '"'],
      ],
    ],
  ])('%j', async (text, expected) => {
    expect(await cells(Buffer.from(text))).toEqual(expected)
    expect(await cells(Buffer.from(`\ufeff${text.replace(/^sep=.\n/, '')}`))).toEqual(expected)
    expect(await cells(Buffer.from(`\ufeff${text.replace(/^sep=.\n/, '')}`, 'utf16le'))).toEqual(expected)
    expect(await cells(Buffer.from(`\ufeff${text.replace(/^sep=.\n/, '')}`, 'utf16le').swap16())).toEqual(expected)
  })

  test.each<[string, (string | undefined)[][]]>([
    [
      'a,b\n="00012",x\n="0013",="0014"',
      [
        ['a', 'b'],
        ['00012', 'x'],
        ['0013', '0014'],
      ],
    ],
    [
      'a;b\r\n"=""00012""";="A ""b"\r\n',
      [
        ['a', 'b'],
        ['00012', undefined],
      ],
    ],
    [
      'a|b\n="1"|="2"\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n"x,=",y\n',
      [
        ['a', 'b'],
        ['x,=', 'y'],
      ],
    ],
    [
      'a,b\n"x,=""1"",y",z\n',
      [
        ['a', 'b'],
        ['x,="1",y', 'z'],
      ],
    ],
    [
      `a,b\n"'=""1""",'12\n`,
      [
        ['a', 'b'],
        ['="1"', "'12"],
      ],
    ],
  ])('review-3-inputs N12: cells that protect their zeros in %j', async (text, expected) => {
    const rows = cells(Buffer.from(text))
    if (expected[1]?.[1] === undefined) await expect(rows).rejects.toThrow(/misplaced quotation mark/)
    else expect(await rows).toEqual(expected)
  })

  test('review-3-inputs N12: in the midst of a large file too, wherever it is cut into pieces', async () => {
    const line = (index: number) => `="0${index}",${'x'.repeat(index % 97)},="a b"\n`
    const rows = await cells(Buffer.from(Array.from({ length: 3000 }, (_, index) => line(index)).join('')))
    expect(rows).toEqual(
      Array.from({ length: 3000 }, (_, index) => [`0${index}`, 'x'.repeat(index % 97) || undefined, 'a b']),
    )
  })

  test.each(['sep=;', '"sep=;"'])('review-3-inputs N29: the separator in the first line %j', async (first) => {
    expect(await cells(Buffer.from(`${first}\r\na,b;c\r\n1;2\r\n`))).toEqual([
      ['a,b', 'c'],
      ['1', '2'],
    ])
  })

  test.each(['\u001a', '\r\n\u001a', ''])('review-3-inputs N33: an end of file %j is not a row', async (end) => {
    expect(await cells(Buffer.from(`a,b\r\n1,2${end}`))).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  test('Windows-1252 is read if declared, otherwise the place is reported', async () => {
    const bytes = Buffer.from('productId,brand\n1,M\xfcller \x80\n', 'latin1')
    expect((await cells(bytes, 'windows-1252'))[1]).toEqual(['1', 'Müller €'])
    await expect(cells(bytes)).rejects.toThrow(/^Byte 20 \(line 2\) is not UTF-8/)
    const long = Buffer.concat([Buffer.from(`a\n${'ä\n'.repeat(30_000)}`), Buffer.from([0xe4])])
    await expect(cells(long)).rejects.toThrow(`Byte ${long.length} (line 30002)`)
  })

  test('too much of anything is refused', async () => {
    await expect(cells(Buffer.from(','.repeat(9_999).concat('x')))).rejects.toThrow('Row 1 has more than 512 columns.')
    await expect(cells(Buffer.from(`a\n${'x'.repeat(40_000)}`))).rejects.toThrow(
      'Row 2, column 1 has more than 32767 characters.',
    )
    await expect(cells(Buffer.from(`a\n"${'x'.repeat(300_000)}`))).rejects.toThrow(/more than 262144 characters/)
    await expect(cells(Buffer.from('a\n1 "b" 2\n'))).rejects.toThrow(/line 2 has a misplaced quotation mark/)
  })
})

describe('JSON Lines', () => {
  test('review-3-inputs N56: a fault names the line of the file', async () => {
    const lines = await all(readJsonLines(Buffer.from('{"a":1}\n\n{"a":}\n{"a":1,"a":2}\n')))
    expect(lines.map(({ number, fault }) => [number, fault])).toEqual([
      [1, undefined],
      [3, expect.stringMatching(/^The line is not valid JSON: at line 3, column 6, /)],
      [4, 'a is a duplicate key.'],
    ])
  })
})
