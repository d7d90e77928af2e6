import { openPackage, type Parts, readPart, relationshipsOf } from './package.ts'
import { type Remark, type Row, TableError } from './table.ts'
import { createMergeCheck, type MergedRows, mergedRows } from './xlsx-merges.ts'
import { NAMESPACES, RELATIONS } from './xlsx-namespaces.ts'
import { SheetReader } from './xlsx-sheet.ts'
import { readStyles } from './xlsx-styles.ts'
import { readSharedTexts } from './xlsx-texts.ts'

export const WORKBOOK = 'xl/workbook.xml'
const MACROS = 'http://schemas.microsoft.com/office/2006/relationships/vbaProject'
/** Signature of old and encrypted files. */
const OLD_KIND = Buffer.from('d0cf11e0', 'hex')
const MAX_PARTS = 1000
const MAX_SHEETS = 256
const SHEET = 'Passports'

interface Workbook {
  readonly sheet: string
  readonly remarks: readonly Remark[]
  rows(): AsyncGenerator<Row>
}

/**
 * Opens a workbook (ISO/IEC 29500, ECMA-376). Never computes formulas; ignores macros and links.
 * @throws TableError for other or too large files
 */
export async function openXlsx(bytes: Buffer): Promise<Workbook> {
  if (bytes.subarray(0, 4).equals(OLD_KIND)) {
    throw new TableError(
      'The file is password-protected or in the old format .xls. Save it as .xlsx without a password.',
    )
  }
  const parts = await openPackage(bytes, {
    name: '.xlsx workbook',
    maxParts: MAX_PARTS,
    advice: 'Send it in parts, or as CSV.',
  })
  const workbook = (await relatedTo(parts, '')).partOf('officeDocument')
  if (workbook === undefined)
    throw new TableError('Invalid .xlsx file: it contains no workbook. Save it as .xlsx again.')
  const { sheets, is1904 } = await readWorkbook(parts, workbook)
  const sheet = sheets.find(({ name }) => name === SHEET) ?? sheets.find(({ isShown }) => isShown) ?? sheets[0]
  if (sheet === undefined) throw new TableError('The workbook has no sheets.')
  const { relationships, partOf } = await relatedTo(parts, workbook)
  const path = relationships.find(({ id }) => id === sheet.relation)?.part
  if (path === undefined || !parts.has(path)) throw new TableError(`The sheet "${sheet.name}" is missing in the file.`)
  const styles = await readStyles(parts, partOf('styles'), is1904)
  const shared = await readSharedTexts(parts, partOf('sharedStrings'))
  let merges: readonly MergedRows[] = []
  const hasMacros = relationships.some(({ type, part = '' }) => type === MACROS && parts.has(part))
  return {
    sheet: sheet.name,
    remarks: hasMacros ? [{ code: 'MACROS_IGNORED' }] : [],
    async *rows() {
      const reader = new SheetReader({ shared, styles })
      const checkMerges = createMergeCheck(merges)
      for await (const piece of parts.read(path)) for (const row of reader.push(piece)) yield checkMerges(row)
      for (const row of reader.end()) yield checkMerges(row)
      // Merges follow the rows, so they apply from the second pass.
      merges = mergedRows(reader.merges)
    },
  }
}

async function relatedTo(parts: Parts, source: string) {
  const relationships = await relationshipsOf(parts, source)
  const partOf = (type: string): string | undefined =>
    relationships.find(
      (each) => RELATIONS.some((prefix) => each.type === `${prefix}/${type}`) && parts.has(each.part ?? ''),
    )?.part
  return { relationships, partOf }
}

interface SheetName {
  readonly name: string
  readonly relation: string
  readonly isShown: boolean
}

async function readWorkbook(parts: Parts, workbook: string): Promise<{ sheets: SheetName[]; is1904: boolean }> {
  const sheets: SheetName[] = []
  let is1904 = false
  await readPart(parts, workbook, {
    namespaces: NAMESPACES,
    open(name, { name: title = '', id = '', state = 'visible', date1904 }) {
      if (name === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true'
      if (name !== 'sheet') return
      if (sheets.length === MAX_SHEETS) throw new TableError(`The workbook has more than ${MAX_SHEETS} sheets.`)
      sheets.push({ name: title, relation: id, isShown: state === 'visible' })
    },
  })
  return { sheets, is1904 }
}
