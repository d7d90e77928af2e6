import {
  type Change,
  type ModuleTransaction,
  notFound,
  Problem,
  type QueuedMessage,
} from '../../../../src/plugin/index.ts'
import {
  conflict,
  isUuid,
  type ModuleCradle,
  noUnit,
  type Principal,
  recordAudit,
  schemaAddress,
  type Transaction,
} from '../../../../src/plugin/module.ts'
import type { components } from '../generated.ts'
import { processRegistration } from '../process-registration.ts'
import { queueChanged, queueRegistrations } from '../queue-registrations.ts'
import type { RegistrationJob } from '../registration-job.ts'
import {
  type FailedRegistration,
  failedRegistrations,
  findRegistrationProof,
  holdUnit,
  registrationFacts,
  requestRegistration,
} from '../registration-rows.ts'
import {
  absent,
  assertReadable,
  idOf,
  isKnown,
  type Kind,
  kindOf,
  loadSubjects,
  type Subject,
  toCandidate,
} from '../registration-subject.ts'
import { type ProofType, type RegistrationCheck, type RegistryEntry, registryXml } from '../registry-entry.ts'
import type { Registry } from './registry.ts'

type Registration = Omit<components['schemas']['PassportRegistration'], 'success'>

const MAX_FAILED = 100

/** Registration with the EU registry (Regulation (EU) 2024/1781, Article 13; (EU) 2026/1778). */
export default function registrations({
  passportRows,
  config: { baseUrl },
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
  const rules = { passportRules, passportViews, unitViews }
  const deps = { ...rules, database, log, moduleHooks, outbox, passportLocks, passportRows, registry }
  const isOn = registry !== undefined

  return { isOn, read, failed, request, exportFile, proof, follow, attempt }

  /** @throws Problem 404 if absent or hidden, 403 for another operator's */
  async function read(principal: Principal, kind: Kind, id: string): Promise<Registration> {
    const [subject] = isUuid(id) ? await loadSubjects(passportRows, database.forTenant(principal.tenantId), [id]) : []
    if (subject === undefined || kindOf(subject) !== kind) throw absent(kind)
    assertReadable(principal, subject, () => absent(kind))
    return toContent(subject)
  }

  /** Registrations that the registry rejected, newest first, at most 100. */
  function failed({ tenantId, operatorId }: Principal): Promise<FailedRegistration[]> {
    return failedRegistrations(database.forTenant(tenantId), operatorId, MAX_FAILED)
  }

  /** @throws Problem 404, 403; 409 without a registry, or if a check fails */
  async function request(principal: Principal, kind: Kind, id: string): Promise<Registration> {
    const { tenantId } = principal
    return database.transaction(tenantId, async (tx) => {
      const subject = await (kind === 'unit' ? lockUnit(tx, principal, id) : lockPassport(tx, principal, id))
      if (!isOn) {
        throw conflict(
          'This gateway has no registry (REGISTRY_URL). Download the entry with GET /api/v1/registry-entries?ids=… and upload it to the registry.',
          'REGISTRY_NOT_CONFIGURED',
        )
      }
      const { row, unit, facts } = subject
      const { failed } = toCandidate(rules, subject)
      if (failed.length > 0) throw refused(kind, failed)
      const requestedAt = new Date().toISOString()
      requestRegistration(tx, { passportId: row.id, unitId: unit?.id ?? null }, requestedAt)
      await queueRegistrations(outbox, tx, [
        unit === undefined ? { tenantId, passportId: row.id } : { tenantId, unitId: unit.id },
      ])
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
    const [subject] = await loadSubjects(passportRows, tx, [id])
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
    const found = await loadSubjects(passportRows, database.forTenant(principal.tenantId), ids.filter(isUuid))
    const subjects = new Map(found.map((subject) => [idOf(subject), subject]))
    const candidates = ids.map((id) => {
      const subject = subjects.get(id)
      const missing = () => notFound(`Passport or unit ${id} not found in your workspace.`)
      if (subject === undefined) throw missing()
      assertReadable(principal, subject, missing)
      return { id, ...toCandidate(rules, subject) }
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

  function follow(tx: ModuleTransaction, change: Change): Promise<void> {
    return queueChanged(outbox, tx, change, isOn)
  }

  function attempt(message: QueuedMessage<RegistrationJob>): Promise<void> {
    return processRegistration(deps, message)
  }

  function toContent(subject: Subject): Registration {
    const { checks, failed, entry } = toCandidate(rules, subject)
    const { row, facts } = subject
    return {
      checks: [...checks],
      entry: failed.length > 0 ? null : entry,
      metadataSchema: schemaAddress(baseUrl, { ...facts, metadata: row.metadata }),
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
      proof: hasProof ? `${baseUrl}/${kindOf(subject)}/${idOf(subject)}/registration-proof` : null,
    }
  }
}

const NOTHING_KNOWN = {
  ...{ entry: null, registry: null, identifier: null, registeredAt: null, version: null, hash: null },
  hasProof: false,
} as const

function refused(kind: Kind, checks: RegistrationCheck[]): Problem {
  const first = checks[0]?.message
  return new Problem(409, `The registry would reject the ${kind}. ${first}`, {
    title: 'Conflict',
    code: 'REGISTRATION_CHECKS_FAILED',
    extra: { checks },
  })
}
