import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getImportErrors({ imports }: Cradle): Handler<'getImportErrors'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: await imports.errorsFile(principal, path.id),
    contentType: 'text/csv; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="errors.csv"' },
  })
}
