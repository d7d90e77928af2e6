import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function exportPassports({ passportTables }: Cradle): Handler<'exportPassports'> {
  return ({ query: { format = 'csv', category, originCountry }, principal }) => ({
    status: 200,
    ...passportTables.exported(principal, format, { category, originCountry }),
  })
}
