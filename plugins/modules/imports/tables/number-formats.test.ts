import Excel from 'exceljs'
import SSF from 'ssf'
import { describe, expect, test } from 'vitest'
import { COMMON_SCHEMA } from '../../../../src/plugin/common-schema.ts'
import { plugins } from '../../../../test/support/categories.ts'
import { randomOf } from '../../../../test/support/numbers.ts'
import { kindsOf, readingOf } from './columns.ts'
import { numberReader } from './number-format.ts'
import { openTable } from './read-table.ts'

// Values read from cells must match the displayed ones. Expected texts are built from the displayed digits or by SSF,
// another library; expected days by the writer of the workbook.

const batteries = kindsOf([plugins.categories.get('batteries')?.schema, COMMON_SCHEMA], COMMON_SCHEMA)

interface Written {
  readonly value: number | Date
  readonly code: string
}

interface Read {
  readonly number: unknown
  readonly text: unknown
  readonly unknown: unknown
}

async function readCells(cells: readonly Written[], is1904: boolean): Promise<Read[]> {
  const book = new Excel.Workbook()
  book.properties.date1904 = is1904
  const sheet = book.addWorksheet('Passports')
  sheet.addRow(['productId', 'recycledContent.cobalt', 'productName', 'own'])
  for (const [index, { value, code }] of cells.entries()) {
    const row = sheet.addRow([`A-${index}`, value, value, value])
    for (const column of [2, 3, 4]) row.getCell(column).numFmt = code
  }
  const table = await openTable(Buffer.from(await book.xlsx.writeBuffer()), 'xlsx')
  const found: Read[] = []
  for await (const record of table.records()) {
    if (!('headings' in record)) continue
    const { document, faults, fault, unread } = readingOf(record.headings, record.row, () => batteries, 'batteries')
    expect(fault).toBeUndefined()
    const { recycledContent, productName, own } = document.metadata as Record<string, Record<string, unknown>>
    const valueAt = (path: string, letter: string, value: unknown) =>
      unread.has(path) ? faults.find((each) => each.startsWith(letter)) : value
    found.push({
      number: valueAt('recycledContent.cobalt', 'B', recycledContent?.cobalt),
      text: valueAt('productName', 'C', productName),
      unknown: valueAt('own', 'D', own),
    })
  }
  return found
}

const readCell = async (code: string, value: number | Date, is1904 = false) =>
  (await readCells([{ code, value }], is1904))[0] as Read

describe('review-3-inputs N2: formats that change what is shown', () => {
  test.each<[string, number, number, string]>([
    ['0%', 0.3, 30, '30%'],
    ['0.00%', 0.12345, 12.345, '12.35%'],
    ['0%', 0.07, 7, '7%'],
    ['0.0 %', 0.29, 29, '29.0 %'],
    ['0%;-0%', -0.5, -50, '-50%'],
    ['[<1]0%;0', 0.3, 30, '30%'],
    ['[Red][<1]0.0%;[Blue]0', 0.1, 10, '10.0%'],
  ])('%s of %d is %d', async (code, value, number, text) => {
    expect(await readCell(code, value)).toEqual({ number, text, unknown: number })
  })

  test('the section is chosen by the number', async () => {
    expect(await readCell('[<1]0%;0', 30)).toEqual({ number: 30, text: '30', unknown: 30 })
    expect((await readCell('[>=1000]0.0,;0', 12)).number).toBe(12)
    expect((await readCell('[>=1000]0.0,;0', 12_000)).number).toMatch(
      /"\[>=1000\]0.0,;0", which scales the number to thousands/,
    )
  })

  test.each(['0,', '0.0,', '#,##0,,', '#,##0.0,"k"', '0.0,%'])('%s is refused with what to write', async (code) => {
    const fault = `has the number format ${JSON.stringify(code)}, which scales the number to thousands or millions. Set the format General and enter the intended number.`
    expect(await readCell(code, 12_345)).toEqual({
      number: `B2 (recycledContent.cobalt) ${fault}`,
      text: `C2 (productName) ${fault}`,
      unknown: `D2 (own) ${fault}`,
    })
  })

  test.each<[string, number, string]>([
    ['0"000"', 12, '12000'],
    ['"4"0000', 12, '40012'],
    ['0".5"', 12, '12.5'],
  ])('%s shows digits that are not of the number', async (code, value, text) => {
    const read = await readCell(code, value)
    expect(read.number).toMatch(
      /^B2 \(recycledContent.cobalt\) has the number format .* shows digits that are not part of the number/,
    )
    expect(read.text).toBe(text)
  })
})

describe('review-3-inputs N9: letters that only fill', () => {
  test.each([
    '#,##0.00\\ _D_M',
    '_-* #,##0.00\\ _D_M_-',
    '0.00_d',
    '* 0.00',
    '_(* #,##0.00_);_(* \\(#,##0.00\\);_(* "-"??_);_(@_)',
    '[$-409]0.00',
    '[Red]0.00',
    '#,##0.00\\ [$€-407]',
    '0.00" "_Y',
    'General',
    '0.00E+00',
  ])('%s of 12.5 is 12.5', async (code) => {
    expect(await readCell(code, 12.5)).toEqual({ number: 12.5, text: '12.5', unknown: 12.5 })
  })
})

describe('review-3-inputs N8: zeros of a number format count', () => {
  test.each<[string, number, string]>([
    ['000000', 42, '000042'],
    ['00000000000000', 12345678905, '00012345678905'],
    ['00', 7, '07'],
  ])('%s of %d is %s', async (code, value, text) => {
    expect(await readCell(code, value)).toEqual({ number: value, text, unknown: text })
  })

  test('in the product id', async () => {
    const book = new Excel.Workbook()
    const sheet = book.addWorksheet('Passports')
    sheet.addRow(['productId'])
    for (const [value, code] of [
      [42, '000000'],
      [12345678905, '00000000000000'],
      [12345678905, '0 00000 00000 0'],
      [1234565, '00000000'],
      [7, '"SKU-"0000'],
      [96385074, '"SKU-"0'],
      [96385074, '#,##0'],
      [12345678905, 'General'],
      [4012345678901, '0.00000E+00'],
    ] as const) {
      sheet.addRow([value]).getCell(1).numFmt = code
    }
    const table = await openTable(Buffer.from(await book.xlsx.writeBuffer()), 'xlsx')
    const found: unknown[] = []
    for await (const record of table.records()) {
      if (!('headings' in record)) continue
      const { document, remarks, cells } = readingOf(record.headings, record.row, () => batteries, 'batteries')
      found.push([document.productId, remarks.length])
      const texts = { number: 2, cells: cells.map(String) }
      expect(readingOf(record.headings, texts, () => batteries, 'batteries').document).toEqual(document)
    }
    expect(found).toEqual([
      ['000042', 0],
      ['00012345678905', 0],
      ['00012345678905', 1],
      ['00000001234565', 1],
      ['SKU-0007', 0],
      ['SKU-96385074', 0],
      ['00000096385074', 1],
      ['00012345678905', 1],
      ['04012345678901', 1],
    ])
  })
})

describe('other formats', () => {
  test.each<[string, number, Read]>([
    ['General', 0.1 + 0.2, { number: 0.1 + 0.2, text: '0.3', unknown: 0.1 + 0.2 }],
    ['h:mm', 0.5, { number: expect.stringMatching(/must be a number, not "12:00"/), text: '12:00', unknown: '12:00' }],
    ['[h]:mm', 1.5, { number: expect.stringMatching(/not "36:00"/), text: '36:00', unknown: '36:00' }],
    ['mm:ss', 1 / 96, { number: expect.anything(), text: '15:00', unknown: '15:00' }],
    ['mm:ss.0', 1 / 96, { number: expect.anything(), text: '15:00.0', unknown: '15:00.0' }],
    ['[h]', 2, { number: 48, text: '48', unknown: '48' }],
    ['h:mm AM/PM', 0.75, { number: expect.anything(), text: '6:00 PM', unknown: '6:00 PM' }],
    ['# ?/?', 1.5, { number: 1.5, text: '1 1/2', unknown: 1.5 }],
    ['0" kg"', 12, { number: 12, text: '12 kg', unknown: 12 }],
    ['0.0" m2"', 12.5, { number: 12.5, text: '12.5 m2', unknown: 12.5 }],
    [';;;', 5, { number: 5, text: undefined, unknown: 5 }],
    ['@', 5, { number: 5, text: '5', unknown: 5 }],
    [
      'yyyy-mm-dd',
      0.5,
      {
        number: expect.stringMatching(/^B2 .*shows a date that does not exist\./),
        text: expect.anything(),
        unknown: expect.anything(),
      },
    ],
  ])('%s of %d', async (code, value, expected) => {
    expect(await readCell(code, value)).toEqual(expected)
  })

  test.each(['', '[Red', '0.0.0"', 'x'.repeat(256), '[~buddhist]yyyy', '0%%'])(
    '%j: no silent change of the number',
    (code) => {
      const read = numberReader(code, false)?.(0.3)
      if (code === '') expect(read).toBeUndefined()
      else expect(read?.fault).toMatch(/unsupported number format .*\. Set another, such as General or 0\.00\.$/)
    },
  )

  test('no format takes long, whatever it is and whatever number it shows', () => {
    const random = randomOf(9)
    const pieces = [
      '0',
      '#',
      '?',
      ',',
      '.',
      '%',
      ';',
      '/',
      '@',
      '*',
      '_',
      '"',
      '\\',
      '[',
      ']',
      'h',
      'm',
      's',
      'y',
      'd',
      'e',
      'E+',
      'E-',
      '[h]',
      '[<1]',
      '[>=-1e9]',
      '[Red]',
      '[$-407]',
      'General',
      'AM/PM',
      '1',
      ' ',
      '(',
      '?/?',
      'x',
      '[$€-2]',
      'b2',
    ]
    const numbers = [0, -1, 0.1, 1e-300, 5e-324, 1.7e308, -1.7e308, 123456.789, 2958465.999999, 1 / 3]
    const codes = [
      ...Array.from({ length: 300 }, () => {
        const few = Array.from(
          { length: 1 + Math.floor(random() * 4) },
          () => pieces[Math.floor(random() * pieces.length)],
        )
        let code = ''
        while (code.length < 240) code += few[Math.floor(random() * few.length)]
        return code.slice(0, 255)
      }),
      ...pieces.map((piece) => piece.repeat(255).slice(0, 255)),
      `# ${'?'.repeat(120)}/${'?'.repeat(120)}`,
      `0.${'0'.repeat(250)}E+0`,
    ]
    let longest = { code: '', ms: 0 }
    for (const code of codes) {
      const begin = performance.now()
      const read = numberReader(code, false)
      for (const number of numbers) read?.(number)
      const ms = performance.now() - begin
      if (ms > longest.ms) longest = { code, ms }
    }
    expect(longest.ms, longest.code).toBeLessThan(500)
  })
})

const CASES = Number(process.env.NUMBER_FORMAT_CASES ?? 2000)
const FORMATS = 200
const SEED = 20261126

interface Case extends Written {
  readonly expected: Read
}

describe('a cell is read as a person sees it', () => {
  const random = randomOf(SEED)
  const below = (limit: number) => Math.floor(random() * limit)
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('')
  const places = (count: number) => (count === 0 ? '' : `.${'0'.repeat(count)}`)
  const fault = expect.stringMatching(/has the number format .* Set the format General/)

  type Maker = (is1904: boolean) => Case

  function plain(): Maker {
    const decimals = below(5)
    const [before, after] = oneOf([
      ['', ''],
      ['', ''],
      ['$', ''],
      ['[$€-2]\\ ', ''],
      ['', '\\ "€"'],
      ['', '\\ [$EUR]'],
      ['[Red]', ''],
      ['[$-407]', ''],
      ['', '_D_M'],
      ['_-* ', '_-'],
      ['', '\\ _m_d'],
    ])
    const body = `${oneOf(['0', '#,##0', '#,##0', '#'])}${places(decimals)}`
    const positive = `${before}${body}${after}`
    const code = oneOf([
      positive,
      positive,
      `${positive};-${positive}`,
      `${positive};[Red]\\(${positive}\\)`,
      `${positive}_);(${positive})`,
      `${positive};-${positive};;@`,
    ])
    return () => {
      const text = `${oneOf(['', '-'])}${1 + below(10 ** below(9))}${decimals === 0 ? '' : `.${digits(decimals)}`}`
      const value = Number(text)
      return { code, value, expected: { number: value, text: String(value), unknown: value } }
    }
  }

  function scientific(): Maker {
    const code = oneOf(['General', '0.00E+00', '##0.0E+0', '0E+0', '@', '0.###E+00'])
    return () => {
      const value = Number(`${oneOf(['', '-'])}${1 + below(9)}.${digits(6)}e${below(25) - 12}`)
      return { code, value, expected: { number: value, text: String(value), unknown: value } }
    }
  }

  function percent(): Maker {
    const decimals = below(5)
    const blank = oneOf(['', '', '\\ ', '_D'])
    const body = `${oneOf(['0', '0', '#,##0'])}${places(decimals)}${blank}%`
    const code = oneOf([body, `${body};-${body}`, `[Blue]${body}`, `[<100]${body};${body}`, `${body};[Red]-${body};0%`])
    return () => {
      const shown = `${oneOf(['', '', '-'])}${1 + below(999)}${decimals === 0 ? '' : `.${digits(decimals)}`}`
      const value = Number(`${shown}e-2`)
      return {
        ...{ code, value },
        expected: { number: Number(shown), text: `${shown}${blank === '' ? '' : ' '}%`, unknown: Number(shown) },
      }
    }
  }

  function scaled(): Maker {
    const code = `${oneOf(['0', '#,##0', '0.0', '0.00'])}${oneOf([',', ',,'])}${oneOf(['', '"k"', '\\ "Mio"', '_D'])}`
    return () => ({ code, value: 1 + below(1e9), expected: { number: fault, text: fault, unknown: fault } })
  }

  function padded(): Maker {
    const width = 2 + below(13)
    const [before, after] = oneOf([
      ['', ''],
      ['', ''],
      ['"SKU-"', ''],
      ['', '" kg"'],
      ['"No. "', '"/x"'],
      ['\\A\\-', ''],
    ])
    const code = `${before}${'0'.repeat(width)}${after}`
    const words = (text: string) => text.replace(/["\\]/g, '')
    return () => {
      const shown = digits(width)
      const value = Number(shown)
      const text = `${words(before)}${shown}${words(after)}`
      const isNumber = before === '' && after === ''
      const unknown = isNumber && shown.startsWith('0') ? shown : value
      return { code, value, expected: { number: value, text, unknown } }
    }
  }

  function worded(): Maker {
    const decimals = below(3)
    const code = `${oneOf(['', '"ca. "', '"~"', '\\<'])}${oneOf(['0', '#,##0'])}${places(decimals)}${oneOf(['" kg"', '" m2"', '\\ \\k\\W\\h', '"°C"', '"‰"', '"%"', '" % (w/w)"', '"g"'])}`
    return () => {
      const value = Number(`${1 + below(99_999)}${decimals === 0 ? '' : `.${digits(decimals)}`}`)
      return { code, value, expected: { number: value, text: SSF.format(code, value), unknown: value } }
    }
  }

  function fraction(): Maker {
    const code = oneOf(['# ?/?', '# ??/??', '?/?', '# ?/4', '# ??/16'])
    return () => {
      const denominator = code.endsWith('4') ? 4 : code.endsWith('16') ? 16 : 2 + below(8)
      const value = 1 + below(50) + (1 + below(denominator - 1)) / denominator
      const text = SSF.format(code, value).replace(/\s+/g, ' ').trim()
      return { code, value, expected: { number: value, text, unknown: value } }
    }
  }

  function date(): Maker {
    const day = oneOf([
      'yyyy-mm-dd',
      'dd.mm.yyyy',
      'm/d/yy',
      'd-mmm-yy',
      'mmm-yy',
      '[$-407]d. mmmm yyyy;@',
      '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy',
      'yyyy"年"m"月"d"日"',
      'yyyy',
      'ddd',
      'dd/mm/yyyy;@',
      '[Red]yyyy-mm-dd',
    ])
    const time = oneOf(['', '', ' hh:mm', '\\ h:mm:ss', '"T"hh:mm:ss', ' h:mm AM/PM'])
    const code = /;|F800/.test(day) ? day : `${day}${time}`
    return () => {
      const isDay = random() < 0.6
      const at = Date.UTC(1904, 0, 2) + below(60_000) * 86_400_000 + (isDay ? 0 : (1 + below(86_399)) * 1000)
      const iso = new Date(at).toISOString()
      const text = isDay ? iso.slice(0, 10) : iso.slice(0, 19)
      return {
        code,
        value: new Date(at),
        expected: { number: expect.stringContaining(`not "${text}"`), text, unknown: text },
      }
    }
  }

  function time(): Maker {
    const code = oneOf([
      'h:mm',
      'hh:mm:ss',
      'h:mm AM/PM',
      'h:mm:ss AM/PM',
      '[h]:mm',
      '[h]:mm:ss',
      '[mm]:ss',
      'mm:ss',
      '[ss]',
      '[$-F400]h:mm:ss\\ AM/PM',
      '[hh]:mm;@',
    ])
    return () => {
      const value = (below(code.includes('[') ? 400_000 : 86_400) + 0) / 86_400
      const text = SSF.format(code, value)
      const number = code === '[ss]' ? Number(text) : expect.stringContaining(`not "${text}"`)
      return { code, value, expected: { number, text, unknown: text } }
    }
  }

  const KINDS = [plain, plain, scientific, percent, percent, scaled, padded, padded, worded, fraction, date, date, time]

  test.each([false, true])('review-3-inputs N2, N8, N9: in the date system of 1904: %s', async (is1904) => {
    const makers = Array.from({ length: FORMATS }, () => oneOf(KINDS)())
    const cases = Array.from({ length: Math.ceil(CASES / 2) }, () => oneOf(makers)(is1904))
    const read = await readCells(cases, is1904)
    const toRow = ({ code, value }: Written, result: Read) => ({ code, value, ...result })
    expect(read.map((result, index) => toRow(cases[index] as Case, result))).toEqual(
      cases.map((each) => toRow(each, each.expected)),
    )
  })
})
