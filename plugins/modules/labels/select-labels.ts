import { notFound } from '../../../src/plugin/index.ts'
import {
  badRequest,
  type CarrierContent,
  isUuid,
  type ModuleCradle,
  passportContent,
  unitContent,
} from '../../../src/plugin/module.ts'
import type { LabelJob, SkippedLabel } from './entities.ts'
import type { Label } from './label.ts'
import type { Selection } from './label-request.ts'
import {
  countUnitsOf,
  type LabelledPassport,
  type LabelledUnit,
  labelledPassports,
  labelledUnits,
  labelledUnitsOf,
  type Printer,
} from './label-rows.ts'

const MAX_LABELS = 10_000
export const SLICE = 100

export interface SelectDeps extends Pick<ModuleCradle, 'database'> {
  readonly baseUrl: string
}

/** Complete after the last piece is drawn. */
export interface LabelReport {
  included: number
  readonly skipped: SkippedLabel[]
}

/** @throws Problem 400 for too many units, 404 for none */
export async function countLabels(
  database: SelectDeps['database'],
  printer: Printer,
  selection: Selection,
): Promise<number> {
  if ('ids' in selection) return selection.ids.length
  const session = database.forTenant(printer.tenantId)
  const count = await countUnitsOf(session, printer, selection, MAX_LABELS + 1)
  if (count === 0) throw notFound('Units not found in your workspace.')
  if (count <= MAX_LABELS) return count
  throw badRequest(`The selection has more than ${MAX_LABELS} units. Limit it with from and to.`)
}

export async function* labelSlices(
  { baseUrl, database }: SelectDeps,
  printer: Printer,
  subject: LabelJob['subject'],
  selection: Selection,
  report: LabelReport,
): AsyncGenerator<readonly Label[]> {
  const session = database.forTenant(printer.tenantId)
  if ('passportId' in selection) {
    for (let after: string | undefined; ; ) {
      const units = await labelledUnitsOf(session, printer, selection, { after, limit: SLICE })
      if (units.length === 0) return
      yield units.map((unit) => unitLabel(baseUrl, unit))
      after = units.at(-1)?.serialNumber
    }
  }
  for (let start = 0; start < selection.ids.length; start += SLICE) {
    const ids = selection.ids.slice(start, start + SLICE)
    const known = ids.filter(isUuid)
    const found =
      subject === 'passport'
        ? (await labelledPassports(session, printer, known)).map((passport) => passportLabel(baseUrl, passport))
        : (await labelledUnits(session, printer, known)).map((unit) => unitLabel(baseUrl, unit))
    const byId = new Map(found.map((label) => [label.id, label]))
    yield ids.flatMap((id) => {
      const label = byId.get(id.toLowerCase())
      if (label === undefined) report.skipped.push({ id, reason: 'NOT_FOUND' })
      return label ?? []
    })
  }
}

function passportLabel(baseUrl: string, passport: LabelledPassport): Label {
  const { id, productId, operator, name } = passport
  return { id, content: passportContent(baseUrl, passport), name, operator, key: productId }
}

function unitLabel(
  baseUrl: string,
  { id, serialNumber, passport: { productId, operator, name } }: LabelledUnit,
): Label {
  const content: CarrierContent = unitContent(baseUrl, { id, serialNumber, productId })
  return { id, content, name, operator, key: serialNumber }
}
