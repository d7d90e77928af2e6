import type { Session, Statement } from './statement.ts'

/** Tables whose rows are long work. */
type WorkTable = 'label_job' | 'capture_job' | 'import'

const forEachTable = (make: (table: WorkTable) => Statement): Readonly<Record<WorkTable, Statement>> => ({
  label_job: make('label_job'),
  capture_job: make('capture_job'),
  import: make('import'),
})

const BEGIN = forEachTable((table) => ({
  name: `count-attempt-at-${table}`,
  text: `update ${table} set begun = begun + 1 where id = $1 returning begun`,
}))
const SETTLE = forEachTable((table) => ({
  name: `settle-attempt-at-${table}`,
  text: `update ${table} set begun = 0 where id = $1 and begun > 0`,
}))

/** Notes that an attempt begins. @returns how many have begun since one ended in order, this one included; 0 if the work is gone */
export async function beginWork(session: Session, table: WorkTable, id: string): Promise<number> {
  const [row] = await session.run<{ begun: number }>(BEGIN[table], [id])
  return row?.begun ?? 0
}

/** Notes that an attempt has ended in order, well or not. */
export async function settleWork(session: Session, table: WorkTable, id: string): Promise<void> {
  await session.run(SETTLE[table], [id])
}
