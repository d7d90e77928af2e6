import type { components } from './generated.ts'
import type { ImportRow } from './import-jobs.ts'

export type ImportResult = components['schemas']['OneImport']['import']

export function importResult(baseUrl: string, row: ImportRow): ImportResult {
  const { id, status, format, options, bytes, rowsTotal, rowsRead, created, refused, sheet } = row
  const url = `${baseUrl}/api/v1/imports/${id}`
  return {
    ...{ id, status, format, dryRun: options.dryRun, draft: options.draft ?? false, bytes },
    ...{ category: options.category, operatorId: options.operatorId },
    ...{ sheet: sheet ?? undefined, rows: { total: rowsTotal, read: rowsRead, created, refused } },
    progress: status === 'done' ? 1 : rowsTotal === null || rowsTotal === 0 ? 0 : rowsRead / rowsTotal,
    errors: row.errors.map((error) => ({ ...error })),
    remarks: row.remarks.map((remark) => ({ ...remark })) as ImportResult['remarks'],
    passports: row.passports.map((passport) => ({ ...passport })),
    failure: row.failure ?? undefined,
    ...{ createdAt: row.createdAt, finishedAt: row.finishedAt ?? undefined, expiresAt: row.expiresAt },
    url,
    errorsUrl: refused === 0 ? undefined : `${url}/errors`,
  }
}
