import type { Session } from './statement.ts'

/** @returns attempts since the last orderly end, including this one; 0 if the job is gone */
export async function beginWork(session: Session, table: string, id: string): Promise<number> {
  const [row] = await session.run<{ begun: number }>(
    { name: `count-attempt-at-${table}`, text: `update ${table} set begun = begun + 1 where id = $1 returning begun` },
    [id],
  )
  return row?.begun ?? 0
}

export async function settleWork(session: Session, table: string, id: string): Promise<void> {
  await session.run(
    { name: `settle-attempt-at-${table}`, text: `update ${table} set begun = 0 where id = $1 and begun > 0` },
    [id],
  )
}
