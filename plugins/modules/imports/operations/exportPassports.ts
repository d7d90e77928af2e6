import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { awaitFirst } from '../tables/table.ts'

export default function exportPassports({ passportTables }: Cradle): Handler<'exportPassports', operations> {
  return async ({ query: { format = 'csv', category, originCountry, environments }, principal }) => {
    const { body, ...file } = passportTables.exportFile(principal, format, { category, originCountry }, environments)
    return { status: 200, ...file, body: await awaitFirst(body) }
  }
}
