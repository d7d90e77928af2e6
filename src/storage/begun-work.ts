import type { Session, Statement } from './statement.ts'

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

/** @returns attempts since the last orderly end, including this one; 0 if the job is gone */
export async function beginWork(session: Session, table: WorkTable, id: string): Promise<number> {
  const [row] = await session.run<{ begun: number }>(BEGIN[table], [id])
  return row?.begun ?? 0
}

export async function settleWork(session: Session, table: WorkTable, id: string): Promise<void> {
  await session.run(SETTLE[table], [id])
}
