import {
  type Change,
  type ModuleTransaction,
  notFound,
  Problem,
  type QueuedMessage,
} from '../../../../src/plugin/index.ts'
import {
  assertOperatorScope,
  conflict,
  derivedUuid,
  isUuid,
  loadUnit,
  type ModuleCradle,
  noPassport,
  noUnit,
  type PassportRow,
  type Principal,
  recordAudit,
  type Session,
  schemaAddress,
  type Transaction,
  type UnitRow,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import { REGISTRATIONS, type RegistrationJob } from '../registration-job.ts'
import {
  completeRegistration,
  findRegistrationProof,
  holdUnit,
  putOffRegistration,
  type RegistrationFacts,
  registeredAmong,
  registeredOfFacilities,
  registeredUnitsOf,
  registrationFacts,
  requestRegistration,
} from '../registration-rows.ts'
import {
  isSameEntry,
  type ProofType,
  type RegistrationCheck,
  type RegistryEntry,
  registryChecks,
  registryEntry,
  registryXml,
} from '../registry-entry.ts'
import { NotRegistered, type Registry } from './registry.ts'

type Registration = Omit<components['schemas']['PassportRegistration'], 'success'>

type Kind = 'passport' | 'unit'

interface Subject {
  readonly row: PassportRow
  readonly unit: UnitRow | undefined
  readonly facts: RegistrationFacts
}

interface RegistrationCandidate {
  readonly checks: readonly RegistrationCheck[]
  readonly failed: RegistrationCheck[]
  readonly entry: RegistryEntry
}

/** Registration with the EU registry (Regulation (EU) 2024/1781, Article 13; (EU) 2026/1778). */
export default function registrations({
  passportRows,
  config,
  database,
  log,
  moduleHooks,
  outbox,
  passportLocks,
  passportRules,
  passportViews,
  registry,
  unitViews,
}: ModuleCradle & { readonly registry: Registry | undefined }) {
  return { isOn: registry !== undefined, read, request, exportFile, proof, follow, attempt }

  /** @throws Problem 404 if absent or hidden, 403 for another operator's */
  async function read(principal: Principal, kind: Kind, id: string): Promise<Registration> {
    const [subject] = isUuid(id) ? await load(passportRows, database.forTenant(principal.tenantId), [id]) : []
    if (subject === undefined || kindOf(subject) !== kind) throw absent(kind)
    assertReadable(principal, subject, () => absent(kind))
    return toContent(subject)
  }

  /** @throws Problem 404, 403; 409 without a registry, or if a check fails */
  async function request(principal: Principal, kind: Kind, id: string): Promise<Registration> {
    const { tenantId } = principal
    return database.transaction(tenantId, async (tx) => {
      const subject = await (kind === 'unit' ? lockUnit(tx, principal, id) : lockPassport(tx, principal, id))
      if (registry === undefined) {
        throw conflict(
          'This gateway has no registry (REGISTRY_URL). Download the entry with GET /api/v1/registry-entries?ids=… and upload it to the registry.',
          'REGISTRY_NOT_CONFIGURED',
        )
      }
      const { row, unit, facts } = subject
      const { failed } = toCandidate(subject)
      if (failed.length > 0) throw refused(kind, failed)
      const requestedAt = new Date().toISOString()
      requestRegistration(tx, { passportId: row.id, unitId: unit?.id ?? null }, requestedAt)
      await queue(tx, [unit === undefined ? { tenantId, passportId: row.id } : { tenantId, unitId: unit.id }])
      passportLocks.evict(tx, [row])
      recordAudit(tx, principal, 'registration.requested', idOf(subject))
      const before = facts.registration ?? NOTHING_KNOWN
      const registration = { ...before, state: 'PENDING', reason: null, requestedAt } as const
      return toContent({ ...subject, facts: { ...facts, registration } })
    })
  }

  async function lockPassport(tx: Transaction, principal: Principal, id: string): Promise<Subject> {
    const [row, known] = await Promise.all([
      passportLocks.lock(tx, principal, id, 'owned'),
      isUuid(id) ? registrationFacts(tx, [id]) : undefined,
    ])
    const facts = known?.get(row.id)
    if (facts === undefined) throw new Error(`Registration facts of passport ${id} are missing.`)
    return { row, unit: undefined, facts }
  }

  async function lockUnit(tx: Transaction, principal: Principal, id: string): Promise<Subject> {
    if (!isUuid(id)) throw noUnit()
    holdUnit(tx, id)
    const [subject] = await load(passportRows, tx, [id])
    if (subject?.unit === undefined) throw noUnit()
    assertReadable(principal, subject, noUnit)
    return subject
  }

  /**
   * @returns entries in the order of the ids
   * @throws Problem 404, 403; 409 with every failed check
   */
  async function exportFile(
    principal: Principal,
    given: readonly string[],
    format: 'json' | 'xml',
  ): Promise<{ contentType: string; text: string }> {
    const ids = [...new Set(given.map((id) => id.toLowerCase()))]
    const found = await load(passportRows, database.forTenant(principal.tenantId), ids.filter(isUuid))
    const subjects = new Map(found.map((subject) => [idOf(subject), subject]))
    const candidates = ids.map((id) => {
      const subject = subjects.get(id)
      const missing = () => notFound(`Passport or unit ${id} not found in your workspace.`)
      if (subject === undefined) throw missing()
      assertReadable(principal, subject, missing)
      return { id, ...toCandidate(subject) }
    })
    const rows = candidates.flatMap(({ id, failed }) =>
      failed.map(({ code, message, clause }) => `${id}: ${code}: ${message} (${clause})`),
    )
    if (rows.length > 0)
      throw new Problem(409, 'The registry would reject the file. Correct the listed entries.', { rows })
    const entries = candidates.map(({ entry }) => entry)
    return format === 'xml'
      ? { contentType: 'application/xml', text: registryXml(entries) }
      : { contentType: 'application/json', text: JSON.stringify(entries) }
  }

  /** @throws Problem 404 */
  async function proof(kind: Kind, id: string): Promise<{ type: ProofType; bytes: Buffer }> {
    const found = isUuid(id) ? await findRegistrationProof(database.lookup, kind, id) : undefined
    if (found === undefined) throw notFound('No proof of registration at this address.')
    return found
  }

  /**
   * Queues changed subjects that are registered. The job decides if the registry needs an update (Regulation (EU) 2026/1778, Article
   * 19(2)).
   */
  async function follow(tx: ModuleTransaction, change: Change): Promise<void> {
    const { subject, ids, parts, moved = [], tenantId = tx.tenantId } = change
    if (subject === 'passport' && parts?.registration != null) await queuePassports(tx, ids)
    if (subject === 'facility') await queuePassports(tx, await registeredOfFacilities(tx, ids))
    // Reading here if they are registered would cost a round trip; another workspace's are not readable.
    if (moved.length > 0 && registry !== undefined) await queue(tx, [{ tenantId, units: moved }])
  }

  function queuePassports(tx: ModuleTransaction, ids: readonly string[]): Promise<void> {
    const { tenantId } = tx
    return queue(
      tx,
      ids.flatMap((id) => [
        { tenantId, passportId: id },
        { tenantId, unitsOf: id },
      ]),
    )
  }

  function queue(tx: ModuleTransaction, jobs: readonly RegistrationJob[]): Promise<void> {
    return outbox.send(
      tx,
      REGISTRATIONS,
      jobs.map((data) => ({ data, group: groupOf(data) })),
    )
  }

  /** Registers the current state if new or without proof. Errors are retried; a final failure is reported to the workspace. */
  async function attempt({ data: job, isLast }: QueuedMessage<RegistrationJob>): Promise<void> {
    const { tenantId } = job
    if ('unitsOf' in job) return queueUnitsOf(tenantId, job.unitsOf)
    if ('units' in job) return queueUnits(tenantId, await registeredAmong(database.forTenant(tenantId), job.units))
    const [subject] = await load(passportRows, database.forTenant(tenantId), [
      'unitId' in job ? job.unitId : job.passportId,
    ])
    if (registry === undefined || subject === undefined || subject.facts.registration === null) return
    const { failed, entry } = toCandidate(subject)
    const hash = subject.row.seal?.merkleRoot
    if (failed.length > 0 || hash === undefined) {
      return giveUp(subject, failed.map(({ message }) => message).join(' '))
    }
    const wasKnown = isKnown(subject, entry)
    if (wasKnown && subject.facts.registration.reason === null) return
    let proofProblem: { readonly message: string; readonly isPassing: boolean } | undefined
    try {
      proofProblem = await registerAndStore(registry, subject, entry, hash)
    } catch (error) {
      if (!(error instanceof NotRegistered)) throw error
      log.warn({ subject: idOf(subject), reason: error.message }, 'passport not registered')
      const isOver = error.isFinal || isLast
      // A known entry stays registered if only its proof is missing.
      if (!wasKnown && isOver) return giveUp(subject, error.message)
      if (!wasKnown) {
        await database.transaction(tenantId, async (tx) =>
          putOffRegistration(tx, idOf(subject), { state: 'PENDING', reason: error.message }),
        )
      }
      if (isOver) return
      throw error
    }
    if (proofProblem?.isPassing === true && !isLast) throw new NotRegistered(proofProblem.message)
  }

  /**
   * Registers and stores the result.
   * @returns the reason for a missing proof
   * @throws NotRegistered
   */
  async function registerAndStore(
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

  /** Queues all registered units of a passport, since their entries repeat its data. */
  async function queueUnitsOf(tenantId: string, passportId: string): Promise<void> {
    let after: string | undefined
    do {
      const ids = await registeredUnitsOf(database.forTenant(tenantId), passportId, after)
      await queueUnits(tenantId, ids)
      after = ids.at(-1)
    } while (after !== undefined)
  }

  async function queueUnits(tenantId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const jobs = ids.map((unitId) => ({ tenantId, unitId }))
    await database.transaction(tenantId, (tx) => queue(tx, jobs))
  }

  /** Reports a failure once per request, version and unit status. */
  async function giveUp(subject: Subject, reason: string): Promise<void> {
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

  function toCandidate({ row, unit, facts: { regIdScheme } }: Subject): RegistrationCandidate {
    const view = passportViews.view(row, 'public')
    const subject = {
      view,
      regIdScheme,
      findings: passportRules.findings(row.metadata, view.identifier, 'en'),
      sealed: row.seal?.subject ?? null,
      unit: unit && unitViews.outline(unit, row.productId),
    }
    const checks = registryChecks(subject)
    return { checks, failed: checks.filter(({ passed }) => !passed), entry: registryEntry(subject) }
  }

  function toContent(subject: Subject): Registration {
    const { checks, failed, entry } = toCandidate(subject)
    const { row, facts } = subject
    return {
      checks: [...checks],
      entry: failed.length > 0 ? null : entry,
      metadataSchema: schemaAddress(config.baseUrl, { ...facts, metadata: row.metadata }),
      version: facts.version,
      hash: row.seal?.merkleRoot ?? null,
      registration: stateOf(subject, entry),
    }
  }

  function stateOf(subject: Subject, entry: RegistryEntry): Registration['registration'] {
    const { registration } = subject.facts
    if (registration === null) return null
    const { entry: _entry, hasProof, ...shown } = registration
    return {
      ...shown,
      isCurrent: isKnown(subject, entry),
      proof: hasProof ? `${config.baseUrl}/${kindOf(subject)}/${idOf(subject)}/registration-proof` : null,
    }
  }
}

const NOTHING_KNOWN = {
  ...{ entry: null, registry: null, identifier: null, registeredAt: null, version: null, hash: null },
  hasProof: false,
} as const

/** Screening needs no group: what it queues has one. */
const groupOf = (job: RegistrationJob): string | undefined =>
  'unitId' in job ? job.unitId : 'unitsOf' in job ? job.unitsOf : 'units' in job ? undefined : job.passportId

const kindOf = ({ unit }: Subject): Kind => (unit === undefined ? 'passport' : 'unit')

const idOf = ({ row, unit }: Subject): string => (unit ?? row).id

const absent = (kind: Kind): Problem => (kind === 'unit' ? noUnit() : noPassport())

/** @throws Problem `missing` for another workspace's, 403 for another operator's */
function assertReadable(principal: Principal, { row, unit }: Subject, missing: () => Problem): void {
  if ((unit ?? row).tenantId !== principal.tenantId) throw missing()
  assertOperatorScope(principal, row.operatorId)
}

async function load(
  passportRows: ModuleCradle['passportRows'],
  session: Session,
  ids: readonly string[],
): Promise<Subject[]> {
  const [known, passports, units, products] = await Promise.all([
    registrationFacts(session, ids),
    Promise.all(ids.map((id) => passportRows.load(session, id))),
    Promise.all(ids.map((id) => loadUnit(session, id))),
    Promise.all(ids.map((id) => passportRows.loadOfUnit(session, id))),
  ])
  return ids.flatMap((_, place) => {
    const unit = units[place]
    const row = unit === undefined ? passports[place] : products[place]
    const facts = known.get((unit ?? row)?.id ?? '')
    return row === undefined || facts === undefined ? [] : [{ row, unit, facts }]
  })
}

const isKnown = ({ row, facts: { registration } }: Subject, entry: RegistryEntry): boolean =>
  registration?.state === 'REGISTERED' &&
  registration.entry !== null &&
  isSameEntry(registration.entry, entry) &&
  registration.hash === row.seal?.merkleRoot

function refused(kind: Kind, checks: RegistrationCheck[]): Problem {
  const first = checks[0]?.message
  return new Problem(409, `The registry would reject the ${kind}. ${first}`, {
    title: 'Conflict',
    code: 'REGISTRATION_CHECKS_FAILED',
    extra: { checks },
  })
}
