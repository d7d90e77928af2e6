import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** What a registry is to be told of: a passport, a unit, or all units of a passport. What it is told is read when it is told. */
export type RegistrationJob = Traced & {
  readonly tenantId: string
} & ({ readonly passportId: string } | { readonly unitId: string } | { readonly unitsOf: string })

export const REGISTRATIONS = 'registration'
/** Jobs that one process works at. */
const AT_ONCE = 4

/**
 * Tells the registry of what waits; what throws is tried again after a while.
 * @returns a function that wakes the workers
 */
export async function startRegistrations(
  boss: PgBoss,
  work: (job: RegistrationJob, isLast: boolean) => Promise<void>,
  tracing?: Tracing,
): Promise<() => void> {
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: 1,
    // What a registry is told last of a subject has to be the newest.
    groupConcurrency: 1,
  } as const
  const ids = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      boss.work<RegistrationJob, void, typeof options>(
        REGISTRATIONS,
        options,
        async ([job]: JobWithMetadata<RegistrationJob>[]) => {
          if (job === undefined) return
          const { data, retryCount, retryLimit } = job
          await inJob(tracing, REGISTRATIONS, data.traceparent, () => work(data, retryCount >= retryLimit))
        },
      ),
    ),
  )
  return () => {
    for (const id of ids) boss.notifyWorker(id)
  }
}
