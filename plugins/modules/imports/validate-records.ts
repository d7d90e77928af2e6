import { isRecord, mapYielding, type ParsedSeal, Problem } from '../../../src/plugin/index.ts'
import { isGood, type ModuleCradle, type Principal, type ValidatedRow } from '../../../src/plugin/module.ts'
import type { ImportOptions } from './import-jobs.ts'
import {
  type FoundRemark,
  inCells,
  isWithin,
  lineRecord,
  placeOf,
  type ReadRecord,
  withCategory,
  withOperator,
} from './import-rows.ts'
import { type kindsByCategory, readingOf } from './tables/columns.ts'
import type { namedValues } from './tables/named-values.ts'
import type { TableRecord } from './tables/read-table.ts'

export interface ValidationDeps extends Pick<ModuleCradle, 'passportImport' | 'passportIntake' | 'passportRules'> {
  readonly kindsFor: ReturnType<typeof kindsByCategory>
  readonly named: ReturnType<typeof namedValues>
}

type Verdict = Awaited<ReturnType<ModuleCradle['passportIntake']['validateAll']>>[number]

export interface ValidatedRecord {
  readonly each: ReadRecord
  readonly verdict: Verdict | undefined
  readonly refusal: string | undefined
  readonly remarks: readonly FoundRemark[]
}

/** Reads and validates the records of a batch together. */
export async function validateRecords(
  deps: ValidationDeps,
  principal: Principal,
  options: ImportOptions,
  batch: readonly TableRecord[],
): Promise<ValidatedRecord[]> {
  const { lang } = options
  const read = await mapYielding(batch, (record) => withOperator(readRecord(deps, options, record), options.operatorId))
  const readable = read.filter(({ fault }) => fault === undefined)
  const validated = await deps.passportIntake.validateAll(
    readable.map(({ document }) => document),
    lang,
  )
  const verdicts = new Map<ReadRecord, Verdict>()
  for (const [index, each] of readable.entries()) {
    const verdict = validated[index] as Verdict
    verdicts.set(each, isGood(verdict) ? await admissible(deps, principal, options, verdict, each.seal) : verdict)
  }
  return mapYielding(read, (each) => {
    const verdict = verdicts.get(each)
    return { each, verdict, refusal: refusalText(deps, each, verdict, lang), remarks: remarksOn(deps, each, lang) }
  })
}

function readRecord(deps: ValidationDeps, options: ImportOptions, record: TableRecord): ReadRecord {
  const { category, acceptsNames, lang } = options
  if ('shell' in record) return readShell(deps, options, record)
  if ('line' in record) return lineRecord(record, category)
  const { headings } = record
  const row = acceptsNames ? deps.named.inKeys(headings, record.row, category, lang) : record.row
  return { record: { headings, row }, ...readingOf(headings, row, deps.kindsFor, category) }
}

function readShell(
  { passportImport }: ValidationDeps,
  { category, lang }: ImportOptions,
  record: Extract<TableRecord, { shell: unknown }>,
): ReadRecord {
  const { environment, fault } = record.shell
  if (fault !== undefined) return { record, document: undefined, fault, remarks: [] }
  try {
    const { seal, ...document } = passportImport.read('aas', environment, lang)
    return { record, document: withCategory(document, category), remarks: [], seal }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { issues } = error.fields
    const text = issues === undefined ? error.message : inCells(record, issues)
    return { record, document: undefined, fault: text, remarks: [] }
  }
}

async function admissible(
  { passportImport }: ValidationDeps,
  principal: Principal,
  { draft }: ImportOptions,
  row: ValidatedRow,
  seal: ParsedSeal | undefined,
): Promise<Verdict> {
  if (seal === undefined) return draft ? { ...row, status: 'DRAFT' } : row
  if (draft) return { productId: row.productId, refusal: 'A sealed passport is not a draft. Import it as published.' }
  try {
    return await passportImport.attested(principal, row, seal)
  } catch (error) {
    if (error instanceof Problem) return { productId: row.productId, refusal: error.message }
    throw error
  }
}

function refusalText(
  { passportRules }: ValidationDeps,
  each: ReadRecord,
  verdict: Verdict | undefined,
  lang: string,
): string | undefined {
  const { record, document, fault, faults = [], unread = new Set() } = each
  if (fault !== undefined || verdict === undefined) return fault
  if (isGood(verdict)) return faults.length === 0 ? undefined : faults.join(' ')
  const found = isRecord(document) ? passportRules.review(document, lang) : []
  const cellTexts = inCells(
    record,
    found.filter(({ path }) => !isWithin(unread, path)),
  )
  return [...faults, cellTexts].join(' ').trim() || verdict.refusal
}

function remarksOn(
  { passportRules }: ValidationDeps,
  { record, document, fault, remarks }: ReadRecord,
  lang: string,
): FoundRemark[] {
  if (fault !== undefined || !isRecord(document)) return [...remarks]
  const found = passportRules.remarks(document, lang).map((remark) => ({ ...remark, place: placeOf(record, remark) }))
  return [...remarks, ...found]
}
