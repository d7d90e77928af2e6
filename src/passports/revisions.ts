import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import { assertMatch, type IfMatch } from '../domain/precondition.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { conflict } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import { answerOf, keyOf, whileBusy } from '../seals/seals.ts'
import { currentKey } from '../seals/tenant-keys.ts'
import type { WriteScope } from '../storage/transaction.ts'
import { asRefusal } from '../workspaces/company-prefixes.ts'
import { noPassport } from './absent.ts'
import { facilityAfter, holdFacility, keepFacility } from './passport-master-data.ts'
import { withIdentifier } from './passport-rules.ts'
import { afterUpdate, contentAfter, validationOptionsOf } from './passports.ts'
import type { Changed } from './publish-state.ts'

declare module '../cradle.ts' {
  interface Cradle {
    revisions: ReturnType<typeof revisions>
  }
}

export default function revisions({
  passportRows,
  config,
  passportChange,
  passportLocks,
  passportRules,
  quota,
  seals,
}: Cradle) {
  return { revise }

  /**
   * Corrects a sealed passport by the rules of an update. Signs before the transaction, which checks that nothing changed. The transaction
   * of an `Idempotency-Key` stays open meanwhile, but locks nothing else.
   * @throws Problem 404; 403 for another operator's; 409 if unsealed, or edited repeatedly; 412; 400, 402 as an update
   */
  async function revise(
    principal: Principal,
    id: string,
    input: Schema<'PassportRevision'>,
    lang: string,
    scope: WriteScope,
    ifMatch?: IfMatch,
  ): Promise<Content<'PassportSealed'>> {
    const until = performance.now() + config.bounds.timestampTimeout
    try {
      const revised = await whileBusy(['gone', 'changed'], () =>
        reviseOnce(principal, id, input, { lang, until, scope, ifMatch }),
      )
      return answerOf(revised, 'The passport is revised and re-sealed; the previous version is in its history.')
    } catch (error) {
      throw asRefusal(error)
    }
  }

  /** @throws DatabaseError `changed` or `gone`, see `isLost` */
  async function reviseOnce(
    principal: Principal,
    id: string,
    { metadata: given, changeReason, facilityId: named, enrichment }: Schema<'PassportRevision'>,
    {
      lang,
      until,
      scope,
      ifMatch,
    }: { readonly lang: string; readonly until: number; readonly scope: WriteScope; readonly ifMatch: IfMatch },
  ): Promise<Changed> {
    assertPlainKeys(given)
    const facilityId = named?.toLowerCase() ?? named
    const [before, held, key] = await Promise.all([
      isUuid(id) ? passportRows.load(scope.session, id) : undefined,
      facilityId ? holdFacility(scope.session, principal, facilityId) : undefined,
      currentKey(scope.session),
    ])
    // Only the workspace that issued a passport may seal it.
    if (before?.tenantId !== principal.tenantId) throw noPassport(id)
    assertOperatorScope(principal, before.operatorId)
    if (before.seal === null) {
      throw conflict(
        'This passport is not sealed. Update it with PUT /api/v1/passports/{id}, then seal it.',
        'PASSPORT_NOT_SEALED',
      )
    }
    assertMatch(ifMatch, before.version)
    const isPublished = before.status === 'DRAFT'
    const identifier = passportRules.identify(before.productId)
    const metadata = isPublished ? withIdentifier(given, identifier).metadata : given
    passportRules.assertValid(metadata, identifier, lang, validationOptionsOf(before))
    const facility = await facilityAfter(scope.session, principal, before, { facilityId, held, isPublished })
    const { status, events } = afterUpdate(before.status, false)
    const to = { ...contentAfter(metadata, enrichment), facility, status }
    const seal = await seals.make({ ...before, ...to }, keyOf(key), until)
    return scope.transaction(async (tx) => {
      if (held !== undefined) keepFacility(tx, principal, held.id)
      passportLocks.hold(tx, before)
      if (isPublished) (await quota.readRemaining(tx, principal)).assert()
      return passportChange.apply(tx, principal, before, {
        to,
        reason: changeReason,
        at: new Date(seal.seal.createdAt),
        seal,
        events: [...events, 'passport.sealed'],
      })
    })
  }
}
