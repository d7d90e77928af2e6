import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { inJob, type Traced, type Tracing } from '../telemetry/current.ts'

/** Passport, unit, or all units of a passport; content is read when it is sent. */
export type RegistrationJob = Traced & {
  readonly tenantId: string
} & ({ readonly passportId: string } | { readonly unitId: string } | { readonly unitsOf: string })

export const REGISTRATIONS = 'registration'
const AT_ONCE = 4

/** @returns function that wakes the workers */
export async function startRegistrations(
  boss: PgBoss,
  work: (job: RegistrationJob, isLast: boolean) => Promise<void>,
  tracing?: Tracing,
): Promise<() => void> {
  const options = {
    includeMetadata: true,
    pollingIntervalSeconds: 1,
    // The last registration of a subject must be the newest.
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
