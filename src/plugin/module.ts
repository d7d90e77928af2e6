/** Published entry `dpp-gateway/plugin/module`. */

import type { Cradle } from '../cradle.ts'

export { AUDIT_ACTIONS, PLATFORM, READ_ACTIONS, recordAudit, recordAudits } from '../audit/audit-statements.ts'
export { pixelsOf } from '../carriers/carriers.ts'
export { type CarrierContent, fileNameOf, type Gs1Element, passportContent, unitContent } from '../carriers/content.ts'
export {
  type Encode,
  encoderOf,
  LEAST_MODULE_MM,
  MAX_MODULE_MM,
  type Matrix,
  modulesAcross,
} from '../carriers/matrix.ts'
export { drawPng } from '../carriers/png.ts'
export { drawSvg, plain } from '../carriers/svg.ts'
export { schemaAddress } from '../categories/category-validator.ts'
export { default as descriptions } from '../categories/descriptions.ts'
export { ofChoice } from '../categories/schema-issues.ts'
export { placeIn } from '../credentials/status-list-statements.ts'
export { AAS_CLASSES, type Member, modelTypeOf } from '../domain/aas-classes.ts'
export { type AasXmlVersion, aasXmlAround, aasXmlOf } from '../domain/aas-xml.ts'
export type { Remark } from '../domain/advisories.ts'
export {
  type Audiences,
  audienceOf,
  GRANTED_AUDIENCES,
  type GrantedAudience,
  isOpenTo,
  MEASURED,
  opensTo,
  type Reader,
} from '../domain/audience.ts'
export { batchNumberOf, NO_BATCH_NUMBER } from '../domain/batch.ts'
export { isColour, isReadable, readable } from '../domain/colour.ts'
export { COUNTRY_CODES } from '../domain/countries.ts'
export { csvLine, rearmed } from '../domain/csv-line.ts'
export { momentOf } from '../domain/dates.ts'
export { type Due, ENTRY, keyOf, propertiesOf } from '../domain/field.ts'
export { followUrl, grantUrl, parseExpiry, requestState, subjectUrl } from '../domain/grants.ts'
export { isIdentifierScheme } from '../domain/identifier-schemes.ts'
export {
  checkDigitOf,
  correctedNumber,
  digitalLinkUri,
  encodeSegment,
  GTIN_LENGTHS,
  isAnyGrai,
  isGtin14,
  isUuid,
  MAX_PRODUCT_ID_CHARACTERS,
  mod10Valid,
  paddedGtin,
} from '../domain/identifiers.ts'
export type { Journey, JourneyPlace, JourneyStep, Stage } from '../domain/journey.ts'
export {
  assertCleanText,
  BODY_LIMITS,
  isExactNumber,
  JsonSyntaxError,
  MAX_KEY_CHARACTERS,
  parseGuardedJson,
  parseGuardedJsonYielding,
} from '../domain/json-guard.ts'
export { KeyedSemaphore } from '../domain/keyed-semaphore.ts'
export { actsAskingFor, isActList, type KeyBasis, keyBases, LEGAL_BASIS } from '../domain/legal-basis.ts'
export { mailAddress } from '../domain/mail.ts'
export { memoize } from '../domain/memoize.ts'
export { byCodeUnit, rootOf, type SealedLeaf } from '../domain/merkle.ts'
export { assertPlainKeys, identifierRules } from '../domain/metadata-rules.ts'
export { negotiate } from '../domain/negotiate.ts'
export { once } from '../domain/once.ts'
export { isOwnAddress } from '../domain/own-address.ts'
export { clamped, type PageQuery, pageOf } from '../domain/paging.ts'
export { statesOtherLevel } from '../domain/passport-document.ts'
export { permissionsOf as rolePermissions } from '../domain/permissions.ts'
export {
  assertNotSuspended,
  assertOperatorScope,
  assertPermission,
  assertWholeWorkspace,
  lacksPermission,
  type Principal,
} from '../domain/principal.ts'
export { badRequest, conflict, forbidden, type IssueText, unavailable } from '../domain/problem.ts'
export { kindKeyOf, kindOf } from '../domain/product-kind.ts'
export { isPublicAddress, whyNotPublicUrl } from '../domain/public-address.ts'
export { buildProof, verifySealSignature } from '../domain/seal.ts'
export { usableText } from '../domain/text.ts'
export { yearsAfter } from '../domain/transitions.ts'
export type { UnitOutline } from '../domain/unit.ts'
export { nearestOf } from '../domain/unknown-keys.ts'
export type { SealSubject } from '../domain/view.ts'
export { derivedUuid } from '../domain/webhooks.ts'
export { ZipPieces } from '../domain/zip-pieces.ts'
export { AccessGrant } from '../grants/entities.ts'
export { grantForm } from '../grants/grant-statements.ts'
export { takesBrotli } from '../http/encoding.ts'
export type { Handler, IdempotentHandler, PublicHandler } from '../http/handler.ts'
export { searchResult, sharedPageResult } from '../http/page-result.ts'
export { matches, pageHeaders } from '../http/rendition-response.ts'
export { firstOf } from '../http/request.ts'
export { boundTo } from '../operators/bindings.ts'
export { ANYWHERE, Outgoing } from '../outside/http-client.ts'
export { noPassport } from '../passports/absent.ts'
export { INGEST_RACES, isGood, type ValidatedRow } from '../passports/ingest-passports.ts'
export type { ListedRow } from '../passports/listed-passports.ts'
export { type CatalogueFilters, KEEP_PLAN, passportsAfter } from '../passports/passport-catalogue.ts'
export type { PassportRow } from '../passports/passport-columns.ts'
export { validationMessage } from '../passports/passport-rules.ts'
export { publishJourney } from '../passports/passport-writes.ts'
export { readerOfLists } from '../passports/passports.ts'
export { default as passportViews } from '../renditions/passport-views.ts'
export { etagOf } from '../renditions/rendition.ts'
export type { LevelRecords } from '../renditions/subject-views.ts'
export { default as translator } from '../renditions/translator.ts'
export { CANDIDATE_COLUMNS, type Candidate, candidatesByKey, type Match } from '../resolution/candidates.ts'
export type { RenditionResult } from '../resolution/rendition-result.ts'
export { selectServed } from '../resolution/served-passports.ts'
export { type Caller, seesOwnerTier } from '../resolution/viewer.ts'
export { loadOrCreateSecret } from '../start/master-key.ts'
export { ConfigError, isLoopback, type Variables, withoutFinalSlashes } from '../start/variables.ts'
export type { Database } from '../storage/database.ts'
export type { Row } from '../storage/row.ts'
export { iso, type Session, type Statement } from '../storage/statement.ts'
export type { Transaction, WriteScope } from '../storage/transaction.ts'
export { inAttempts, isLost, ownScope } from '../storage/unit-of-work.ts'
export type { Attributes, TraceSpan, Tracing } from '../telemetry/current.ts'
export {
  findPassportOfUnits,
  holdPassportOfUnits,
  loadUnit,
  PASSPORT_BY_NAME,
  PASSPORT_ORDER,
  type PassportName,
  type PassportOfUnits,
  type UnitRow,
  valuesOfPassportName,
} from '../units/unit-statements.ts'
export { noUnit, selectPassport, toPassportName } from '../units/units.ts'
export { examineDataIntegrity } from '../verify/data-integrity.ts'
export { verify } from '../verify/index.ts'
export { isSecured } from '../verify/parsed-credential.ts'
export { concludeSeal, examineSeal } from '../verify/seal.ts'
export { SIGNING_CERTIFICATE, SIGNING_CERTIFICATE_V2, TIME_STAMPING } from '../verify/timestamp.ts'
export { expectUnclaimed } from '../workspaces/company-prefix-statements.ts'
export { refuse as refuseClaimedPrefix } from '../workspaces/company-prefixes.ts'
export { allWorkspaces, deleteWorkspace } from '../workspaces/credential-statements.ts'
export { describeCaller } from '../workspaces/describe-caller.ts'
export { ApiKey, Workspace } from '../workspaces/entities.ts'
export { storageRefusal } from '../workspaces/quota.ts'
export { COMMON_SCHEMA } from './common-schema.ts'
export type { DemoContent, ModuleSettings, Schedule, TracingServices } from './contracts.ts'
export { loadContexts, loadPlugins } from './loader.ts'
export { UNIT_SCHEMA } from './unit-schema.ts'

/** Services of the gateway that a module may inject. */
export type ModuleCradle = Pick<
  Cradle,
  | 'accessAudit'
  | 'auditTrail'
  | 'boss'
  | 'candidateSearch'
  | 'carriers'
  | 'categoryValidator'
  | 'companyPrefixes'
  | 'compressedPages'
  | 'config'
  | 'contract'
  | 'database'
  | 'descriptions'
  | 'facilities'
  | 'gatewayPages'
  | 'grantRequests'
  | 'grants'
  | 'identity'
  | 'issuers'
  | 'log'
  | 'moduleHooks'
  | 'operators'
  | 'outbox'
  | 'passportChange'
  | 'passportHistory'
  | 'passportImport'
  | 'passportIntake'
  | 'passportLocks'
  | 'passportRows'
  | 'passportRules'
  | 'passportViews'
  | 'passports'
  | 'plugins'
  | 'protectedReadAudit'
  | 'publicCache'
  | 'renditions'
  | 'renditionStore'
  | 'resolution'
  | 'revisions'
  | 'sealCa'
  | 'seals'
  | 'secretBox'
  | 'signer'
  | 'statusLists'
  | 'translator'
  | 'unitEvents'
  | 'unitViews'
  | 'units'
  | 'vocabulary'
  | 'webhookDeliveries'
  | 'webhooks'
  | 'workspaces'
>
