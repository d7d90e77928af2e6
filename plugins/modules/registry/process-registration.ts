import type { QueuedMessage } from '../../../src/plugin/index.ts'
import { derivedUuid, type ModuleCradle } from '../../../src/plugin/module.ts'
import { queueUnits, queueUnitsOf } from './queue-registrations.ts'
import type { RegistrationJob } from './registration-job.ts'
import { completeRegistration, putOffRegistration, registeredAmong } from './registration-rows.ts'
import { idOf, isKnown, loadSubjects, type Subject, toCandidate } from './registration-subject.ts'
import type { RegistryEntry } from './registry-entry.ts'
import { NotRegistered, type Registry } from './services/registry.ts'

interface ProcessDeps
  extends Pick<
    ModuleCradle,
    | 'database'
    | 'log'
    | 'moduleHooks'
    | 'outbox'
    | 'passportLocks'
    | 'passportRows'
    | 'passportRules'
    | 'passportViews'
    | 'unitViews'
  > {
  readonly registry: Registry | undefined
}

/** Registers the current state if new or without proof. Errors are retried; a final failure is reported to the workspace. */
export async function processRegistration(
  deps: ProcessDeps,
  { data: job, isLast }: QueuedMessage<RegistrationJob>,
): Promise<void> {
  const { database, registry } = deps
  const { tenantId } = job
  const session = database.forTenant(tenantId)
  if ('unitsOf' in job) return queueUnitsOf(deps, tenantId, job.unitsOf)
  if ('units' in job) return queueUnits(deps, tenantId, await registeredAmong(session, job.units))
  const [subject] = await loadSubjects(deps.passportRows, session, ['unitId' in job ? job.unitId : job.passportId])
  if (registry === undefined || subject === undefined || subject.facts.registration === null) return
  const { failed, entry } = toCandidate(deps, subject)
  const hash = subject.row.seal?.merkleRoot
  if (failed.length > 0 || hash === undefined) {
    return giveUp(deps, subject, failed.map(({ message }) => message).join(' '))
  }
  if (isKnown(subject, entry) && subject.facts.registration.reason === null) return
  let proofProblem: { readonly message: string; readonly isPassing: boolean } | undefined
  try {
    proofProblem = await registerAndStore(deps, registry, subject, entry, hash)
  } catch (error) {
    if (!(error instanceof NotRegistered)) throw error
    return handleRejection(deps, subject, entry, error, isLast)
  }
  if (proofProblem?.isPassing === true && !isLast) throw new NotRegistered(proofProblem.message)
}

/**
 * Registers and stores the result.
 * @returns the reason for a missing proof
 * @throws NotRegistered
 */
async function registerAndStore(
  { database, passportLocks }: ProcessDeps,
  { register, origin }: Registry,
  subject: Subject,
  entry: RegistryEntry,
  hash: string,
) {
  const { row, unit, facts } = subject
  const { proofProblem, ...answer } = await register(entry, facts.registration?.identifier ?? undefined)
  await database.transaction(row.tenantId, async (tx) => {
    // Only a passport's registration is served.
    if (unit === undefined) passportLocks.hold(tx, row)
    completeRegistration(tx, idOf(subject), {
      ...answer,
      ...{ registry: origin, version: facts.version, hash, entry, reason: proofProblem?.message ?? null },
      registeredAt: answer.registeredAt ?? new Date().toISOString(),
    })
    if (unit === undefined) passportLocks.evict(tx, [row])
  })
  return proofProblem
}

/** @throws NotRegistered if the job is retried */
async function handleRejection(
  deps: ProcessDeps,
  subject: Subject,
  entry: RegistryEntry,
  error: NotRegistered,
  isLast: boolean,
): Promise<void> {
  deps.log.warn({ subject: idOf(subject), reason: error.message }, 'passport not registered')
  const isOver = error.isFinal || isLast
  // A known entry stays registered if only its proof is missing.
  const wasKnown = isKnown(subject, entry)
  if (!wasKnown && isOver) return giveUp(deps, subject, error.message)
  if (!wasKnown) {
    await deps.database.transaction(subject.row.tenantId, async (tx) =>
      putOffRegistration(tx, idOf(subject), { state: 'PENDING', reason: error.message }),
    )
  }
  if (!isOver) throw error
}

/** Reports a failure once per request, version and unit status. */
async function giveUp({ database, moduleHooks }: ProcessDeps, subject: Subject, reason: string): Promise<void> {
  const { row, unit, facts } = subject
  const about = `${facts.registration?.requestedAt} ${row.seal?.merkleRoot} ${unit?.status ?? ''}`
  const name = unit === undefined ? row.productId : `battery unit ${unit.serialNumber} of ${row.productId}`
  await database.transaction(row.tenantId, async (tx) => {
    putOffRegistration(tx, idOf(subject), { state: 'FAILED', reason })
    moduleHooks.notify(tx, {
      id: derivedUuid(idOf(subject), `registration.failed ${about}`),
      type: 'registration.failed',
      operatorId: row.operatorId,
      subjectId: idOf(subject),
      message: `The passport of ${name} could not be registered: ${reason}`,
    })
  })
}
