import type { Cradle } from '../cradle.ts'
import { recallAfter, recallNotice } from '../domain/contact.ts'
import { COUNTRY_CODES } from '../domain/countries.ts'
import { credentialBlocker } from '../domain/credential-country.ts'
import { inEitherForm, isUuid } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { type PageQuery, pageOf } from '../domain/paging.ts'
import { passportListItem } from '../domain/passport-document.ts'
import { assertMatch, type IfMatch } from '../domain/precondition.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { badRequest, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { transition, yearsAfter } from '../domain/transitions.ts'
import type { PassportStatus } from '../domain/view.ts'
import type { Session } from '../storage/statement.ts'
import type { Transaction } from '../storage/transaction.ts'
import { inAttempts } from '../storage/unit-of-work.ts'
import { asRefusal } from '../workspaces/company-prefixes.ts'
import { noPassport } from './absent.ts'
import { sanitiseEnrichment } from './enrichment.ts'
import type { ListedRow } from './listed-passports.ts'
import { findNamed, listPassports, type Named, readReadiness } from './passport-catalogue.ts'
import { assertUnsealed } from './passport-change.ts'
import type { PassportRow } from './passport-columns.ts'
import type { Scope } from './passport-locks.ts'
import { facilityAfter, holdFacility } from './passport-master-data.ts'
import { withIdentifier } from './passport-rules.ts'

declare module '../cradle.ts' {
  interface Cradle {
    passports: ReturnType<typeof passports>
  }
}

/** Specification 4.1. */
export default function passports({
  config,
  database,
  moduleHooks,
  passportRules,
  quota,
  passportViews,
  passportChange,
  passportLocks,
  protectedReadAudit,
  sharedAddresses,
  translator,
}: Cradle) {
  return { list, vcReadiness, find, update, setStatus, deleteDraft }

  /** Returns a page, newest first; each passport as pieces of JSON text. `BRAND_OPERATOR` has the owner's view (specification 4.1). */
  async function list(
    principal: Principal,
    { category, originCountry, ...query }: PageQuery & { category?: string; originCountry?: string },
  ): Promise<{ readonly page: number; readonly limit: number; readonly passports: readonly (readonly string[])[] }> {
    const page = pageOf(query, { usual: 10, max: 100 })
    const rows = await listPassports(
      await database.reading(principal.tenantId),
      principal,
      { category, originCountry },
      page,
    )
    const reader = readerOfLists(principal)
    if (reader === 'owner') {
      const { tenantId, actor } = principal
      const auditedRead = {
        action: 'passport.listed',
        subjectId: tenantId,
        representation: 'list',
        audience: reader,
      } as const
      protectedReadAudit.record({ tenantId, actor, ...auditedRead })
    }
    const metadataOf = (row: ListedRow) =>
      reader === 'owner' && row.isRepeatable
        ? row.metadataText
        : passportViews.shown({ metadata: JSON.parse(row.metadataText) }, reader).metadata
    return {
      ...page,
      passports: rows.map((row) => passportListItem(passportViews.outline(row), metadataOf(row))),
    }
  }

  async function vcReadiness(principal: Principal, query: PageQuery): Promise<Content<'VcReadinessReport'>> {
    const page = pageOf(query, { usual: 100, max: 200 })
    const session = database.forTenant(principal.tenantId)
    const { ready, notReady, rows } = await readReadiness(session, principal, page, COUNTRY_CODES)
    return {
      ...page,
      total: ready + notReady,
      totalPages: Math.ceil((ready + notReady) / page.limit),
      ready,
      notReady,
      results: rows.map(({ id, product_id: productId, country }) => {
        const blocker = credentialBlocker(country === null ? null : { country })
        return { id, productId, vcReady: blocker === undefined, blockers: blocker === undefined ? [] : [blocker] }
      }),
    }
  }

  /** Finds a passport by UUID first, then by product id (trap 31). @throws Problem as {@link uniqueMatch} */
  async function find(
    principal: Principal,
    idOrProduct: string,
    scope: Scope,
    session: Session = database.forTenant(principal.tenantId),
  ): Promise<Named> {
    const [byId, byProduct] = await Promise.all([
      isUuid(idOrProduct) ? findNamed(session, principal, 'id', idOrProduct, scope) : [],
      inEitherForm(idOrProduct, (product) => findNamed(session, principal, 'product_id', product, scope)),
    ])
    const found = byId.length === 0 ? byProduct : byId
    return uniqueMatch(found, principal, ({ operatorId }) => operatorId)
  }

  async function update(
    principal: Principal,
    id: string,
    input: Schema<'PassportUpdate'>,
    lang: string,
    ifMatch?: IfMatch,
  ): Promise<Content<'PassportUpdated'>> {
    try {
      return await inAttempts(['gone'], () =>
        database.transaction(principal.tenantId, (tx) => updateIn(tx, principal, id, input, { lang, ifMatch })),
      )
    } catch (error) {
      const refusal = asRefusal(error)
      if (refusal instanceof Problem) throw refusal
      throw new Problem(500, 'Failed to update passport', { title: 'Internal Server Error', cause: error })
    }
  }

  async function updateIn(
    tx: Transaction,
    principal: Principal,
    id: string,
    {
      metadata: given,
      draft: isDraft = false,
      changeReason = 'API Update',
      facilityId: named,
      enrichment,
    }: Schema<'PassportUpdate'>,
    { lang, ifMatch }: { readonly lang: string; readonly ifMatch: IfMatch },
  ): Promise<Content<'PassportUpdated'>> {
    assertPlainKeys(given)
    const facilityId = named?.toLowerCase() ?? named
    const [held, before] = await Promise.all([
      facilityId ? holdFacility(tx, principal, facilityId) : undefined,
      passportLocks.lock(tx, principal, id, 'bound'),
    ])
    assertUnsealed(before)
    assertMatch(ifMatch, before.version)
    const wasDraft = before.status === 'DRAFT'
    const isPublished = wasDraft && !isDraft
    const identifier = isDraft ? undefined : passportRules.identify(before.productId)
    const metadata = isPublished ? withIdentifier(given, identifier).metadata : given
    if (!isDraft) passportRules.assertValid(metadata, identifier, lang, validationOptionsOf(before))
    const facility = await facilityAfter(tx, principal, before, { facilityId, held, isPublished })
    if (isPublished) (await quota.readRemaining(tx, principal)).assert()
    const { status, events } = afterUpdate(before.status, isDraft)
    const { document: passport } = await passportChange.apply(tx, principal, before, {
      to: { ...contentAfter(metadata, enrichment), facility, status },
      reason: changeReason,
      events,
    })
    if (isPublished) {
      moduleHooks.notify(tx, {
        type: 'passport.published',
        operatorId: before.operatorId,
        subjectId: before.id,
        message: `Passport ${before.productId} was published.`,
      })
    }
    const warnings = isDraft && !wasDraft ? [translator.advisory({ code: 'DRAFT_DEMOTED' }, lang)] : []
    if (isPublished && identifier !== undefined) {
      warnings.push(...(await sharedAddresses.warnings(principal.tenantId, identifier, lang)))
    }
    return {
      message: isPublished ? 'Draft published' : 'Digital Product Passport successfully updated and history versioned',
      passport,
      warnings: warnings.length === 0 ? undefined : warnings,
    }
  }

  async function setStatus(
    principal: Principal,
    idOrProduct: string,
    { status: requested, recall }: Schema<'StatusChange'>,
    ifMatch?: IfMatch,
  ): Promise<Content<'StatusChanged'>> {
    const notice = requested === 'RECALLED' ? recallNotice(recall ?? undefined) : undefined
    return database.transaction(principal.tenantId, async (tx) => {
      const { id } = await find(principal, idOrProduct, 'bound', tx)
      const before = await passportLocks.lock(tx, principal, id, 'bound')
      const status = transition(before.status, requested)
      assertMatch(ifMatch, before.version)
      // Archived passports are outside the quota.
      if (status === 'ACTIVE' && before.archivedAt !== null) (await quota.readRemaining(tx, principal)).assert()
      const at = new Date()
      const { document: passport } = await passportChange.apply(tx, principal, before, {
        to: {
          status,
          ...(status === 'ACTIVE' ? { retentionUntil: null, archivedAt: null } : {}),
          ...(status === 'DECOMMISSIONED'
            ? { retentionUntil: yearsAfter(at, config.retentionYears).toISOString() }
            : {}),
          ...(status === 'RECALLED' ? { recall: recallAfter(before.recall, notice, at) } : {}),
        },
        reason: `Status changed: ${before.status} → ${status}`,
        at,
        events: [status === 'RECALLED' ? 'passport.recalled' : 'passport.status_updated'],
      })
      moduleHooks.notify(tx, {
        type: 'passport.status_updated',
        operatorId: before.operatorId,
        subjectId: before.id,
        message: `Passport ${before.productId} is now ${status}.`,
      })
      return { message: `The passport is now ${status}.`, status, passport }
    })
  }

  async function deleteDraft(principal: Principal, id: string, ifMatch: IfMatch): Promise<void> {
    await database.transaction(principal.tenantId, (tx) => passportChange.removeDraft(tx, principal, id, ifMatch))
  }
}

/** Returns the audience of lists, histories and exports (specification 4.1, trap 19). */
export const readerOfLists = ({ role }: Principal): 'owner' | 'public' =>
  role === 'BRAND_OPERATOR' ? 'owner' : 'public'

/** Returns the only match within the caller's operator. @throws Problem 404; 403 for another operator's; 400 if several operators match */
export function uniqueMatch<T>(
  found: readonly T[],
  principal: Pick<Principal, 'operatorId'>,
  operatorOf: (passport: T) => string,
): T {
  const [first, second] = found.filter((passport) => {
    return principal.operatorId === null || operatorOf(passport) === principal.operatorId
  })
  if (first === undefined) {
    if (found[0] !== undefined) assertOperatorScope(principal, operatorOf(found[0]))
    throw noPassport()
  }
  if (second === undefined) return first
  throw badRequest(
    'Several operators have a passport for this product. Use the UUID of the passport.',
    'OPERATOR_AMBIGUOUS',
  )
}

export const validationOptionsOf = ({ parts }: PassportRow) => ({ withWarnings: false, parts })

export const contentAfter = (metadata: Metadata, enrichment: Schema<'PassportUpdate'>['enrichment']) => ({
  metadata,
  ...(enrichment === undefined ? {} : { enrichment: sanitiseEnrichment(enrichment) }),
})

/** Returns the status after an update and its events; drafts emit none. */
export function afterUpdate(before: PassportStatus, isDraft: boolean) {
  if (isDraft) return { status: 'DRAFT', events: [] } as const
  if (before === 'DRAFT') return { status: 'ACTIVE', events: ['passport.ingested'] } as const
  return { status: before, events: ['passport.updated'] } as const
}
