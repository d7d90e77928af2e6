import type { Cradle } from '../cradle.ts'
import {
  CURRENT_JOINS,
  currentColumns,
  type PassportRow,
  partsColumn,
  type RawRow,
  rowOf,
  toRow,
} from './passport-columns.ts'
import type { Session, Statement } from './statement.ts'

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
  const byUnit = find('find-passport-of-unit', 'p.id = (select u.passport_id from battery_unit u where u.id = $1)')
  const byBatch = find('find-passport-of-batch', 'p.id = (select b.passport_id from product_batch b where b.id = $1)')

  return {
    load: (session: Session, id: string) => read(session, byId, id),
    loadOfUnit: (session: Session, unitId: string) => read(session, byUnit, unitId),
    loadOfBatch: (session: Session, batchId: string) => read(session, byBatch, batchId),
  }

  async function read(session: Session, statement: Statement, id: string): Promise<PassportRow | undefined> {
    const [row] = await session.run<RawRow>(statement, [id])
    return row && toRow(row)
  }
}
