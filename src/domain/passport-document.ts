import { uniqueProductIdentifier } from './identifiers.ts'
import { localTextsOf } from './local-text.ts'
import { isGroup, type Json, type Metadata } from './metadata.ts'
import { hasKeyword } from './metadata-rules.ts'
import type { Schema } from './schema.ts'
import type { MediaView, PassportOutline, PassportView } from './view.ts'

type MetadataView = Pick<PassportView, 'metadata'>

const FIXED_TERMS = [
  'DigitalProductPassport',
  'economicOperator',
  'manufacturingFacility',
  'metadata',
  'digitalSeal',
  'signingPublicKey',
  'status',
  'archivedAt',
  'retentionUntil',
  'uniqueProductIdentifier',
] as const

/** Names that metadata must not override: it could forge a seal or status. */
const FIXED_FIELDS: ReadonlySet<string> = new Set([
  // Without the class.
  ...FIXED_TERMS.slice(1),
  'id',
  'productId',
  'digitalLinkUri',
  'proof',
  'createdAt',
  'updatedAt',
])

export const OWN_MEMBERS: ReadonlySet<string> = new Set(['@context', '@type', '@id', ...FIXED_FIELDS])

export const isOwnMember = (name: string) => name.startsWith('@') || FIXED_FIELDS.has(name)

/** True if the level is not the default, model (EN 18223, `granularity`). */
export const statesOtherLevel = ({ granularity = 'model' }: Metadata): boolean => granularity !== 'model'

export function passportDocument(stored: PassportView): Schema<'Passport'> {
  const view = withoutKeywords(stored)
  return repeating(assembled(view), view)
}

export function passportDocumentText(view: PassportView): string {
  const steps = passportDocumentSteps(view)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Yields between steps of some ten milliseconds for large metadata. */
export function* passportDocumentSteps(view: PassportView): Generator<void, string> {
  if (!isRepeatable(view.metadata)) return JSON.stringify(passportDocument(view))
  yield
  const document = assembled(view)
  yield
  const head = JSON.stringify(document)
  yield
  return spliced(head, JSON.stringify(view.metadata)).join('')
}

function assembled(view: PassportView) {
  const facility = view.facility
  return assemble(
    view,
    inlineTerms(view),
    view.seal === null ? null : view.seal.proof,
    { ...operatorReference(view), role: view.operator.role, contact: view.operator.contact ?? undefined },
    facility === null ? null : { '@type': 'Facility' as const, ...facility },
    additionsOf(view),
  )
}

/** Optional members, replaced by metadata keys of the same name. */
const ADDITIONS = ['granularity', 'availableUntil', 'links', 'media', 'recall', 'registration'] as const

function additionsOf({
  metadata,
  availableUntil,
  links,
  media,
  recall,
  registration,
}: PassportView): Pick<Schema<'Passport'>, (typeof ADDITIONS)[number]> {
  const isFree = (name: string) => !Object.hasOwn(metadata, name)
  const hasRecallText = recall !== null && (recall.reason ?? recall.contact ?? recall.url) !== null
  return {
    ...(isFree('granularity') ? { granularity: 'model' as const } : {}),
    ...(availableUntil !== undefined && isFree('availableUntil') ? { availableUntil } : {}),
    ...(links.length > 0 && isFree('links') ? { links: links.map((link) => ({ ...link })) } : {}),
    ...(media.length > 0 && isFree('media') ? { media: media.map(mediumDocument) } : {}),
    ...(hasRecallText && isFree('recall') ? { recall } : {}),
    ...(registration !== null && isFree('registration') ? { registration: { ...registration } } : {}),
  }
}

const mediumDocument = ({ bytes: _, sizes, ...medium }: MediaView): Schema<'Medium'> => ({
  ...medium,
  sizes: [...sizes],
})

/**
 * Shortened by specification 2.1 and 2.2.
 * @param metadata as the caller may see it; a text must satisfy {@link isRepeatable}
 */
export function passportListItem(outline: PassportOutline, metadata: Metadata | string): readonly string[] {
  const item = assemble(outline, {}, outline.seal === null ? null : {}, operatorReference(outline), null)
  if (typeof metadata === 'string') return spliced(JSON.stringify(item), metadata)
  const view = withoutKeywords({ metadata })
  return [JSON.stringify(repeating(item, view))]
}

/**
 * True if metadata members can be copied in order: no document members, JSON-LD keywords or integer keys (ECMAScript,
 * OrdinaryOwnPropertyKeys).
 */
export function isRepeatable(metadata: Metadata): boolean {
  for (const key in metadata) if (isOwnMember(key) || isIndex(key)) return false
  return !hasKeyword(metadata)
}

const isIndex = (key: string): boolean => {
  const code = key.charCodeAt(0)
  return code >= 0x30 && code <= 0x39 && String(Number(key)) === key
}

function spliced(head: string, metadataText: string): readonly string[] {
  if (metadataText === '{}') return [head]
  // Replaces the empty metadata at the end.
  return [head.slice(0, -EMPTY.length), metadataText, ',', metadataText.slice(1)]
}
const EMPTY = '{}}'

/**
 * Removes JSON-LD keywords (1.1, 1.7): `@context` could load a foreign address, `@id` or `@reverse` could describe another product. Older
 * data may have them.
 */
function withoutKeywords<View extends MetadataView>(view: View): View {
  return hasKeyword(view.metadata) ? { ...view, metadata: plain(view.metadata) as Metadata } : view
}

function plain(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  const members = Object.entries(value).filter(([key]) => !key.startsWith('@'))
  return Object.fromEntries(members.map(([key, inner]) => [key, plain(inner)]))
}

/** Builds the document in the order of the published samples; metadata comes last (specification 2.1). */
function assemble<Proof, Operator, Facility>(
  view: PassportOutline,
  terms: Terms,
  proof: Proof,
  economicOperator: Operator,
  manufacturingFacility: Facility,
  additions: object = {},
): Schema<'PassportCore'> & { proof: Proof; economicOperator: Operator; manufacturingFacility: Facility } {
  return {
    '@context': [`${view.baseUrl}/context/v1`, terms],
    '@type': 'DigitalProductPassport',
    '@id': view.digitalLinkUri,
    id: view.id,
    productId: view.productId,
    digitalLinkUri: view.digitalLinkUri,
    uniqueProductIdentifier: uniqueProductIdentifier(view.productId, view.digitalLinkUri),
    digitalSeal: view.seal?.signature ?? null,
    signingPublicKey: view.seal?.publicKeyPem ?? null,
    status: view.status,
    archivedAt: view.archivedAt,
    retentionUntil: view.retentionUntil,
    proof,
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    economicOperator,
    manufacturingFacility,
    ...additions,
    metadata: {},
  }
}

function repeating<Document extends object>(document: Document, { metadata }: MetadataView): Document {
  const repeated: Record<string, unknown> = { ...document, metadata }
  for (const [key, value] of flattened({ metadata })) repeated[key] = value
  return repeated as Document
}

function operatorReference({ operator }: PassportOutline): Schema<'OperatorInList'> {
  return { '@type': 'EconomicOperator', id: operator.id, name: operator.name, regId: operator.regId }
}

type Terms = Record<string, string | { readonly '@id': string; readonly '@container': '@language' }>

function inlineTerms(view: PassportView): Terms {
  const terms: Terms = {}
  for (const term of [...FIXED_TERMS, ...Object.keys(additionsOf(view))]) terms[term] = `${view.baseUrl}/ns/dpp#${term}`
  for (const [key, value] of flattened(view)) {
    // Keys with a colon or slash are not terms (JSON-LD 1.1 API, 4.2.2 step 14.2.5).
    if (key === '' || /[:/]/.test(key)) continue
    const iri = `${view.baseUrl}/context/v1#${encodeURIComponent(key)}`
    // Language map (JSON-LD 1.1, 4.6.3).
    terms[key] = isGroup(value) && localTextsOf(value) ? { '@id': iri, '@container': '@language' } : iri
  }
  return terms
}

function* flattened(view: MetadataView): Iterable<[string, Json]> {
  for (const [key, value] of Object.entries(view.metadata)) {
    if (!isOwnMember(key)) yield [key, value]
  }
}
