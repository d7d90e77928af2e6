/** Published entry `dpp-gateway/plugin`. */

export { inlineCode } from '../carriers/svg.ts'
export {
  type Credential,
  type CredentialContext,
  credentialTypeUrl,
  type StatusPlace,
  statusListUrl,
  tokenStatusListUrl,
} from '../credentials/credential.ts'
export { signDataIntegrity } from '../credentials/data-integrity.ts'
export { signVcJwt } from '../credentials/vc-jwt.ts'
export { aasXml } from '../domain/aas-xml.ts'
export { AASX_HEAD, aasxOrigin } from '../domain/aasx-parts.ts'
export { type Audience, type Tier, tierOf } from '../domain/audience.ts'
export type { BatchReference, BatchView } from '../domain/batch.ts'
export { batchDocument } from '../domain/batch-document.ts'
export {
  type CarbonFootprint,
  carbonFootprintOf,
  type FootprintBreakdown,
  type FootprintFigure,
  footprintFiguresOf,
} from '../domain/carbon-footprint.ts'
export { onDark } from '../domain/colour.ts'
export { COMPOSITIONS, compositionOf, type Part } from '../domain/composition.ts'
export { contactHref } from '../domain/contact.ts'
export { isCountryCode } from '../domain/countries.ts'
export { credentialBlocker } from '../domain/credential-country.ts'
export { type DerElement, readDerSequence } from '../domain/der.ts'
export { DOCUMENT_KEYS } from '../domain/documents.ts'
export type { Claim, Display, Field } from '../domain/field.ts'
export { SECTIONS } from '../domain/field.ts'
export { uniqueProductIdentifier } from '../domain/identifiers.ts'
export type { Issue } from '../domain/issue.ts'
export type { Issuer } from '../domain/issuer.ts'
export type { PublishedJourney } from '../domain/journey.ts'
export { ACTS } from '../domain/legal-basis.ts'
export {
  bestText,
  isLanguageTag,
  type LocalText,
  languageOfCountry,
  localTextsOf,
  textFor,
} from '../domain/local-text.ts'
export { type Enrichment, isGroup, type Json, type Metadata, textIn, type Words } from '../domain/metadata.ts'
export { sumsTo100 } from '../domain/metadata-rules.ts'
export { passportDocument, passportDocumentSteps, passportDocumentText } from '../domain/passport-document.ts'
export type { PassportPart } from '../domain/passport-part.ts'
export { notAcceptable, notFound, Problem } from '../domain/problem.ts'
export type { LevelViews, ProductLevel } from '../domain/product-level.ts'
export { defined, dictionary, isRecord, type JsonRecord } from '../domain/record.ts'
export { beginningOf } from '../domain/text.ts'
export {
  type CeasedUnitView,
  type Condition,
  type ConditionValue,
  isBattery,
  type KeptCondition,
  LEGAL_STATUSES,
  type LegalStatus,
  type StatusChange,
  UNIT_EVENT_TYPES,
  UNIT_STATUSES,
  type UnitEventType,
  type UnitMeasures,
  type UnitRecord,
  type UnitReference,
  type UnitState,
  type UnitStatus,
  type UnitView,
} from '../domain/unit.ts'
export { ceasedUnitDocument, unitDocument, unitDocumentSteps } from '../domain/unit-document.ts'
export type * from '../domain/view.ts'
export { REDACTED } from '../domain/view.ts'
export { mapYielding, runYielding, yieldTurn } from '../domain/yielding.ts'
export type * from './contracts.ts'
export type {
  Block,
  Entry,
  OperationRow,
  Piece,
  ReferenceView,
  Words as ReferenceWords,
} from './reference-view.ts'
export { CONDITION_FIELDS } from './unit-schema.ts'
export { WorkThread } from './work-thread.ts'
