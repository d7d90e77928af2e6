import type { Cradle } from '../cradle.ts'
import type { Remark } from '../domain/advisories.ts'
import { credentialBlocker } from '../domain/credential-country.ts'
import { type Identifier, trimmedProductId } from '../domain/identifiers.ts'
import type { Metadata } from '../domain/metadata.ts'
import { assertPlainKeys } from '../domain/metadata-rules.ts'
import type { Principal } from '../domain/principal.ts'
import { orProblem, Problem } from '../domain/problem.ts'
import type { Content, Schema } from '../domain/schema.ts'
import type { Transaction, WriteScope } from '../storage/transaction.ts'
import { inAttempts, ownScope } from '../storage/unit-of-work.ts'
import { asRefusal } from '../workspaces/company-prefixes.ts'
import { sanitiseEnrichment } from './enrichment.ts'
import { DUPLICATE, newRow } from './new-passport.ts'
import { findNamed } from './passport-catalogue.ts'
import { loadMasterData } from './passport-master-data.ts'
import { withIdentifier } from './passport-rules.ts'
import { isTaken, type NewPassport } from './passport-writes.ts'
import type { PublicDocument } from './publish-state.ts'

type Services = Pick<
  Cradle,
  'config' | 'database' | 'passportRules' | 'quota' | 'passportChange' | 'sharedAddresses' | 'translator'
>

interface Creation {
  readonly principal: Principal
  readonly lang: string
  readonly isDraft: boolean
  readonly productId: string
  readonly identifier: Identifier | undefined
  readonly metadata: Metadata
  readonly metadataText: string
  readonly enrichment: Schema<'NewPassport'>['enrichment']
  readonly operatorId: string | null
  readonly facilityId: string | null
  readonly copied: string | undefined
  /** Warnings, or the rejection, reported after the operator check. */
  readonly verdict: ReturnType<Cradle['passportRules']['warnings']> | Problem
}

type Created = Content<'PassportCreated'>

/** Specification 4.1. */
export function createPassport(services: Services) {
  const creations = services.database.shared<Creation, Created>((tx, some) => createIn(services, tx, some))
  return async (
    principal: Principal,
    input: Schema<'NewPassport'>,
    lang: string,
    scope: WriteScope = ownScope(services.database, principal.tenantId),
  ): Promise<Created> => {
    const creation = await withSharedAddress(services, prepared(services, principal, input, lang))
    try {
      return await inAttempts(['gone'], () => scope.share(creations, creation))
    } catch (error) {
      throw isTaken(error, 'product') ? await duplicate(services, principal, creation) : asRefusal(error)
    }
  }
}

async function duplicate(
  { config, database }: Services,
  principal: Principal,
  { productId, operatorId }: Creation,
): Promise<Problem> {
  const named = await findNamed(database.forTenant(principal.tenantId), principal, 'product_id', productId, 'bound')
  const [there] = named.filter((one) => operatorId === null || one.operatorId === operatorId.toLowerCase())
  const existing = there && { id: there.id, url: `${config.baseUrl}/passport/${there.id}` }
  return new Problem(409, DUPLICATE, { title: 'Conflict', code: 'PASSPORT_DUPLICATE', extra: { existing } })
}

async function withSharedAddress({ sharedAddresses }: Services, creation: Creation): Promise<Creation> {
  const { principal, identifier, verdict, lang } = creation
  if (identifier === undefined || verdict instanceof Problem) return creation
  return {
    ...creation,
    verdict: [...verdict, ...(await sharedAddresses.warnings(principal.tenantId, identifier, lang))],
  }
}

/** @throws Problem 400 */
function prepared(
  { passportRules }: Services,
  principal: Principal,
  input: Schema<'NewPassport'>,
  lang: string,
): Creation {
  const isDraft = input.draft === true
  const productId = trimmedProductId(input.productId)
  const identifier = isDraft ? undefined : passportRules.identify(productId)
  assertPlainKeys(input.metadata)
  const { metadata, copied } = withIdentifier(input.metadata, identifier)
  const verdict = orProblem(() => {
    if (isDraft) return []
    passportRules.assertValid(metadata, identifier, lang, { parts: {} })
    return passportRules.warnings(metadata, identifier, lang)
  })
  return {
    ...{ principal, lang, isDraft, productId, identifier, metadata, copied, verdict },
    metadataText: JSON.stringify(metadata),
    enrichment: input.enrichment,
    operatorId: input.operatorId ?? null,
    facilityId: input.facilityId ?? null,
  }
}

/** Rejects a creation for a missing operator, facility or capacity, or invalid metadata. */
async function createIn(
  services: Services,
  tx: Transaction,
  creations: readonly Creation[],
): Promise<(Created | Problem)[]> {
  const published = creations.find(({ isDraft }) => !isDraft)
  const [masters, remaining] = await Promise.all([
    loadMasterData(
      tx,
      creations.flatMap(({ principal, operatorId }) => [principal.operatorId, operatorId]),
      creations.map(({ facilityId }) => facilityId),
    ),
    published && services.quota.readRemaining(tx, published.principal),
  ])
  let added = 0
  const rowOf = ({ principal, isDraft, productId, metadata, metadataText, verdict, ...creation }: Creation) => {
    const operator = masters.operatorFor(principal, creation.operatorId)
    const facility = masters.facilityFor(principal, creation.facilityId)
    if (verdict instanceof Problem) throw verdict
    if (!isDraft) remaining?.assert(added)
    const enrichment = sanitiseEnrichment(creation.enrichment)
    const status = isDraft ? 'DRAFT' : 'ACTIVE'
    const row = newRow(principal, { productId, metadata, enrichment, operator, facility, status }, metadataText)
    if (!isDraft) added += 1
    return row
  }
  const rows = creations.map((creation) => orProblem(() => rowOf(creation)))
  const good = rows.filter((row): row is NewPassport => !(row instanceof Problem))
  const documents = (await services.passportChange.add(tx, good, 'passport.ingested')).values()
  return creations.map((creation, index) => {
    const row = rows[index] as NewPassport | Problem
    if (row instanceof Problem) return row
    return answerOf(services, creation, row, documents.next().value as PublicDocument)
  })
}

function answerOf(
  { translator }: Services,
  { lang, isDraft, operatorId, copied, verdict }: Creation,
  row: NewPassport,
  passport: PublicDocument,
): Created {
  const remarks: (Remark | undefined)[] = [
    operatorId === null
      ? { code: 'OPERATOR_AUTO_ATTRIBUTED', path: 'operatorId', params: { operator: row.operator.name } }
      : undefined,
    copied === undefined ? undefined : { code: 'GTIN_AUTO_COPIED', path: copied, params: { field: copied } },
  ]
  const notices = remarks.filter((remark) => remark !== undefined)
  const blocker = credentialBlocker(row.facility)
  return {
    message: isDraft ? 'Draft passport saved' : 'Digital Product Passport successfully validated and ingested',
    passport,
    warnings: verdict instanceof Problem ? [] : verdict,
    notices: notices.map((remark) => translator.advisory(remark, lang)),
    vcReady: blocker === undefined,
    vcReadyReason: blocker ?? null,
  }
}
