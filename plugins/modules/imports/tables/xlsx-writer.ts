import { ZipDeflate } from 'fflate'
import { ZipPieces } from '../../../../src/plugin/module.ts'
import { type Cell, columnLetters } from './table.ts'

export interface Choice {
  readonly column: number
  readonly values: readonly string[]
}

interface Sheet {
  readonly rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>
  readonly frozen?: number
  readonly choices?: readonly Choice[]
}

const PIECE_CHARACTERS = 65_536
const LAST_ROW = 5000

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const KIND = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/**
 * Streams a workbook (ISO/IEC 29500-1) with a sheet `Passports`, pulling one row at a time. Inline strings prevent formulas; text format
 * preserves typed digits.
 */
export async function* writeXlsx({ rows, frozen = 1, choices = [] }: Sheet): AsyncGenerator<Uint8Array> {
  const zip = new ZipPieces()
  const begin = (name: string) => zip.begin(new ZipDeflate(name, { level: 6 }))
  for (const [name, xml] of fixedParts(choices)) begin(name).push(Buffer.from(HEAD + xml), true)
  yield* zip.taken()
  const sheet = begin('xl/worksheets/sheet1.xml')
  let text = `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="512" width="20" style="1" customWidth="1"/></cols><sheetData>`
  let number = 0
  for await (const cells of rows) {
    number += 1
    text += rowXml(number, cells)
    if (text.length < PIECE_CHARACTERS) continue
    sheet.push(Buffer.from(text))
    text = ''
    yield* zip.taken()
  }
  sheet.push(Buffer.from(`${text}</sheetData>${validations(choices, frozen + 1)}</worksheet>`), true)
  yield* zip.end()
}

function fixedParts(choices: readonly Choice[]): [name: string, xml: string][] {
  const hasLists = choices.length > 0
  const sheets = hasLists ? [1, 2] : [1]
  const part = (name: string, type: string) =>
    `<Override PartName="/xl/${name}.xml" ContentType="${KIND}.${type}+xml"/>`
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
  const parts: [string, string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook', 'sheet.main')}${part('styles', 'styles')}${sheets.map((sheet) => part(`worksheets/sheet${sheet}`, 'worksheet')).join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Passports" sheetId="1" r:id="rId1"/>${hasLists ? '<sheet name="Lists" sheetId="2" state="hidden" r:id="rId2"/>' : ''}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${sheets.map((sheet) => relation(sheet, 'worksheet', `worksheets/sheet${sheet}.xml`)).join('')}${relation(9, 'styles', 'styles.xml')}</Relationships>`,
    ],
    [
      'xl/styles.xml',
      `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ],
  ]
  if (hasLists) {
    const longest = Math.max(...choices.map(({ values }) => values.length))
    const rows = Array.from({ length: longest }, (_, row) =>
      rowXml(
        row + 1,
        choices.map(({ values }) => values[row]),
      ),
    )
    parts.push([
      'xl/worksheets/sheet2.xml',
      `<worksheet xmlns="${MAIN}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    ])
  }
  return parts
}

function validations(choices: readonly Choice[], first: number): string {
  if (choices.length === 0) return ''
  const each = choices.map(({ column, values }, list) => {
    const letters = columnLetters(column)
    const source = columnLetters(list)
    return `<dataValidation type="list" allowBlank="1" showErrorMessage="1" errorStyle="warning" sqref="${letters}${first}:${letters}${LAST_ROW}"><formula1>Lists!$${source}$1:$${source}$${values.length}</formula1></dataValidation>`
  })
  return `<dataValidations count="${choices.length}">${each.join('')}</dataValidations>`
}

const rowXml = (number: number, cells: readonly Cell[]): string =>
  `<row r="${number}">${cells.map((cell, column) => cellXml(`${columnLetters(column)}${number}`, cell)).join('')}</row>`

function cellXml(place: string, cell: Cell): string {
  switch (typeof cell) {
    case 'undefined':
      return ''
    case 'number':
      return `<c r="${place}"><v>${cell}</v></c>`
    case 'boolean':
      return `<c r="${place}" t="b"><v>${cell ? 1 : 0}</v></c>`
    default:
      return `<c r="${place}" s="1" t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
  }
}

/** Escapes characters invalid in XML, and literal escapes (ISO/IEC 29500-1, 22.9.2.19). */
const xmlText = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids, and the line ends that it changes.
      /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
