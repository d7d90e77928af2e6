import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getImportTemplate({ passportTables }: Cradle): Handler<'getImportTemplate', operations> {
  return ({ path, query: { format = 'xlsx' }, lang }) => ({
    status: 200,
    ...passportTables.template(path.category, format, lang),
  })
}
