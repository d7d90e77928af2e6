import { randomUUID } from 'node:crypto'
import { LockMode, UniqueConstraintViolationException } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Config } from '../config.ts'
import { personalDataRemark, type Remark } from '../domain/advisories.ts'
import { sanitiseEnrichment } from '../domain/enrichment.ts'
import { type Identifier, identify, isUuid, PRODUCT_ID_MAX_LENGTH } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { type PassportDocument, passportDocument, passportListItem } from '../domain/passport-document.ts'
import { PLANS, upgradeUrl } from '../domain/plans.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { type Advisory, badRequest, conflict, forbidden, type IssueText, notFound, Problem } from '../domain/problem.ts'
import { transition, yearsAfter } from '../domain/transitions.ts'
import type { Tier } from '../domain/view.ts'
import { Facility } from '../entities/master-data.ts'
import { Passport, PassportHistory } from '../entities/passport.ts'
import type { Outbox, PassportEvent } from '../jobs/outbox.ts'
import type { LoadedPlugins } from '../plugin/loader.ts'
import type { CategoryValidator } from './category-validator.ts'
import type { Database } from './database.ts'
import type { Gs1Engine } from './gs1-engine.ts'
import { loadPassport, loadPassports, type PassportRow } from './passport-rows.ts'
import type { PassportViews } from './passport-views.ts'
import type { PublicCache } from './public-cache.ts'
import { DEFAULT_REPRESENTATION, type Renditions } from './renditions.ts'
import type { Translator } from './translator.ts'

export interface NewPassport {
  readonly productId: string
  readonly metadata: Metadata
  readonly operatorId?: string | null
  readonly facilityId?: string | null
  readonly enrichment?: unknown
  readonly draft?: boolean
}

/** What a caller gets back after a write. */
export interface Created {
  readonly message: string
  readonly passport: PassportDocument
  readonly warnings: Advisory[]
  readonly notices: Advisory[]
  readonly vcReady: boolean
  readonly vcReadyReason: string | null
}

/** GS1 application identifiers (GS1 General Specifications 3.2). */
const AI = { gtin: '01', grai: '8003' } as const

const VALID = 'The metadata meets the rules of its category.'

/** Passports: create, validate, list, read, update, move, delete (specification 4.1). */
export class Passports {
  readonly #config: Config
  readonly #database: Database
  readonly #validator: CategoryValidator
  readonly #views: PassportViews
  readonly #renditions: Renditions
  readonly #outbox: Outbox
  readonly #translator: Translator
  readonly #gs1Engine: Gs1Engine
  readonly #publicCache: PublicCache
  readonly #jsonLd: LoadedPlugins['representations'][number] | undefined

  constructor(dependencies: {
    config: Config
    database: Database
    validator: CategoryValidator
    views: PassportViews
    renditions: Renditions
    outbox: Outbox
    translator: Translator
    gs1Engine: Gs1Engine
    publicCache: PublicCache
    plugins: LoadedPlugins
  }) {
    this.#config = dependencies.config
    this.#database = dependencies.database
    this.#validator = dependencies.validator
    this.#views = dependencies.views
    this.#renditions = dependencies.renditions
    this.#outbox = dependencies.outbox
    this.#translator = dependencies.translator
    this.#gs1Engine = dependencies.gs1Engine
    this.#publicCache = dependencies.publicCache
    this.#jsonLd = dependencies.plugins.representations.find(({ name }) => name === DEFAULT_REPRESENTATION)
  }

  async create(principal: Principal, input: NewPassport, lang: string): Promise<Created> {
    const isDraft = input.draft === true
    const productId = trimmedProductId(input.productId)
    const identifier = isDraft ? undefined : this.#identify(productId)
    const { metadata, copied } = withIdentifier(input.metadata, identifier)
    const em = this.#database.forTenant(principal.tenantId)
    const operatorId = await this.#operatorFor(em, principal, input.operatorId ?? null)
    const facilityId = await this.#facilityFor(em, principal, input.facilityId ?? null)
    if (!isDraft) this.#assertValid(metadata, identifier, lang)
    const now = new Date()
    const row = await em
      .transactional(async (tx) => {
        if (!isDraft) await this.#assertQuota(tx, principal)
        const passport = tx.create(Passport, {
          id: randomUUID(),
          tenantId: principal.tenantId,
          operatorId,
          facilityId,
          productId,
          status: isDraft ? 'DRAFT' : 'ACTIVE',
          metadata,
          enrichment: sanitiseEnrichment(input.enrichment),
          createdAt: now,
          updatedAt: now,
        })
        await tx.flush()
        return this.#written(tx, passport.id, isDraft ? undefined : 'passport.ingested')
      })
      .catch(async (error) => {
        if (error instanceof UniqueConstraintViolationException) {
          throw conflict('A passport for this product and operator already exists.', 'PASSPORT_DUPLICATE')
        }
        if (!(error instanceof Problem)) await this.#assertStillThere(principal, { operatorId, facilityId })
        throw error
      })
    const passport = this.#document(row)
    this.#forgetIdentifiers(passport)
    const notices: Remark[] = []
    if ((input.operatorId ?? null) === null) {
      notices.push({ code: 'OPERATOR_AUTO_ATTRIBUTED', path: 'operatorId', params: { operator: row.operator.name } })
    }
    if (copied !== undefined) notices.push({ code: 'GTIN_AUTO_COPIED', path: copied, params: { field: copied } })
    return {
      message: isDraft ? 'Draft passport saved' : 'Digital Product Passport successfully validated and ingested',
      passport,
      warnings: isDraft ? [] : this.#warnings(metadata, identifier, lang),
      notices: notices.map((remark) => this.#advisory(remark, lang)),
      vcReady: row.facility !== null,
      vcReadyReason:
        row.facility === null
          ? 'Credentials state a country of production: link a manufacturing facility first.'
          : null,
    }
  }

  /** Judges a passport without storing it. */
  validate(input: { productId: string; metadata: Metadata }, lang: string) {
    let identifier: Identifier
    try {
      identifier = this.#identify(trimmedProductId(input.productId))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new Problem(400, error.message, { ...error.fields, extra: { category: 'unknown', errors: [] } })
    }
    const { metadata } = withIdentifier(input.metadata, identifier)
    const category = this.#assertValid(metadata, identifier, lang)
    const warnings = this.#warnings(metadata, identifier, lang)
    return { message: VALID, category, errors: [] as [], ...(warnings.length === 0 ? {} : { warnings }) }
  }

  /** One page, newest first. callers with role `BRAND_OPERATOR` see the owner tier (specification 4.1). */
  async list(
    principal: Principal,
    query: { page?: string; limit?: string; category?: string; originCountry?: string },
  ) {
    const page = clamp(query.page ?? '1', 1, 1_000_000)
    const limit = clamp(query.limit ?? '10', 1, 100)
    const filters: string[] = []
    const params: unknown[] = [principal.tenantId]
    const filter = (column: string, value: string | null | undefined) => {
      if (value === undefined || value === null) return
      filters.push(`and q.${column} = ?`)
      params.push(value)
    }
    filter('operator_id', principal.operatorId)
    filter('category', query.category)
    filter('origin_country', query.originCountry)
    const em = this.#database.forTenant(principal.tenantId)
    // The page is found in the index alone; only its rows are read.
    const rows = await loadPassports(
      em,
      `p.id in (
        select q.id from passport q
        where q.archived_at is null
          and q.operator_id in (select operator_id from operator_binding where tenant_id = ?)
          ${filters.join(' ')}
        order by q.created_at desc, q.id limit ? offset ?
      ) order by p.created_at desc, p.id`,
      [...params, limit, (page - 1) * limit],
    )
    const tier: Tier = principal.role === 'BRAND_OPERATOR' ? 'owner' : 'public'
    return { page, limit, passports: rows.map((row) => passportListItem(this.#views.view(row, tier))) }
  }

  /**
   * The id of the passport that `idOrProduct` names for this caller, the UUID first (trap 31).
   * @throws Problem 404; 403 for another operator's; 400 when several operators have the product
   */
  async find(principal: Principal, idOrProduct: string, scope: 'owned' | 'bound'): Promise<string> {
    const em = this.#database.forTenant(principal.tenantId)
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

  async update(principal: Principal, id: string, body: unknown, lang: string) {
    const change = parseUpdate(body)
    const facilityChange = change.facilityId
    try {
      const updated = await this.#change(principal, id, async (tx) => {
        const passport = await this.#lock(tx, principal, isUuid(id) ? id : undefined, 'bound')
        if (passport.sealId !== null && passport.sealId !== undefined) {
          throw forbidden(
            'A sealed passport cannot be edited: the edit would invalidate its seal.',
            'PASSPORT_SEALED_IMMUTABLE',
          )
        }
        const wasDraft = passport.status === 'DRAFT'
        const identifier = change.isDraft ? undefined : this.#identify(passport.productId)
        if (!change.isDraft) this.#assertValid(change.metadata, identifier, lang, false)
        if (facilityChange !== undefined) passport.facilityId = await this.#facilityFor(tx, principal, facilityChange)
        if (wasDraft && !change.isDraft) await this.#assertQuota(tx, principal)
        await this.#remember(tx, principal, passport, change.changeReason ?? 'API Update')
        passport.metadata = change.metadata
        if (change.hasEnrichment) passport.enrichment = sanitiseEnrichment(change.enrichment)
        passport.updatedAt = new Date()
        if (change.isDraft) passport.status = 'DRAFT'
        else if (wasDraft) passport.status = 'ACTIVE'
        await tx.flush()
        const event = change.isDraft ? undefined : wasDraft ? 'passport.ingested' : 'passport.updated'
        const row = await this.#written(tx, passport.id, event)
        const warnings = change.isDraft && !wasDraft ? [this.#advisory({ code: 'DRAFT_DEMOTED' }, lang)] : []
        return {
          message:
            wasDraft && !change.isDraft
              ? 'Draft published'
              : 'Digital Product Passport successfully updated and history versioned',
          passport: this.#document(row),
          ...(warnings.length === 0 ? {} : { warnings }),
        }
      })
      this.#forgetIdentifiers(updated.passport)
      return updated
    } catch (error) {
      if (error instanceof Problem) throw error
      await this.#assertStillThere(principal, { facilityId: facilityChange })
      throw new Problem(500, 'Failed to update passport', { title: 'Internal Server Error', cause: error })
    }
  }

  async setStatus(principal: Principal, idOrProduct: string, body: unknown) {
    const requested = typeof body === 'object' && body !== null ? (body as { status?: unknown }).status : undefined
    const id = await this.find(principal, idOrProduct, 'bound')
    return this.#change(principal, id, async (tx) => {
      const passport = await this.#lock(tx, principal, id, 'bound')
      const from = passport.status
      const to = transition(from, requested)
      await this.#remember(tx, principal, passport, `Status changed: ${from} → ${to}`)
      passport.status = to
      passport.updatedAt = new Date()
      if (to === 'DECOMMISSIONED') passport.retentionUntil = yearsAfter(passport.updatedAt, this.#config.retentionYears)
      if (to === 'ACTIVE') {
        passport.retentionUntil = null
        passport.archivedAt = null
      }
      await tx.flush()
      const row = await this.#written(tx, id, to === 'RECALLED' ? 'passport.recalled' : 'passport.status_updated')
      return { message: `The passport is now ${to}.`, status: to, passport: this.#document(row) }
    })
  }

  /** Deletes a draft of the owning workspace, with everything that hangs on it. */
  async deleteDraft(principal: Principal, id: string): Promise<void> {
    await this.#change(principal, id, async (tx) => {
      const passport = await this.#lock(tx, principal, isUuid(id) ? id : undefined, 'owned')
      if (passport.status !== 'DRAFT') throw conflict('Only drafts can be deleted.', 'PASSPORT_PUBLISHED')
      await tx.execute('delete from access_audit where passport_id = ?', [passport.id])
      tx.remove(passport)
    })
  }

  /** One transaction that changes a passport; what this process has cached of it is forgotten after the commit. */
  async #change<T>(principal: Principal, id: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const result = await this.#database.forTenant(principal.tenantId).transactional(work)
    this.#publicCache.forget(id.toLowerCase())
    return result
  }

  /** Where another passport has answered alone there may be two now; other processes learn it by the cache's time limit. */
  #forgetIdentifiers({ productId, gtin, grai }: PassportDocument): void {
    for (const identifier of [productId, gtin, grai]) {
      if (typeof identifier === 'string') this.#publicCache.forget(identifier)
    }
  }

  async #lock(
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
  async #written(tx: EntityManager, id: string, event: PassportEvent | undefined): Promise<PassportRow> {
    const row = await loadPassport(tx, id)
    if (row === undefined) throw new Error(`Passport ${id} is not readable after its write.`)
    if (row.status !== 'DRAFT' && this.#jsonLd !== undefined) await this.#renditions.store(tx, row, this.#jsonLd, '')
    if (row.version > 1) await this.#renditions.forgetEarlier(tx, row)
    if (event !== undefined) {
      await this.#outbox.publish(tx, { event, tenantId: row.tenantId, passportId: row.id, version: row.version })
    }
    return row
  }

  /** Snapshots the metadata before a change; the passport is locked, so the count cannot move meanwhile. */
  async #remember(tx: EntityManager, principal: Principal, passport: Passport, changeReason: string): Promise<void> {
    tx.create(PassportHistory, {
      passportId: passport.id,
      version: (await tx.count(PassportHistory, { passportId: passport.id })) + 1,
      metadata: passport.metadata,
      changedBy: principal.actor,
      changeReason,
      createdAt: new Date(),
    })
  }

  /** Our own rules come first and refuse most; the GS1 engine has the last word on what claims to be a GS1 key. */
  #identify(productId: string): Identifier {
    const identifier = identify(productId)
    if (identifier.scheme !== 'sku') {
      const [problem] = this.#gs1Engine.checkElementString([[AI[identifier.scheme], identifier.value]])
      if (problem !== undefined) throw badRequest(`productId: ${problem.message}`, 'GS1_KEY_INVALID')
    }
    return identifier
  }

  // Writes answer the public tier, even to the owner (trap 17).
  #document(row: PassportRow): PassportDocument {
    return passportDocument(this.#views.view(row, 'public'))
  }

  async #operatorFor(em: EntityManager, principal: Principal, requested: string | null): Promise<string> {
    if (requested !== null) assertOperatorScope(principal, requested)
    const wanted = principal.operatorId ?? requested
    const [bound] = await em.execute<{ operator_id: string }[]>(
      `select operator_id from operator_binding where tenant_id = ? ${wanted === null ? '' : 'and operator_id = ?'}
       order by bound_at, operator_id limit 1`,
      wanted === null ? [principal.tenantId] : [principal.tenantId, wanted],
    )
    if (bound !== undefined) return bound.operator_id
    if (wanted === null)
      throw badRequest('No economic operator is bound to this workspace. Register one first.', 'OPERATOR_NOT_BOUND')
    throw forbidden('This economic operator is not bound to your workspace.', 'OPERATOR_NOT_BOUND')
  }

  async #facilityFor(em: EntityManager, principal: Principal, facilityId: string | null): Promise<string | null> {
    if (facilityId === null) return null
    const exists =
      isUuid(facilityId) && (await em.count(Facility, { id: facilityId, tenantId: principal.tenantId })) > 0
    if (!exists) throw badRequest('facilityId: there is no such facility in your workspace.', 'FACILITY_NOT_FOUND')
    return facilityId
  }

  /** A write failed because operator or facility were removed meanwhile: refused as if they had never been there. */
  async #assertStillThere(
    principal: Principal,
    { operatorId, facilityId }: { operatorId?: string; facilityId?: string | null },
  ): Promise<void> {
    const em = this.#database.forTenant(principal.tenantId)
    if (operatorId !== undefined) await this.#operatorFor(em, principal, operatorId)
    await this.#facilityFor(em, principal, facilityId ?? null)
  }

  /** @returns the category */
  #assertValid(metadata: Metadata, identifier: Identifier | undefined, lang: string, withWarnings = true): string {
    const { category, errors } = this.#validator.validate(metadata, lang)
    if (errors.length === 0) return category
    throw new Problem(400, validationMessage(errors), {
      title: 'Validation Failed',
      category,
      issues: errors,
      warnings: withWarnings ? this.#warnings(metadata, identifier, lang) : [],
    })
  }

  /** The plan's cap on published passports; the workspace row is locked, so that the cap is exact. */
  async #assertQuota(tx: EntityManager, principal: Principal): Promise<void> {
    const { plan, passportLimit: override } = principal.workspace
    const passportLimit = override ?? PLANS[plan]?.passportLimit ?? null
    if (passportLimit === null) return
    await tx.execute('select 1 from workspace where id = ? for update', [principal.tenantId])
    const activePassports = await countPublished(tx, principal.tenantId)
    if (activePassports < passportLimit) return
    throw new Problem(
      402,
      `The plan includes ${passportLimit} published passports, and ${activePassports} are published.`,
      {
        title: 'Payment Required',
        code: 'passport_quota_exceeded',
        extra: { quota: { tier: plan, activePassports, passportLimit }, upgradeUrl: upgradeUrl(this.#config.baseUrl) },
      },
    )
  }

  #warnings(metadata: Metadata, identifier: Identifier | undefined, lang: string): Advisory[] {
    const remarks: (Remark | undefined)[] = [
      identifier?.scheme === 'sku' ? { code: 'NON_GS1_PRODUCT_ID', path: 'productId' } : undefined,
      personalDataRemark(metadata),
    ]
    return remarks.filter((remark) => remark !== undefined).map((remark) => this.#advisory(remark, lang))
  }

  #advisory({ code, path, params }: Remark, lang: string): Advisory {
    return {
      code,
      ...(path === undefined ? {} : { path }),
      message: this.#translator.text('en', `advisory.${code}`, params),
      friendlyMessage: this.#translator.text(lang, `advisory.${code}`, params),
    }
  }
}

/** Published passports of a workspace that are not archived. */
export async function countPublished(em: EntityManager, tenantId: string): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `select count(*)::int as count from passport where tenant_id = ? and status <> 'DRAFT' and archived_at is null`,
    [tenantId],
  )
  return row?.count ?? 0
}

async function isBound(em: EntityManager, tenantId: string, operatorId: string): Promise<boolean> {
  const rows = await em.execute('select 1 from operator_binding where tenant_id = ? and operator_id = ?', [
    tenantId,
    operatorId,
  ])
  return rows.length > 0
}

function trimmedProductId(productId: string): string {
  const trimmed = productId.trim()
  if (trimmed === '') throw badRequest('productId must not be empty.')
  if (trimmed.length > PRODUCT_ID_MAX_LENGTH)
    throw badRequest(`productId must have at most ${PRODUCT_ID_MAX_LENGTH} characters.`)
  return trimmed
}

/** A GTIN is copied to `metadata.gtin`, a GRAI to `metadata.grai`, where the caller left it out (specification 4.1). */
function withIdentifier(
  metadata: Metadata,
  identifier: Identifier | undefined,
): { metadata: Metadata; copied?: 'gtin' | 'grai' } {
  if (identifier === undefined || identifier.scheme === 'sku' || metadata[identifier.scheme] !== undefined)
    return { metadata }
  return { metadata: { ...metadata, [identifier.scheme]: identifier.value }, copied: identifier.scheme }
}

function validationMessage(errors: readonly IssueText[]): string {
  const [first] = errors
  if (errors.length === 1) return `${first?.path}: ${first?.message}`
  return `The metadata has ${errors.length} problems; the first is at ${first?.path}: ${first?.message}`
}

interface PassportUpdate {
  readonly metadata: Metadata
  readonly isDraft: boolean
  readonly changeReason: string | undefined
  /** undefined leaves the link, null detaches. */
  readonly facilityId: string | null | undefined
  readonly hasEnrichment: boolean
  readonly enrichment: unknown
}

function parseUpdate(body: unknown): PassportUpdate {
  if (!isRecord(body)) throw badRequest('Request body must be a valid JSON object')
  const { metadata, draft, changeReason, facilityId, enrichment } = body
  if (!isRecord(metadata)) throw badRequest('metadata is required and must be an object.')
  if (draft !== undefined && typeof draft !== 'boolean') throw badRequest('draft must be true or false.')
  if (changeReason !== undefined && changeReason !== null && typeof changeReason !== 'string') {
    throw badRequest('changeReason must be a text.')
  }
  if (facilityId !== undefined && facilityId !== null && typeof facilityId !== 'string') {
    throw badRequest('facilityId must be a UUID, or null to detach.', 'FACILITY_NOT_FOUND')
  }
  return {
    metadata: metadata as Metadata,
    isDraft: draft === true,
    changeReason: changeReason?.trim() ? changeReason.trim() : undefined,
    facilityId: facilityId === '' ? null : facilityId,
    hasEnrichment: Object.hasOwn(body, 'enrichment'),
    enrichment,
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

// A page number of thirty digits is still a number; it must not become a fraction or Infinity in SQL.
const clamp = (digits: string, low: number, high: number) => Math.min(high, Math.max(low, Number(digits)))
