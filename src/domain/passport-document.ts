import { localTextsOf } from './local-text.ts'
import { isGroup, type Json, type Metadata } from './metadata.ts'
import { hasKeyword } from './metadata-rules.ts'
import type { Schema } from './schema.ts'
import type { MediaView, PassportOutline, PassportView } from './view.ts'

/** What a passport says. */
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
] as const

/** Fixed fields always win over a metadata key of the same name: otherwise metadata could forge a seal or a status. */
const FIXED_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'productId',
  'digitalLinkUri',
  'digitalSeal',
  'signingPublicKey',
  'status',
  'archivedAt',
  'retentionUntil',
  'proof',
  'createdAt',
  'updatedAt',
  'economicOperator',
  'manufacturingFacility',
  'metadata',
])

/** Every member that a document may have beside the repeated metadata keys. */
export const OWN_MEMBERS: ReadonlySet<string> = new Set(['@context', '@type', '@id', ...FIXED_FIELDS])

/** Whether this top-level member is the document's own, and no repeated metadata key. */
export const isOwnMember = (name: string) => name.startsWith('@') || FIXED_FIELDS.has(name)

/** Whether metadata say of their passport that it is not of a model, which it is where nothing is said (EN 18223, `granularity`). */
export const statesOtherLevel = ({ granularity = 'model' }: Metadata): boolean => granularity !== 'model'

/** The passport as JSON-LD, as the view's tier may see it. */
export function passportDocument(stored: PassportView): Schema<'Passport'> {
  const view = withoutKeywords(stored)
  return repeating(assembled(view), view)
}

/** The same as JSON text. What stands in it twice is written once. */
export function passportDocumentText(view: PassportView): string {
  const steps = passportDocumentSteps(view)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same in steps, each of which takes some ten milliseconds for large metadata. */
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

/** Members that a document has where something is said, and its metadata has no key of the name, which is repeated then. */
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
  const isSaid = recall !== null && (recall.reason ?? recall.contact ?? recall.url) !== null
  return {
    // A passport is of a model: its identifier names no batch and no item.
    ...(isFree('granularity') ? { granularity: 'model' as const } : {}),
    ...(availableUntil !== undefined && isFree('availableUntil') ? { availableUntil } : {}),
    ...(links.length > 0 && isFree('links') ? { links: links.map((link) => ({ ...link })) } : {}),
    ...(media.length > 0 && isFree('media') ? { media: media.map(mediumDocument) } : {}),
    ...(isSaid && isFree('recall') ? { recall } : {}),
    ...(registration !== null && isFree('registration') ? { registration: { ...registration } } : {}),
  }
}

/** A picture or a document as it stands in the document. */
export const mediumDocument = ({ bytes: _, sizes, ...medium }: MediaView): Schema<'Medium'> => ({
  ...medium,
  sizes: [...sizes],
})

/**
 * The pieces of a list item as JSON text: shorter as specification 2.1 and 2.2 say (no role, no facility, no terms, an empty proof).
 * @param metadata as the caller may see it; a text is taken as it is and must be of one that {@link isRepeatable}
 */
export function passportListItem(outline: PassportOutline, metadata: Metadata | string): readonly string[] {
  const item = assemble(outline, {}, outline.seal === null ? null : {}, operatorReference(outline), null)
  if (typeof metadata === 'string') return spliced(JSON.stringify(item), metadata)
  const view = withoutKeywords({ metadata })
  return [JSON.stringify(repeating(item, view))]
}

/**
 * Whether the members of the metadata may stand beside the document's own as they are, in their order: none of them is one
 * of those, speaks as JSON-LD, or is one that JavaScript moves to the front (ECMAScript, OrdinaryOwnPropertyKeys).
 */
export function isRepeatable(metadata: Metadata): boolean {
  for (const key in metadata) if (isOwnMember(key) || isIndex(key)) return false
  return !hasKeyword(metadata)
}

const isIndex = (key: string): boolean => {
  const code = key.charCodeAt(0)
  return code >= 0x30 && code <= 0x39 && String(Number(key)) === key
}

/** The pieces of the document, its metadata being this text; the members of the metadata are repeated behind it. */
function spliced(head: string, metadataText: string): readonly string[] {
  if (metadataText === '{}') return [head]
  // It ends with the empty metadata that stands in for it.
  return [head.slice(0, -EMPTY.length), metadataText, ',', metadataText.slice(1)]
}
const EMPTY = '{}}'

/**
 * No key of the metadata may speak as JSON-LD (1.1, 1.7): an `@context` would name another's address that readers load, an
 * `@id` or `@reverse` would say something of another's product. Writes refuse such keys; what is older is served without.
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

/** A document without its metadata, which comes last (specification 2.1), in the order of its published samples. */
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

/** The document with the metadata of the view, whose members are repeated behind it. */
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
    // A term with a colon or a slash must expand to itself (JSON-LD 1.1 API, 4.2.2 step 14.2.5), so such a key is no
    // term; it is left to the rules for compact IRIs.
    if (key === '' || /[:/]/.test(key)) continue
    const iri = `${view.baseUrl}/context/v1#${encodeURIComponent(key)}`
    // A language map is texts with a language, and not a thing with properties called `en` and `pl` (JSON-LD 1.1, 4.6.3).
    terms[key] = isGroup(value) && localTextsOf(value) ? { '@id': iri, '@container': '@language' } : iri
  }
  return terms
}

function* flattened(view: MetadataView): Iterable<[string, Json]> {
  for (const [key, value] of Object.entries(view.metadata)) {
    if (!isOwnMember(key)) yield [key, value]
  }
}
