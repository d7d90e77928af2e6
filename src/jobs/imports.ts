import type { JobWithMetadata, PgBoss } from 'pg-boss'

/** A file of passports that is to be taken in. */
export interface ImportJob {
  readonly tenantId: string
  readonly importId: string
}

export const IMPORTS = 'imports'
/** The queue whose job deletes what has expired. */
const IMPORT_RETENTION = 'import-retention'
/** How often an import is begun; each attempt goes on behind the rows of those before it. */
const ATTEMPTS = 10

/** What does the work. */
interface Imports {
  work(tenantId: string, importId: string, signal: AbortSignal): Promise<void>
  abandon(tenantId: string, importId: string): Promise<void>
}

/** Makes the queues, and once an hour one of the processes deletes the imports that have expired. */
export async function createImportQueues(boss: PgBoss): Promise<void> {
  await boss.createQueue(IMPORTS, {
    heartbeatSeconds: 10,
    retryLimit: ATTEMPTS - 1,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 300,
    expireInSeconds: 4 * 3600,
  })
  await boss.createQueue(IMPORT_RETENTION, { policy: 'singleton', expireInSeconds: 600, retryLimit: 2 })
  await boss.work(IMPORT_RETENTION, { pollingIntervalSeconds: 30 }, async () => {
    await boss.getDb().executeSql(`delete from public.import where expires_at < now()`)
  })
  await boss.schedule(IMPORT_RETENTION, '17 * * * *')
}

/** Takes files in, one after the other; one that fails to the last is given up. */
export async function takeImports(boss: PgBoss, imports: Imports): Promise<void> {
  await boss.work(IMPORTS, { includeMetadata: true }, async ([job]: JobWithMetadata<ImportJob>[]) => {
    if (job === undefined) return
    const { tenantId, importId } = job.data
    try {
      await imports.work(tenantId, importId, job.signal)
    } catch (error) {
      if (job.retryCount >= job.retryLimit) await imports.abandon(tenantId, importId)
      throw error
    }
  })
}
