import type { Change, ModuleTransaction } from '../../../src/plugin/index.ts'
import type { ModuleCradle } from '../../../src/plugin/module.ts'
import { REGISTRATIONS, type RegistrationJob } from './registration-job.ts'
import { registeredOfFacilities, registeredUnitsOf } from './registration-rows.ts'

type Outbox = ModuleCradle['outbox']
type Deps = Pick<ModuleCradle, 'database' | 'outbox'>

export function queueRegistrations(
  outbox: Outbox,
  tx: ModuleTransaction,
  jobs: readonly RegistrationJob[],
): Promise<void> {
  return outbox.send(
    tx,
    REGISTRATIONS,
    jobs.map((data) => ({ data, group: groupOf(data) })),
  )
}

/** Screening needs no group: what it queues has one. */
const groupOf = (job: RegistrationJob): string | undefined =>
  'unitId' in job ? job.unitId : 'unitsOf' in job ? job.unitsOf : 'units' in job ? undefined : job.passportId

/**
 * Queues changed subjects that are registered. The job decides if the registry needs an update (Regulation (EU) 2026/1778, Article
 * 19(2)).
 */
export async function queueChanged(
  outbox: Outbox,
  tx: ModuleTransaction,
  change: Change,
  isOn: boolean,
): Promise<void> {
  const { subject, ids, parts, moved = [], tenantId = tx.tenantId } = change
  if (subject === 'passport' && parts?.registration != null) await queuePassports(outbox, tx, ids)
  if (subject === 'facility') await queuePassports(outbox, tx, await registeredOfFacilities(tx, ids))
  // Reading here if they are registered would cost a round trip; another workspace's are not readable.
  if (moved.length > 0 && isOn) await queueRegistrations(outbox, tx, [{ tenantId, units: moved }])
}

function queuePassports(outbox: Outbox, tx: ModuleTransaction, ids: readonly string[]): Promise<void> {
  const { tenantId } = tx
  const jobs = ids.flatMap((id) => [
    { tenantId, passportId: id },
    { tenantId, unitsOf: id },
  ])
  return queueRegistrations(outbox, tx, jobs)
}

/** Queues all registered units of a passport, since their entries repeat its data. */
export async function queueUnitsOf(deps: Deps, tenantId: string, passportId: string): Promise<void> {
  let after: string | undefined
  do {
    const ids = await registeredUnitsOf(deps.database.forTenant(tenantId), passportId, after)
    await queueUnits(deps, tenantId, ids)
    after = ids.at(-1)
  } while (after !== undefined)
}

export async function queueUnits({ database, outbox }: Deps, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const jobs = ids.map((unitId) => ({ tenantId, unitId }))
  await database.transaction(tenantId, (tx) => queueRegistrations(outbox, tx, jobs))
}
