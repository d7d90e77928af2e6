import { beginningOf } from '../../../src/plugin/index.ts'
import {
  INGEST_RACES,
  inAttempts,
  isGood,
  type ModuleCradle,
  type Principal,
  storageRefusal,
  type Transaction,
  type ValidatedRow,
} from '../../../src/plugin/module.ts'
import {
  holdBatch,
  type ImportAttempt,
  type ImportError,
  type ImportedPassport,
  type ImportOptions,
  type ImportRemark,
  type ImportRow,
  storeBatch,
} from './import-jobs.ts'
import { counted, errorLine, productIdOf, rowOf } from './import-rows.ts'
import type { TableRecord } from './tables/read-table.ts'
import type { Remark } from './tables/table.ts'
import { type ValidatedRecord, type ValidationDeps, validateRecords } from './validate-records.ts'

/** Rejected rows, and created passports, that are stored with the import. */
const MAX_SHOWN = 20
/** Stored bytes of rejected rows; only reasons are stored beyond. */
const MAX_ERROR_BYTES = 16 * 1024 * 1024
export const MAX_MESSAGE_CHARACTERS = 2000

export interface BatchDeps extends ValidationDeps, Pick<ModuleCradle, 'database' | 'translator'> {
  readonly baseUrl: string
}

/** Progress after the last stored batch. */
interface ImportState {
  readonly counts: Pick<ImportRow, 'rowsRead' | 'created' | 'refused' | 'errorBytes'>
  readonly errors: readonly ImportError[]
  readonly remarks: readonly ImportRemark[]
  readonly passports: readonly ImportedPassport[]
}

export function beginState(
  { rowsRead, created, refused, errorBytes, errors, remarks, passports }: ImportRow,
  ofFile: readonly Remark[],
): ImportState {
  return {
    counts: { rowsRead, created, refused, errorBytes },
    errors,
    passports,
    remarks: rowsRead === 0 ? counted([], ofFile, () => '') : remarks,
  }
}

/** Validates a batch, and stores its passports and the progress in one transaction. */
export async function importBatch(
  deps: BatchDeps,
  principal: Principal,
  job: ImportAttempt,
  options: ImportOptions,
  batch: readonly TableRecord[],
  state: ImportState,
): Promise<ImportState> {
  const rows = await validateRecords(deps, principal, options, batch)
  const remarks = counted(
    state.remarks,
    rows.flatMap((row) => row.remarks),
    (remark) => deps.translator.advisory(remark, options.lang).friendlyMessage,
  )
  const store = (admit: Admit) =>
    deps.database.transaction(job.tenantId, async (tx) => {
      const [isOurs, refusalOf] = await Promise.all([holdBatch(tx, job, state.counts.rowsRead), admit(tx)])
      if (!isOurs) throw new Error('Another attempt at this import has begun.')
      const { created, refused, lines, ...next } = outcomeOf(options, rows, { ...state, remarks }, refusalOf)
      const { errors, counts, passports } = next
      storeBatch(tx, job, { rowsRead: counts.rowsRead, created, refused, errors, remarks, passports, lines })
      return next
    })
  return inAttempts(INGEST_RACES, () => store(admission(deps, principal, options, rows, state))).catch(
    (error: unknown) => {
      // Rejects these rows instead of retrying; stores nothing.
      const full = storageRefusal(error, deps.baseUrl)
      if (full === undefined) throw error
      return store(async () => () => full.message)
    },
  )
}

type RefusalOf = (row: ValidatedRow) => string | undefined
type Admit = (tx: Transaction) => Promise<RefusalOf>

function admission(
  { passportIntake }: BatchDeps,
  principal: Principal,
  { dryRun }: ImportOptions,
  rows: readonly ValidatedRecord[],
  { counts }: ImportState,
): Admit {
  const inputs = rows.flatMap(({ verdict, refusal }) =>
    refusal === undefined && verdict !== undefined && isGood(verdict) ? [verdict] : [],
  )
  return async (tx) => {
    const { refusals } = await passportIntake.admit(tx, principal, inputs, {
      preview: dryRun,
      // Rows of a dry run count against the quota of the next batch.
      promised: dryRun ? counts.created : 0,
    })
    return (row) => refusals.get(row)
  }
}

/** Returns the state after the batch, and what the batch adds to it. */
function outcomeOf(
  options: ImportOptions,
  rows: readonly ValidatedRecord[],
  { counts, errors, remarks, passports }: ImportState,
  refusalOf: RefusalOf,
) {
  const found: ImportError[] = []
  const made: ImportedPassport[] = []
  const lines: string[] = []
  let { errorBytes } = counts
  for (const { each, verdict, refusal } of rows) {
    const message = refusal ?? (verdict !== undefined && isGood(verdict) ? refusalOf(verdict) : undefined)
    if (message === undefined) {
      if (verdict !== undefined && isGood(verdict)) made.push({ id: verdict.id, productId: verdict.productId })
      continue
    }
    const place = 'shell' in each.record ? `${each.record.shell.place}: ` : ''
    const text = beginningOf(place + message, MAX_MESSAGE_CHARACTERS)
    found.push({ row: rowOf(each.record), productId: productIdOf(each.document), message: text })
    const line = errorLine(each, text, { options, isWhole: errorBytes < MAX_ERROR_BYTES })
    errorBytes += Buffer.byteLength(line)
    lines.push(line)
  }
  const refused = found.length
  const created = rows.length - refused
  return {
    created,
    refused,
    lines: lines.join(''),
    counts: {
      rowsRead: counts.rowsRead + rows.length,
      created: counts.created + created,
      refused: counts.refused + refused,
      errorBytes,
    },
    errors: [...errors, ...found].slice(0, MAX_SHOWN),
    remarks,
    passports: options.dryRun ? [] : [...passports, ...made].slice(0, MAX_SHOWN),
  }
}
