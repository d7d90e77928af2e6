import type { Session, Statement } from '../../../src/plugin/module.ts'

const USAGE: Statement = {
  name: 'console-usage',
  text: `select coalesce(sum(bytes), 0)::float8 as bytes, coalesce(sum(rows), 0)::float8 as rows from workspace_usage
    where tenant_id = app_tenant()`,
}

interface StoredUsage {
  readonly bytes: number
  readonly rows: number
}

export async function storedUsage(session: Session): Promise<StoredUsage> {
  return (await session.run<StoredUsage>(USAGE))[0] ?? { bytes: 0, rows: 0 }
}
