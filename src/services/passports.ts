import { ForeignKeyConstraintViolationException, LockMode } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Cradle } from '../cradle.ts'
import { sanitiseEnrichment } from '../domain/enrichment.ts'
import { isUuid } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { passportDocument, passportListItem } from '../domain/passport-document.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, conflict, forbidden, notFound, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { transition, yearsAfter } from '../domain/transitions.ts'
import type { Tier } from '../domain/view.ts'
import { Facility } from '../entities/master-data.ts'
import { Passport } from '../entities/passport.ts'
import type { PassportEvent } from '../jobs/outbox.ts'
import { DEFAULT_REPRESENTATION } from '../publication/renditions.ts'
import { assertFacility, noFacility } from '../storage/passport-master-data.ts'
import { loadPassport, loadPassportsForList, type PassportRow } from '../storage/passport-rows.ts'
import { asRefusal } from './company-prefixes.ts'
import { NO_FACILITY } from './passport-rules.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passports: ReturnType<typeof passports>
  }
}

/** Passports that exist: list, read, update, move, delete (specification 4.1). */
export default function passports({
  config,
  database,
  passportRules,
  quota,
  passportViews,
  renditions,
  outbox,
  translator,
  publicCache,
  plugins,
}: Cradle) {
  const jsonLd = plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)

  return { list, vcReadiness, find, update, replace, setStatus, deleteDraft, written }

  /** One page, newest first. Callers with role `BRAND_OPERATOR` see the owner tier (specification 4.1). */
  async function list(
    principal: Principal,
    query: { page?: string; limit?: string; category?: string; originCountry?: string },
  ): Promise<Content<'PassportPage'>> {
    const page = clamp(query.page ?? '1', 1, 1_000_000)
    const limit = clamp(query.limit ?? '10', 1, 100)
    const onPage = catalogue(principal, { category: query.category, origin_country: query.originCountry }, page, limit)
    const rows = await loadPassportsForList(
      database.forTenant(principal.tenantId),
      `p.id in (${onPage.sql}) order by p.created_at desc, p.id`,
      onPage.params,
    )
    const tier: Tier = principal.role === 'BRAND_OPERATOR' ? 'owner' : 'public'
    return { page, limit, passports: rows.map((row) => passportListItem(passportViews.view(row, tier))) }
  }

  /** Which passports can become credentials: one page of the list, and how many of the whole catalogue. */
  async function vcReadiness(
    principal: Principal,
    query: { page?: string; limit?: string },
  ): Promise<Content<'VcReadinessReport'>> {
    const page = clamp(query.page ?? '1', 1, 1_000_000)
    const limit = clamp(query.limit ?? '100', 1, 200)
    const onPage = catalogue(principal, {}, page, limit)
    const em = database.forTenant(principal.tenantId)
    const [[counts], rows] = await em.transactional(async (tx) => [
      await tx.execute<{ ready: number; not_ready: number }[]>(
        `select coalesce(sum(ready), 0)::int as ready, coalesce(sum(not_ready), 0)::int as not_ready from passport_count
         where operator_id in (select operator_id from operator_binding where tenant_id = ?)
           ${principal.operatorId === null ? '' : 'and operator_id = ?'}`,
        principal.operatorId === null ? [principal.tenantId] : [principal.tenantId, principal.operatorId],
      ),
      await tx.execute<{ id: string; product_id: string; ready: boolean }[]>(
        `select p.id, p.product_id, p.facility_id is not null as ready from passport p
         where p.id in (${onPage.sql}) order by p.created_at desc, p.id`,
        onPage.params,
      ),
    ])
    const { ready = 0, not_ready: notReady = 0 } = counts ?? {}
    return {
      page,
      limit,
      total: ready + notReady,
      totalPages: Math.ceil((ready + notReady) / limit),
      ready,
      notReady,
      results: rows.map((row) => ({
        id: row.id,
        productId: row.product_id,
        vcReady: row.ready,
        blockers: row.ready ? [] : [NO_FACILITY],
      })),
    }
  }

  /**
   * The id of the passport that `idOrProduct` names for this caller, the UUID first (trap 31).
   * @throws Problem 404; 403 for another operator's; 400 when several operators have the product
   */
  async function find(principal: Principal, idOrProduct: string, scope: 'owned' | 'bound'): Promise<string> {
    const em = database.forTenant(principal.tenantId)
    const where =
      scope === 'owned'
        ? 'tenant_id = ?'
        : 'operator_id in (select operator_id from operator_binding where tenant_id = ?)'
    const look = (condition: string, value: string) =>
      em.execute<{ id: string; operator_id: string }[]>(
        `select id, operator_id from passport where ${condition} = ? and ${where}
         order by operator_id is distinct from ?, created_at, id limit 2`,
        [value, principal.tenantId, principal.operatorId],
      )
    let found = isUuid(idOrProduct) ? await look('id', idOrProduct) : []
    if (found.length === 0) found = await look('product_id', idOrProduct)
    const own = found.filter((row) => principal.operatorId === null || row.operator_id === principal.operatorId)
    const [first, second] = own
    if (first === undefined) {
      if (found[0] !== undefined) assertOperatorScope(principal, found[0].operator_id)
      throw notFound('Passport not found in your workspace.')
    }
    if (second !== undefined)
      throw badRequest('Several operators have a passport for this product. Use its UUID.', 'OPERATOR_AMBIGUOUS')
    return first.id
  }

  async function update(
    principal: Principal,
    id: string,
    {
      metadata,
      draft: isDraft = false,
      changeReason = 'API Update',
      facilityId: given,
      enrichment,
    }: Schema<'PassportUpdate'>,
    lang: string,
  ): Promise<Content<'PassportUpdated'>> {
    assertPlainKeys(metadata)
    try {
      const updated = await inChange(principal, id, async (tx) => {
        const passport = await lock(tx, principal, isUuid(id) ? id : undefined, 'bound')
        assertUnsealed(passport)
        const wasDraft = passport.status === 'DRAFT'
        const identifier = isDraft ? undefined : passportRules.identify(passport.productId)
        if (!isDraft) passportRules.assertValid(metadata, identifier, lang, false)
        const isPublished = wasDraft && !isDraft
        const facilityId = given === undefined ? passport.facilityId : (given?.toLowerCase() ?? null)
        if (facilityId !== passport.facilityId || isPublished) {
          await assertFacilityOf(tx, principal, passport, facilityId)
        }
        if (isPublished) await quota.room(tx, principal)
        await remember(tx, principal, passport, changeReason, metadata)
        passport.facilityId = facilityId
        passport.metadata = metadata
        if (enrichment !== undefined) passport.enrichment = sanitiseEnrichment(enrichment)
        passport.updatedAt = new Date()
        if (isDraft) passport.status = 'DRAFT'
        else if (wasDraft) passport.status = 'ACTIVE'
        await flush(tx)
        const event = isDraft ? undefined : wasDraft ? 'passport.ingested' : 'passport.updated'
        const row = await written(tx, passport.id, event)
        const warnings = isDraft && !wasDraft ? [translator.advisory({ code: 'DRAFT_DEMOTED' }, lang)] : []
        return {
          message: isPublished
            ? 'Draft published'
            : 'Digital Product Passport successfully updated and history versioned',
          passport: document(row),
          ...(warnings.length === 0 ? {} : { warnings }),
        }
      })
      publicCache.forgetProduct(updated.passport)
      return updated
    } catch (error) {
      if (error instanceof Problem) throw error
      // The facility may have been removed meanwhile: refused as if it had never been there.
      if (error instanceof ForeignKeyConstraintViolationException) throw noFacility()
      throw new Problem(500, 'Failed to update passport', { title: 'Internal Server Error', cause: error })
    }
  }

  /**
   * Replaces the metadata of a passport that has no seal, as an edit that emits no event; a draft is published by it. The
   * metadata must have been judged.
   * @throws Problem 403 for a sealed passport, 402 where a draft has no room
   */
  async function replace(
    tx: EntityManager,
    principal: Principal,
    id: string,
    { metadata, changeReason }: { metadata: Metadata; changeReason: string },
  ): Promise<void> {
    const passport = await lock(tx, principal, id, 'bound')
    assertUnsealed(passport)
    if (passport.status === 'DRAFT') {
      await assertFacilityOf(tx, principal, passport, passport.facilityId)
      await quota.room(tx, principal)
    }
    await remember(tx, principal, passport, changeReason, metadata)
    passport.metadata = metadata
    passport.updatedAt = new Date()
    if (passport.status === 'DRAFT') passport.status = 'ACTIVE'
    await flush(tx)
    await written(tx, id, undefined)
  }

  async function setStatus(
    principal: Principal,
    idOrProduct: string,
    { status: requested }: Schema<'StatusChange'>,
  ): Promise<Content<'StatusChanged'>> {
    const id = await find(principal, idOrProduct, 'bound')
    return inChange(principal, id, async (tx) => {
      const passport = await lock(tx, principal, id, 'bound')
      const from = passport.status
      const to = transition(from, requested)
      // Archived ones do not count; reactivated they do.
      if (to === 'ACTIVE' && passport.archivedAt) await quota.room(tx, principal)
      await remember(tx, principal, passport, `Status changed: ${from} → ${to}`)
      passport.status = to
      passport.updatedAt = new Date()
      if (to === 'DECOMMISSIONED') passport.retentionUntil = yearsAfter(passport.updatedAt, config.retentionYears)
      if (to === 'ACTIVE') {
        passport.retentionUntil = null
        passport.archivedAt = null
      }
      await tx.flush()
      const row = await written(tx, id, to === 'RECALLED' ? 'passport.recalled' : 'passport.status_updated')
      return { message: `The passport is now ${to}.`, status: to, passport: document(row) }
    })
  }

  /** Deletes a draft of the owning workspace, with everything that hangs on it. */
  async function deleteDraft(principal: Principal, id: string): Promise<void> {
    await inChange(principal, id, async (tx) => {
      const passport = await lock(tx, principal, isUuid(id) ? id : undefined, 'owned')
      if (passport.status !== 'DRAFT') throw conflict('Only drafts can be deleted.', 'PASSPORT_PUBLISHED')
      await tx.execute('delete from access_audit where passport_id = ?', [passport.id])
      tx.remove(passport)
    })
  }

  /** One transaction that changes a passport; what this process has cached of it is forgotten after the commit. */
  async function inChange<T>(principal: Principal, id: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await database.forTenant(principal.tenantId).transactional(work)
    publicCache.forget(id.toLowerCase())
    return result
  }

  async function lock(
    tx: EntityManager,
    principal: Principal,
    id: string | undefined,
    scope: 'owned' | 'bound',
  ): Promise<Passport> {
    const passport =
      id === undefined ? null : await tx.findOne(Passport, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    const isVisible =
      passport !== null &&
      (scope === 'owned'
        ? passport.tenantId === principal.tenantId
        : await isBound(tx, principal.tenantId, passport.operatorId))
    if (!isVisible) throw notFound('Passport not found in your workspace.')
    assertOperatorScope(principal, passport.operatorId)
    return passport
  }

  /** The last steps of every write: read back what readers will see, render it, enqueue the event. */
  async function written(tx: EntityManager, id: string, event: PassportEvent | undefined): Promise<PassportRow> {
    const row = await loadPassport(tx, id)
    if (row === undefined) throw new Error(`Passport ${id} is not readable after its write.`)
    const isRendered = row.status !== 'DRAFT' && jsonLd !== undefined
    const latest = isRendered ? await renditions.store(tx, row, jsonLd, '') : undefined
    if (row.version > 1) await renditions.forgetEarlier(tx, row, latest)
    if (event !== undefined) {
      await outbox.publish(tx, [{ event, tenantId: row.tenantId, passportId: row.id, version: row.version }])
    }
    return row
  }

  /**
   * Writes the version before a change into the history. Its metadata is kept only where the change brings other: until
   * then it is the passport's own, see the view `passport_version`. The passport is locked, so that numbers have no gaps.
   */
  async function remember(
    tx: EntityManager,
    principal: Principal,
    { id, metadata }: Passport,
    changeReason: string,
    next: Metadata = metadata,
  ): Promise<void> {
    const isReplaced = JSON.stringify(metadata) !== JSON.stringify(next)
    await tx.execute(
      `insert into passport_history (passport_id, tenant_id, version, metadata, changed_by, change_reason, created_at)
       select p.id, p.tenant_id, coalesce((select max(h.version) from passport_history h where h.passport_id = p.id), 0) + 1,
         ${isReplaced ? 'p.metadata' : 'null'}, ?, ?, ?
       from passport p where p.id = ?`,
      [principal.actor, changeReason, new Date(), id],
    )
  }

  // Writes answer the public tier, even to the owner (trap 17).
  function document(row: PassportRow): Schema<'Passport'> {
    return passportDocument(passportViews.view(row, 'public'))
  }

  /**
   * The facility that a passport is to name. It is of the caller's workspace, but for one that is named already: another
   * workspace that acts for the operator may have linked it.
   * @throws Problem 400 or 403
   */
  async function assertFacilityOf(
    tx: EntityManager,
    principal: Principal,
    passport: Passport,
    facilityId: string | null | undefined,
  ): Promise<void> {
    if (facilityId === null || facilityId === undefined) return
    // Held from here on, as the link will hold it: what is stored is counted in between, and who deletes a facility counts too.
    if (facilityId !== passport.facilityId && isUuid(facilityId)) {
      await tx.execute('select 1 from facility where id = ? for key share', [facilityId])
    }
    const where = { id: facilityId, ...(facilityId === passport.facilityId ? {} : { tenantId: principal.tenantId }) }
    assertFacility(principal, isUuid(facilityId) ? await tx.findOne(Facility, where) : null, passport.operatorId)
  }
}

/**
 * The ids of one page of the passports that are listed: of operators that are bound to the workspace, and not archived.
 * Each operator's newest come from the index alone, so that a page costs the same in a catalogue of any size.
 */
function catalogue(
  principal: Principal,
  filters: Readonly<Record<string, string | undefined>>,
  page: number,
  limit: number,
) {
  const equal = Object.entries(filters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const operators = principal.operatorId === null ? [] : [principal.operatorId]
  const offset = (page - 1) * limit
  return {
    sql: `select newest.id from operator_binding b cross join lateral (
        select q.id, q.created_at from passport q where q.operator_id = b.operator_id and q.archived_at is null
        ${equal.map(([column]) => `and q.${column} = ?`).join(' ')}
        order by q.created_at desc, q.id limit ?
      ) as newest where b.tenant_id = ? ${operators.map(() => 'and b.operator_id = ?').join('')}
      order by newest.created_at desc, newest.id limit ? offset ?`,
    params: [...equal.map(([, value]) => value), offset + limit, principal.tenantId, ...operators, limit, offset],
  }
}

/** @throws Problem 409 where another workspace has claimed what the passport would be found by */
const flush = (tx: EntityManager): Promise<void> =>
  tx.flush().catch((error) => {
    throw asRefusal(error)
  })

function assertUnsealed({ sealId }: Passport): void {
  if (sealId === null || sealId === undefined) return
  throw forbidden(
    'A sealed passport cannot be edited: the edit would invalidate its seal.',
    'PASSPORT_SEALED_IMMUTABLE',
  )
}

async function isBound(em: EntityManager, tenantId: string, operatorId: string): Promise<boolean> {
  const rows = await em.execute('select 1 from operator_binding where tenant_id = ? and operator_id = ?', [
    tenantId,
    operatorId,
  ])
  return rows.length > 0
}

// A page number of thirty digits is still a number; it must not become a fraction or Infinity in SQL.
const clamp = (digits: string, low: number, high: number) => Math.min(high, Math.max(low, Number(digits)))
