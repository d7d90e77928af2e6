import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { textIn } from '../domain/metadata.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { conflict, notFound, Problem } from '../domain/problem.ts'
import {
  isSameEntry,
  type ProofType,
  type RegistrationCheck,
  type RegistryEntry,
  registryChecks,
  registryEntry,
  registryXml,
} from '../domain/registry.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { derivedUuid } from '../domain/webhooks.ts'
import type { RegistrationJob } from '../jobs/registrations.ts'
import { NotRegistered } from '../outside/registry.ts'
import { recordAudit } from '../storage/audit.ts'
import { notify } from '../storage/notifications.ts'
import { loadPassport, type PassportRow } from '../storage/passport-rows.ts'
import {
  completeRegistration,
  findRegistrationProof,
  putOffRegistration,
  type RegistrationFacts,
  registrationFacts,
  requestRegistration,
} from '../storage/registrations.ts'
import type { Session } from '../storage/statement.ts'

/** A passport as a registry is told of it, or why not. */
interface Judged {
  readonly checks: readonly RegistrationCheck[]
  readonly failed: RegistrationCheck[]
  readonly entry: RegistryEntry
}

declare module '../cradle.ts' {
  interface Cradle {
    registrations: ReturnType<typeof registrations>
  }
}

/** Registration with the registry of product passports (Regulation (EU) 2024/1781, Article 13; (EU) 2026/1778). */
export default function registrations({
  categoryValidator,
  config,
  database,
  log,
  outbox,
  passportChange,
  passportRules,
  passportViews,
  registry,
}: Cradle) {
  return { read, request, exportFile, proof, work }

  /** @throws Problem 404 for a passport that the caller does not see, 403 for another operator's */
  async function read(principal: Principal, id: string): Promise<Content<'PassportRegistration'>> {
    const [found] = await readable(principal, [id])
    if (found === undefined) throw notFound('Passport not found in your workspace.')
    return told(found.row, found.facts)
  }

  /**
   * Has the registry told of a passport after the answer.
   * @throws Problem 404, 403 as {@link read}; 409 where there is no registry, or a check fails
   */
  async function request(principal: Principal, id: string): Promise<Content<'PassportRegistration'>> {
    if (registry === undefined) {
      throw conflict(
        'This gateway has no registry (REGISTRY_URL). Download the entry with GET /api/v1/registry-entries?ids=… and upload it to the registry.',
        'REGISTRY_NOT_CONFIGURED',
      )
    }
    return database.transaction(principal.tenantId, async (tx) => {
      const [row, facts] = await Promise.all([
        passportChange.lock(tx, principal, id, 'owned'),
        isUuid(id) ? registrationFacts(tx, [id]) : undefined,
      ])
      const known = factsOf(facts, row)
      const { failed } = judge(row, known)
      if (failed.length > 0) throw refused(failed)
      const requestedAt = new Date().toISOString()
      requestRegistration(tx, row.id, requestedAt)
      await outbox.register(tx, { tenantId: row.tenantId, passportId: row.id })
      passportChange.forget(tx, [row])
      recordAudit(tx, principal, 'registration.requested', row.id)
      const entry = known.registration?.entry ?? null
      return told(row, { ...known, registration: { state: 'PENDING', reason: null, requestedAt, entry } })
    })
  }

  /**
   * The entries of several passports as a file, in the order of the ids.
   * @throws Problem 404, 403 as {@link read}; 409 naming every check that fails
   */
  async function exportFile(
    principal: Principal,
    ids: readonly string[],
    format: 'json' | 'xml',
  ): Promise<{ contentType: string; text: string }> {
    const found = await readable(principal, [...new Set(ids.map((id) => id.toLowerCase()))])
    const judgements = found.map(({ row, facts }) => ({ row, ...judge(row, facts) }))
    const rows = judgements.flatMap(({ row, failed }) =>
      failed.map(({ code, message, clause }) => `${row.id}: ${code}: ${message} (${clause})`),
    )
    if (rows.length > 0) throw new Problem(409, 'The registry would refuse the file.', { rows })
    const entries = judgements.map(({ entry }) => entry)
    return format === 'xml'
      ? { contentType: 'application/xml', text: registryXml(entries) }
      : { contentType: 'application/json', text: JSON.stringify(entries) }
  }

  /** The proof that the registry has given of a published passport. @throws Problem 404 */
  async function proof(id: string): Promise<{ type: ProofType; bytes: Buffer }> {
    const found = isUuid(id) ? await findRegistrationProof(database.lookup, id) : undefined
    if (found === undefined) throw notFound('There is no proof of registration at this address.')
    return found
  }

  /**
   * Tells the registry of a passport as it is now, where that is news to it. What throws is tried again; what has failed
   * for good, or for the last time, is told to the workspace.
   */
  async function work({ tenantId, passportId }: RegistrationJob, isLast: boolean): Promise<void> {
    const session = database.forTenant(tenantId)
    const [row, facts] = await Promise.all([
      loadPassport(session, passportId),
      registrationFacts(session, [passportId]),
    ])
    const known = facts.get(passportId)
    if (registry === undefined || row === undefined || known === undefined || known.registration === null) return
    const { requestedAt } = known.registration
    const { failed, entry } = judge(row, known)
    const hash = row.seal?.merkleRoot
    if (failed.length > 0 || hash === undefined) {
      return giveUp(row, requestedAt, failed.map(({ message }) => message).join(' '))
    }
    if (isKnown(row, known, entry)) return
    try {
      const answer = await registry.register(entry, row.registration?.identifier ?? undefined)
      await database.transaction(tenantId, async (tx) => {
        passportChange.hold(tx, row)
        completeRegistration(tx, row.id, {
          ...answer,
          ...{ registry: registry.origin, version: known.version, hash, entry },
          registeredAt: answer.registeredAt ?? new Date().toISOString(),
        })
        passportChange.forget(tx, [row])
      })
    } catch (error) {
      if (!(error instanceof NotRegistered)) throw error
      log.warn({ passport: row.id, reason: error.message }, 'a passport was not registered')
      if (error.isFinal || isLast) return giveUp(row, requestedAt, error.message)
      await database.transaction(tenantId, async (tx) =>
        putOffRegistration(tx, row.id, { state: 'PENDING', reason: error.message }),
      )
      throw error
    }
  }

  /** Told once for each request and version, however often it was tried. */
  async function giveUp(row: PassportRow, requestedAt: string, reason: string): Promise<void> {
    await database.transaction(row.tenantId, async (tx) => {
      putOffRegistration(tx, row.id, { state: 'FAILED', reason })
      notify(tx, {
        id: derivedUuid(row.id, `registration.failed ${requestedAt} ${row.seal?.merkleRoot}`),
        type: 'registration.failed',
        operatorId: row.operatorId,
        subjectId: row.id,
        message: `The passport of ${row.productId} could not be registered: ${reason}`,
      })
    })
  }

  function judge(row: PassportRow, { regIdScheme }: RegistrationFacts): Judged {
    const view = passportViews.view(row, 'public')
    const subject = {
      view,
      regIdScheme,
      findings: passportRules.findings(row.metadata, view.identifier, 'en'),
      sealed: row.seal?.subject ?? null,
    }
    const checks = registryChecks(subject)
    return { checks, failed: checks.filter(({ passed }) => !passed), entry: registryEntry(subject) }
  }

  function told(row: PassportRow, facts: RegistrationFacts): Content<'PassportRegistration'> {
    const { checks, failed, entry } = judge(row, facts)
    return {
      checks: [...checks],
      entry: failed.length > 0 ? null : entry,
      schema: schemaOf(row.metadata),
      version: facts.version,
      hash: row.seal?.merkleRoot ?? null,
      registration: stateOf(row, facts, entry),
    }
  }

  /** Where the version of the schema is that the metadata is checked against; null where its category has none. */
  function schemaOf(metadata: PassportRow['metadata']): string | null {
    const category = textIn(metadata, 'category')
    const version = categoryValidator.schemaVersion(category)
    return version === undefined ? null : `${config.baseUrl}/api/v1/schemas/${category}?version=${version}`
  }

  function stateOf(
    row: PassportRow,
    facts: RegistrationFacts,
    entry: RegistryEntry,
  ): Schema<'RegistrationState'> | null {
    if (facts.registration === null) return null
    const { state, reason, requestedAt } = facts.registration
    const shown = passportViews.view(row, 'public').registration
    const none = { registry: null, identifier: null, registeredAt: null, version: null, hash: null }
    return {
      ...{ state, reason, requestedAt, isCurrent: isKnown(row, facts, entry) },
      ...(shown ?? none),
      proof: shown?.proof ?? null,
    }
  }

  /** The passports, in the order of the ids. @throws Problem 404, 403 as {@link read}, naming the passport */
  async function readable(
    principal: Principal,
    ids: readonly string[],
  ): Promise<{ row: PassportRow; facts: RegistrationFacts }[]> {
    const wanted = ids.filter(isUuid)
    const session: Session = database.forTenant(principal.tenantId)
    const [facts, ...rows] = await Promise.all([
      registrationFacts(session, wanted),
      ...wanted.map((id) => loadPassport(session, id)),
    ])
    return ids.map((id) => {
      const row = rows[wanted.indexOf(id)]
      if (row === undefined || row.tenantId !== principal.tenantId) {
        throw notFound(
          ids.length === 1 ? 'Passport not found in your workspace.' : `Passport ${id} not found in your workspace.`,
        )
      }
      assertOperatorScope(principal, row.operatorId)
      return { row, facts: factsOf(facts, row) }
    })
  }
}

/** Whether the registry knows the passport as it is. */
const isKnown = (row: PassportRow, { registration }: RegistrationFacts, entry: RegistryEntry): boolean =>
  registration?.state === 'REGISTERED' &&
  registration.entry !== null &&
  isSameEntry(registration.entry, entry) &&
  row.registration?.hash === row.seal?.merkleRoot

function factsOf(facts: ReadonlyMap<string, RegistrationFacts> | undefined, { id }: PassportRow): RegistrationFacts {
  const known = facts?.get(id)
  if (known === undefined) throw new Error(`Nothing is known of passport ${id}, which was read with it.`)
  return known
}

function refused(checks: RegistrationCheck[]): Problem {
  const first = checks[0]?.message
  return new Problem(409, `The registry would refuse the passport. ${first}`, {
    title: 'Conflict',
    code: 'REGISTRATION_CHECKS_FAILED',
    extra: { checks },
  })
}
