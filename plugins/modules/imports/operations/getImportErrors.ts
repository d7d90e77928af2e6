import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getImportErrors({ imports }: Cradle): Handler<'getImportErrors', operations> {
  return async ({ path, principal }) => ({
    status: 200,
    body: await imports.errorsFile(principal, path.id),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="errors.csv"' },
  })
}
