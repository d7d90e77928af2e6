import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getImportTemplate({ passportTables }: Cradle): Handler<'getImportTemplate'> {
  return ({ path, query: { format = 'xlsx' }, lang }) => ({
    status: 200,
    ...passportTables.template(path.category, format, lang),
  })
}
