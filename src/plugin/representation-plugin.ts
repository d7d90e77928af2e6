import type { CredentialContext } from '../credentials/credential.ts'
import type { Field } from '../domain/field.ts'
import type { AccessRequest, RequestState } from '../domain/grants.ts'
import type { Issue } from '../domain/issue.ts'
import type { Json, Metadata } from '../domain/metadata.ts'
import type { Problem } from '../domain/problem.ts'
import type { LevelViews } from '../domain/product-level.ts'
import type { JsonRecord } from '../domain/record.ts'
import type { CeasedUnitView, UnitView } from '../domain/unit.ts'
import type { PassportStatus, PassportView, VersionView } from '../domain/view.ts'
import type { ReferenceView } from './reference-view.ts'

/** Response format of a passport. */
export type RepresentationPlugin = PlainRepresentation | SignedRepresentation

interface Representation {
  readonly kind: 'representation'
  readonly name: string
  /** Content-Type, followed by accepted aliases. */
  readonly mediaTypes: readonly [string, ...string[]]
  /** Preference among equally accepted or signed formats, lowest first (default: last). */
  readonly rank?: number
  /** File extension without a dot (default: the format's name). */
  readonly extension?: string
  /** Body schema (default: object for JSON, else text or bytes). */
  readonly schema?: JsonRecord
  readonly unitSchema?: JsonRecord
  /** Renders an error for people. */
  renderProblem?(problem: Problem, context: RenderContext, requested: RequestedResource): Rendered
  /** Renders a page of the gateway. */
  renderPage?<Name extends keyof Pages>(name: Name, data: Pages[Name], context: RenderContext): Rendered
  /** Renders the choice between several passports at one address, in order. */
  renderChoices?(choices: readonly PassportChoice[], context: RenderContext): Rendered
  /** Renders the form at `/request-access`, and its result. */
  renderAccessRequest?(page: AccessRequestView, context: RenderContext): Rendered
  /** Renders the status page at `/request-access/{reference}`. */
  renderAccessStatus?(page: AccessStatusView, context: RenderContext): Rendered
  /** Renders a unit whose material was recycled. */
  renderCeasedUnit?(view: CeasedUnitView, context: RenderContext): Rendered
  /** Parses arbitrary JSON of an ingested document. Invalid values become issues. Throws Problem 400 for another format. */
  parse?(document: unknown, context: ParseContext): ParsedPassport
}

/** Requested resource that was not found. */
export interface RequestedResource {
  /** `passport` includes units. */
  readonly kind: 'passport' | 'page'
  /** Requested key or path, unescaped and truncated. */
  readonly text: string
  /** Key with the correct check digit, if only that was wrong. */
  readonly corrected?: string
}

export interface Pages {
  readonly door: DoorView
  readonly reference: ReferenceView
  readonly verifier: VerifierView
  readonly vocabulary: VocabularyView
}

/** Page to find a passport, or to request access. */
export interface DoorView {
  readonly purpose: 'open' | 'access'
  /** Host name of this gateway. */
  readonly host: string
  readonly demoPath?: string
  /** Rejected input. */
  readonly sought?: string
  readonly problem?: 'absent' | 'checkDigit' | 'empty' | 'link' | 'long'
  readonly corrected?: string
}

/** Page that verifies documents in the browser. */
export interface VerifierView {
  readonly script: string
}

/** Common terms, and those of category schemas. */
export interface VocabularyView {
  readonly namespace: string
  readonly terms: readonly Term[]
  readonly categories: readonly { readonly category: string; readonly terms: readonly Term[] }[]
}
export type Term = readonly [term: string, text: string]

/** One of several passports of a product. */
export interface PassportChoice {
  readonly href: string
  readonly company: string
  /** ISO 3166-1 alpha-2; null if unknown. */
  readonly country: string | null
  readonly status: PassportStatus
  /** True for the holder of the product's GS1 company prefix. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
}

/** Public form to request access to restricted values. */
export interface AccessRequestView {
  /** Deciding economic operator. */
  readonly company: string
  /** Name from the metadata, and identifier. */
  readonly product: { readonly name: Json | undefined; readonly id: string }
  /** Form query without `?`. */
  readonly query: string
  /** Address of the passport or unit. */
  readonly subjectUrl: string
  /** Submitted values with their errors. */
  readonly request: AccessRequest
  /** Options in the order of the form. */
  readonly actorKinds: readonly string[]
  readonly identifierSchemes: readonly string[]
  /** Set after submission; `isMailed`: decision by e-mail. */
  readonly sent?: { readonly followUrl: string; readonly isMailed: boolean } | undefined
}

export interface AccessStatusView extends Pick<AccessRequestView, 'company' | 'product' | 'subjectUrl'> {
  readonly state: RequestState
  readonly isMailed: boolean
  /** End of grant or waiting period (ISO 8601). */
  readonly expiresAt: string
}

export interface PlainRepresentation extends Representation {
  readonly isSigned?: false
  /** True for the default format. It is always stored, since events include it. */
  readonly isDefault?: boolean
  /** True if the output depends on the language; stored per language. */
  readonly localised?: boolean
  /** Pure: equal input gives equal bytes. Throws Problem 406 if impossible. */
  render(view: PassportView, context: RenderContext): Rendered | Promise<Rendered>
  /** Pure; renders a single unit. */
  renderUnit?(view: UnitView, context: RenderContext): Rendered | Promise<Rendered>
  /** Renderers of records that a module keeps below products, such as batches. */
  readonly levels?: LevelRenderers
  /** Pure; renders a sealed earlier version. Formats for people must label it. `context.mediaTypes` lists formats with versions. */
  renderVersion?(view: VersionView, context: RenderContext): Rendered | Promise<Rendered>
}

/** Signed format. Rendered once per version, audience, profile and key, then stored. Workspaces without a key respond with 406. */
export interface SignedRepresentation extends Representation {
  readonly isSigned: true
  /** True if all readers receive the public content. */
  readonly isPublicOnly?: boolean
  /** Values of the parameter `profile`, default first; others respond with 406. */
  readonly profiles: readonly [string, ...string[]]
  render(view: PassportView, context: SigningContext): Rendered | Promise<Rendered>
  /**
   * Renders a single unit. `context.signing` has its own status-list entry. Measured values are omitted: they change without a new version.
   */
  renderUnit?(view: UnitView, context: SigningContext): Rendered | Promise<Rendered>
  /** Records below products have no status-list entry. */
  readonly levels?: undefined
}

export type LevelRenderers = { readonly [Name in keyof LevelViews]?: LevelRenderer<LevelViews[Name]> }

interface LevelRenderer<View> {
  /** Body schema, like that of the representation. */
  readonly schema?: JsonRecord
  /** Pure. */
  render(view: View, context: RenderContext): Rendered | Promise<Rendered>
}

export interface RenderContext {
  /** BCP 47 language of the response. */
  readonly lang: string
  /** Text from `locales/<lang>.json`, else the gateway's. */
  readonly translate: (key: string, params?: Readonly<Record<string, unknown>>) => string
  /** Media types for this kind of subject, in order. */
  readonly mediaTypes: readonly string[]
  /** Names of the loaded modules, for links to their pages. */
  readonly modules: ReadonlySet<string>
  /** Notice to show first. */
  readonly notice?: 'accessEnded'
  /** Token of the reader, for pages: other formats are stored for the audience. */
  readonly grant?: string | undefined
  /** Describes the metadata keys of a category; accepts any value. */
  readonly describe: (category: Json | undefined) => CategoryDescription
  /**
   * Limits work in a `WorkThread` by anonymous callers; call it before.
   * @throws Problem 429
   */
  readonly countSlowWork?: (() => Promise<void>) | undefined
}

/**
 * Localized description of metadata keys from schema and locale files: category first, then common. `group` is the key of the surrounding
 * group or list.
 */
export interface CategoryDescription {
  /** Localized category name; undefined if not loaded. */
  readonly name: string | undefined
  /** Legal note on masked values. */
  readonly maskedNote: string | undefined
  /** Legal note on disposal, if the passport has none. */
  readonly disposal: string | undefined
  /** Address to report dangerous products; set if required by law. */
  readonly reportUrl: string | undefined
  field(key: string, group?: string): Field | undefined
  label(key: string, group?: string): string | undefined
  /** Localized help, by the schema's description. */
  help(description: string): string
  /** Localized name of an enumerated value. */
  option(key: string, value: string): string | undefined
  /** Localized name of a material, fibre, substance or battery chemistry; undefined if unknown or identical. */
  material(stated: string): string | undefined
  section(name: string): string
  /** Unit in words; symbols are unchanged. */
  unit(unit: string): string
  /** Legal acts stated by the passport, else by category. */
  acts(metadata: Metadata): readonly string[]
  /** Acts among `acts` that require the key; empty for voluntary data. */
  actsAskingFor(key: string, acts: readonly string[]): readonly string[]
  /** Title and text if the law requires product information but no passport. */
  withoutPassport(metadata: Metadata): { readonly title: string; readonly text: string } | undefined
  /** Sorts keys for display; undescribed ones stay in order at the end. */
  inOrder(keys: readonly string[]): string[]
}

export interface SigningContext extends RenderContext {
  /** One of the representation's `profiles`. */
  readonly profile: string
  /** Issuer, key and status-list entry. */
  readonly signing: CredentialContext
}

export interface ParseContext {
  /** Parses JSON text as strictly as request bodies; throws an Error. */
  readonly parseJson: (text: string) => Json
  /** True if the schema expects a list or group. */
  readonly takesStructure: (category: unknown, key: string) => boolean
  /** Placeholder of masked values; must not be imported. */
  readonly redacted: string
}

/** Passport parsed from another system's document. */
export interface ParsedPassport {
  readonly metadata: Metadata
  /** Unreadable values, not in `metadata`. */
  readonly issues: readonly ParseIssue[]
  /** Product id outside the metadata. */
  readonly productId?: string
  /** Seal over the metadata. */
  readonly seal?: ParsedSeal
}

/** Unverified seal. */
export interface ParsedSeal {
  /** Hexadecimal. */
  readonly merkleRoot: string
  /** Base64 of DER. */
  readonly signature: string
  /** Base64url by key. */
  readonly salts: Json | undefined
  readonly subject: Json | undefined
  /** Certificates of the key, Base64 of DER. */
  readonly x5c?: readonly string[]
  /** RFC 3161 token, Base64. */
  readonly timestamp?: string
}

/** Issue with an English technical text. */
export interface ParseIssue extends Issue {
  readonly message: string
}

/**
 * Rendered output. HTML must start with its Content Security Policy in a `meta`, also sent as a header; without it nothing may be loaded.
 */
export interface Rendered {
  readonly body: string | Uint8Array
  /** Defaults to the first media type. */
  readonly contentType?: string
}
