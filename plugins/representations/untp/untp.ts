import {
  COMPOSITIONS,
  type Credential,
  compositionOf,
  credentialBlocker,
  dictionary,
  isRecord,
  type JsonRecord,
  localTextsOf,
  notAcceptable,
  type PassportView,
  type SigningContext,
  textFor,
  textIn,
  type UnitView,
} from '../../../src/plugin/index.ts'
import { claimsIn } from './claims.ts'
import type { PassportMaterial, UntpInput } from './input.ts'
import { untp061 } from './untp-0.6.1.ts'
import { untp070 } from './untp-0.7.0.ts'

const VERSIONS = dictionary<(input: UntpInput) => Credential>({
  'untp-0.7.0': untp070,
  'untp-0.6.1': untp061,
})

/** Profiles of the credential media types; the first is the default. */
export const UNTP_PROFILES = ['untp-0.7.0', 'untp-0.6.1'] as const

type Signing = Pick<SigningContext, 'profile' | 'signing' | 'describe'>

/**
 * Returns the passport as a UNTP Digital Product Passport of granularity `model`. Masked values are omitted and origins are never guessed.
 * @throws Problem 406 for a draft, or without a facility in an ISO 3166-1 country (the country of production)
 */
export const productPassportCredential = (view: PassportView, context: Signing): Promise<Credential> =>
  credentialAbout(view, context, (name) => ({
    subject: {
      granularity: 'model',
      credentialId: credentialUrl(view),
      url: passportUrl(view),
      digitalLinkUri: view.digitalLinkUri,
      title: titleOf(name),
      updatedAt: view.updatedAt,
    },
    materials: materialsOf(view.metadata),
    claims: claimsIn(view, context.describe(view.metadata.category)),
    characteristics: characteristicsOf(view),
  }))

/**
 * Returns one unit as a UNTP Digital Product Passport of granularity `item`. Materials, claims and characteristics are in the model's
 * credential, linked by `typePassportCredential`. Telemetry is excluded: it changes without a new version, and signed credentials are
 * stored.
 * @throws Problem 406 as {@link productPassportCredential}
 */
export const unitCredential = (unit: UnitView, context: Signing): Promise<Credential> =>
  credentialAbout(unit.ofModel, context, (name) => ({
    subject: {
      granularity: 'item',
      credentialId: `${unit.baseUrl}/credentials/unit/${unit.id}`,
      url: `${unit.baseUrl}/unit/${unit.id}`,
      digitalLinkUri: unit.digitalLinkUri,
      title: `${titleOf(name)} (unit ${unit.serialNumber})`,
      // Includes product changes. ISO 8601 in UTC sorts as text.
      updatedAt: unit.updatedAt > unit.ofModel.updatedAt ? unit.updatedAt : unit.ofModel.updatedAt,
      serialNumber: unit.serialNumber,
      // The schemas reject years of more than four digits.
      productionDate: /^\d{4}-\d{2}-\d{2}/.exec(unit.manufacturedAt ?? '')?.[0],
    },
    materials: [],
    claims: [],
    characteristics: unitCharacteristics(unit),
  }))

async function credentialAbout(
  view: PassportView,
  { profile, signing: { issuer, statusPlace } }: Signing,
  make: (name: string) => Pick<UntpInput, 'subject' | 'materials' | 'claims' | 'characteristics'>,
): Promise<Credential> {
  const version = VERSIONS[profile]
  if (version === undefined) throw notAcceptable(`Unknown profile ${profile}. Supported: ${UNTP_PROFILES.join(', ')}.`)
  if (view.status === 'DRAFT') throw notAcceptable('A draft cannot be a credential. Publish it first.')
  const blocker = credentialBlocker(view.facility)
  if (view.facility === null || blocker !== undefined) throw notAcceptable(blocker as string)
  // The schemas allow one language, and readers vary.
  const name = textFor(view.metadata.productName, []) ?? view.productId
  return version({
    view,
    issuer,
    statusPlace: await statusPlace(),
    facility: view.facility,
    name,
    category: textIn(view.metadata, 'category') ?? 'unknown',
    ...make(name),
  })
}

const titleOf = (name: string) => `Digital Product Passport – ${name}`
const passportUrl = ({ baseUrl, id }: PassportView) => `${baseUrl}/passport/${id}`
const credentialUrl = ({ baseUrl, id }: PassportView) => `${baseUrl}/credentials/${id}`

const materialsOf = (metadata: PassportView['metadata']): PassportMaterial[] =>
  COMPOSITIONS.flatMap((key) => compositionOf(metadata[key], key) ?? []).map((part) => ({
    name: part.name,
    originCountry: part.countryOfOrigin,
    massFraction: fraction(part.percentage),
    recycledMassFraction: fraction(part.recycledPercentage),
  }))

const fraction = (percentage: number | undefined) =>
  percentage === undefined ? undefined : Number((percentage / 100).toPrecision(12))

function characteristicsOf({ metadata, maskedKeys, status }: PassportView): Record<string, unknown> {
  const characteristics = asJsonLd(metadata, new Set([...maskedKeys, 'category']))
  characteristics.status = status
  return characteristics
}

function unitCharacteristics(unit: UnitView): Record<string, unknown> {
  const { ofModel, repurposedFrom, successorUnits } = unit
  return {
    status: unit.status,
    ...(repurposedFrom === null ? {} : { repurposedFrom: repurposedFrom.digitalLinkUri }),
    ...(successorUnits.length === 0 ? {} : { successorUnits: successorUnits.map((other) => other.digitalLinkUri) }),
    typePassport: passportUrl(ofModel),
    typePassportCredential: credentialUrl(ofModel),
    // A product recall is not part of the unit's status, but holders of the unit must see it.
    typePassportStatus: ofModel.status,
  }
}

/**
 * Adapts JSON metadata to JSON-LD: keys that clash with keywords or typed terms, or are invalid in IRIs, are percent-encoded with prefix
 * `dpp:`.
 */
function asJsonLd(value: JsonRecord, without?: ReadonlySet<string>): Record<string, unknown> {
  const adapted: Record<string, unknown> = {}
  for (const key of Object.keys(value)) {
    if (without?.has(key)) continue
    adapted[isTerm(key) ? `dpp:${encodeURIComponent(key)}` : key] = jsonLdValue(value[key])
  }
  return adapted
}

function jsonLdValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(jsonLdValue)
  const texts = isRecord(value) ? localTextsOf(value) : undefined
  if (texts !== undefined) return texts.map(({ language, text }) => ({ '@value': text, '@language': language }))
  if (typeof value === 'object' && value !== null) return asJsonLd(value as Record<string, unknown>)
  return value
}

/** Keywords, and terms defined in the contexts of VC 2.0, UNTP and `/context/v1`. */
const TERMS = new Set([
  '__proto__',
  'id',
  'type',
  'issuingSoftware',
  'digestMultibase',
  'digestSRI',
  'mediaType',
  'digitalLinkUri',
  'verificationMethod',
  'manufacturedAt',
  'recordedAt',
  'ceasedAt',
  'payload',
  'links',
])
// The ASCII test is several times as fast, and most keys are ASCII.
const isName = (key: string) => /^[A-Za-z_][\w.-]*$/.test(key) || /^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key)
const isTerm = (key: string) => TERMS.has(key) || !isName(key)
