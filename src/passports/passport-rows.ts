import type { Cradle } from '../cradle.ts'
import type { Session, Statement } from '../storage/statement.ts'
import {
  CURRENT_JOINS,
  currentColumns,
  type PassportRow,
  partsColumn,
  type RawRow,
  rowOf,
  toRow,
} from './passport-columns.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passportRows: ReturnType<typeof passportRows>
  }
}

/** Loads present passports with the parts of modules. */
export default function passportRows({ plugins }: Pick<Cradle, 'plugins'>) {
  const columns = currentColumns(rowOf('o'), rowOf('f'), partsColumn(plugins.passportParts))
  const find = (name: string, where: string): Statement => ({
    name,
    text: `select ${columns} from passport p ${CURRENT_JOINS} where ${where}`,
  })
  const byId = find('find-passport', 'p.id = $1')

  return {
    load: (session: Session, id: string) => read(session, byId, id),
    loadOfUnit: loaderOf('battery_unit'),
    loaderOf,
  }

  /** Returns a function that loads the passport of a row, by `passport_id` of its table. */
  function loaderOf(table: string): (session: Session, id: string) => Promise<PassportRow | undefined> {
    const byRow = find(`find-passport-of-${table}`, `p.id = (select t.passport_id from ${table} t where t.id = $1)`)
    return (session, id) => read(session, byRow, id)
  }

  async function read(session: Session, statement: Statement, id: string): Promise<PassportRow | undefined> {
    const [row] = await session.run<RawRow>(statement, [id])
    return row && toRow(row)
  }
}
