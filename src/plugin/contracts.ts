import type { JsonWebKey } from 'node:crypto'
import type { BatchView } from '../domain/batch.ts'
import type { CredentialContext } from '../domain/credentials/credential.ts'
import type { Field } from '../domain/field.ts'
import type { AccessRequest, RequestState } from '../domain/grants.ts'
import type { Issue } from '../domain/issue.ts'
import type { Json, Metadata } from '../domain/metadata.ts'
import type { Problem } from '../domain/problem.ts'
import type { JsonRecord } from '../domain/record.ts'
import type { CeasedUnitView, UnitView } from '../domain/unit.ts'
import type { PassportStatus, PassportView, VersionView } from '../domain/view.ts'
import type { ReferenceView } from './reference-view.ts'

/** A plugin is a module whose default export is one of these plain objects, or an array of them. */
export type Plugin = RepresentationPlugin | CategoryPlugin | SignerPlugin | ModulePlugin

/** A format in which a passport is answered. */
export type RepresentationPlugin = PlainRepresentation | SignedRepresentation

interface Representation {
  readonly kind: 'representation'
  readonly name: string
  /** The first is sent as Content-Type, the rest are aliases that a caller may ask for. */
  readonly mediaTypes: readonly [string, ...string[]]
  /**
   * Where a caller wants several formats equally, the lowest answers, and where a credential is asked for in no form, the
   * lowest that is signed; absent: after those that have one.
   */
  readonly rank?: number
  /** Of the names of files, without a dot at its beginning; absent: the format's name. */
  readonly extension?: string
  /** Schema of the body in the contract; absent: an object where the first media type is JSON, else text or bytes. */
  readonly schema?: JsonRecord
  /** The same of the body of a unit. */
  readonly unitSchema?: JsonRecord
  /** And of a batch. */
  readonly batchSchema?: JsonRecord
  /** For formats that show errors to people, such as HTML. */
  renderProblem?(problem: Problem, context: RenderContext, asked: RequestedResource): Rendered
  /** For formats that show people the gateway's own pages, each by its name. */
  renderPage?<Name extends keyof Pages>(name: Name, data: Pages[Name], context: RenderContext): Rendered
  /** For formats that show people several passports at one address, in their order. */
  renderChoices?(choices: readonly PassportChoice[], context: RenderContext): Rendered
  /** For formats that people fill in: the form at `/request-access`, and what has become of it. */
  renderAccessRequest?(page: AccessRequestView, context: RenderContext): Rendered
  /** For the same formats: what has become of a request, at `/request-access/{reference}`. */
  renderAccessStatus?(page: AccessStatusView, context: RenderContext): Rendered
  /** For formats that say what a unit was whose material has been recycled. */
  renderCeasedUnit?(view: CeasedUnitView, context: RenderContext): Rendered
  /**
   * For formats that are ingested, such as AAS. `document` is parsed JSON that may hold anything. Throws a Problem with
   * status 400 for what is not a document of the format; what is wrong with single values is returned as issues.
   */
  parse?(document: unknown, context: ParseContext): ParsedPassport
}

/** What an address that has no answer asked for. */
export interface RequestedResource {
  /** A passport or a unit of one, or something else. */
  readonly kind: 'passport' | 'page'
  /** The key in the address, or its path: as people sent it, without escapes, and cut where it is long. */
  readonly text: string
  /** The key with its right check digit, where that is what is wrong with it. */
  readonly corrected?: string
}

/** The gateway's own pages, by name, with what each shows. */
export interface Pages {
  readonly door: DoorView
  readonly reference: ReferenceView
  readonly verifier: VerifierView
  readonly vocabulary: VocabularyView
}

/** The page that finds a passport: the front page, and the way to the form for access. */
export interface DoorView {
  readonly purpose: 'open' | 'access'
  /** Of this gateway. */
  readonly host: string
  /** Of a passport to look at. */
  readonly demoPath?: string
  /** What was looked for, and what is wrong with it. */
  readonly sought?: string
  readonly problem?: 'absent' | 'checkDigit' | 'empty' | 'link' | 'long'
  /** With the right check digit. */
  readonly corrected?: string
}

/** The page on which a browser verifies by itself. */
export interface VerifierView {
  /** The rule, as a script that defines what the page asks: see `src/browser`. */
  readonly script: string
}

/** The terms of passports, and those of every category that has a schema. */
export interface VocabularyView {
  readonly namespace: string
  readonly terms: readonly Term[]
  readonly categories: readonly { readonly category: string; readonly terms: readonly Term[] }[]
}
export type Term = readonly [term: string, text: string]

/** One of several passports for a product. */
export interface PassportChoice {
  readonly href: string
  /** The economic operator whose passport it is. */
  readonly company: string
  /** ISO 3166-1 alpha-2; null where nothing says it. */
  readonly country: string | null
  readonly status: PassportStatus
  /** It comes from the holder of the product's GS1 company prefix. */
  readonly isClaimed: boolean
  readonly isSealed: boolean
}

/** The page on which anybody asks for access to the restricted values of a passport or a unit. */
export interface AccessRequestView {
  /** Who decides: the passport's economic operator. */
  readonly company: string
  /** The product: its name as the metadata has it, and its identifier. */
  readonly product: { readonly name: Json | undefined; readonly id: string }
  /** Query of the address that the form is sent to, without `?`. */
  readonly query: string
  /** Where the passport, or the unit, is. */
  readonly subjectUrl: string
  /** What was entered before, and what is wrong with it. */
  readonly request: AccessRequest
  /** The kinds of actors that can ask, and the schemes of their identifiers, each in the order of a form. */
  readonly actorKinds: readonly string[]
  readonly identifierSchemes: readonly string[]
  /** Absent until the request is sent: where to follow it, and whether the decision comes by e-mail. */
  readonly sent?: { readonly followUrl: string; readonly isMailed: boolean } | undefined
}

/** The page on which whoever asked for access sees what has become of it. */
export interface AccessStatusView extends Pick<AccessRequestView, 'company' | 'product' | 'subjectUrl'> {
  readonly state: RequestState
  /** The gateway sends e-mail, so the decision comes by e-mail. */
  readonly isMailed: boolean
  /** Until when it holds, or waits; ISO 8601. */
  readonly expiresAt: string
}

/** A format that anybody could write down from what is seen. */
export interface PlainRepresentation extends Representation {
  readonly isSigned?: false
  /** True for the one format that answers when nothing else is asked for; events show it, so it is always stored. */
  readonly isDefault?: boolean
  /** True when the output depends on the caller's language; such output is stored once per language. */
  readonly localised?: boolean
  /** Pure: the same view and context give the same bytes. Throws a Problem with status 406 if impossible. */
  render(view: PassportView, context: RenderContext): Rendered | Promise<Rendered>
  /** Pure; for formats that have single units of a product. */
  renderUnit?(view: UnitView, context: RenderContext): Rendered | Promise<Rendered>
  /** Pure; for formats that have batches of a product. */
  renderBatch?(view: BatchView, context: RenderContext): Rendered | Promise<Rendered>
  /**
   * Pure; for formats that have sealed versions as they were published. What is for people says that it is an earlier one.
   * `context.mediaTypes` are those of formats that have versions.
   */
  renderVersion?(view: VersionView, context: RenderContext): Rendered | Promise<Rendered>
}

/**
 * A format that is signed in the name of the workspace. It is made once for every version of the passport, audience, profile
 * and key, stored, and served as it was stored. A workspace without a key is answered 406.
 */
export interface SignedRepresentation extends Representation {
  readonly isSigned: true
  /** True when every reader gets what the public sees. */
  readonly isPublicOnly?: boolean
  /** Values of the media type's parameter `profile`; the first is the default, and any other value is answered 406. */
  readonly profiles: readonly [string, ...string[]]
  /** Throws a Problem with status 406 if impossible. */
  render(view: PassportView, context: SigningContext): Rendered | Promise<Rendered>
  /**
   * For formats that have single units of a product. `context.signing` shows the unit's own place in the status list. What
   * was measured is absent for every reader: it changes without a new version, and what is signed is kept.
   */
  renderUnit?(view: UnitView, context: SigningContext): Rendered | Promise<Rendered>
  /** A batch has no place in the status lists, so that no credential is about one. */
  readonly renderBatch?: undefined
}

/** What may stand in `metadata` of one category. A category with a JSON Schema needs no code at all. */
export interface CategoryPlugin {
  readonly kind: 'category'
  /** The value of `metadata.category`. */
  readonly name: string
  /**
   * Metadata keys hidden from the public, which both kinds of token open, beside those that the schema marks with
   * `x-audience`, and `facilityDetails`, which every category hides.
   */
  readonly restrictedKeys?: readonly string[]
  /** True where the law forbids to keep who read a passport; then its resolutions are not audited. */
  readonly isUntracked?: boolean
  /** Web address (https) at which people report dangerous products, where the law wants the page to lead there. */
  readonly reportUrl?: string
  /**
   * A JSON Schema (2020-12) that is applied but not published. A schema that is published at
   * `/api/v1/schemas/<category>` is a file instead: `schemas/<category>.json` in the plugin folder.
   */
  readonly schema?: JsonRecord
  /**
   * Pure; rules that a JSON Schema cannot express. Given are the keys in which the schema found nothing wrong: with all that it
   * requires, but for `originCountry`.
   */
  check?(metadata: Metadata): Iterable<Issue>
}

/** Custody of P-256 keys. Opened once at start-up. */
export interface SignerPlugin {
  readonly kind: 'signer'
  readonly name: string
  /**
   * `options` are `databaseUrl` (of the signer's own role, which migrations call `dpp_signer`), `masterKey` (base64) and
   * every variable `SIGNER_<NAME>` as `<name>`. While MASTER_KEY is being replaced there are `masterKeyPrevious`, which opens
   * what `masterKey` does not, and `databaseUrlNext`, the way in once `databaseUrl` is none any more.
   */
  open(options: Readonly<Record<string, string>>): Promise<Signer>
  /**
   * Encrypts anew, under `masterKey`, what is under `masterKeyPrevious`, beside signers that are open; needed of those alone that
   * keep something under it. May be broken off, and is run again then. `databaseUrl` is that of the owner of the tables.
   */
  rewrap?(options: Readonly<Record<string, string>>): Promise<Rewrapped>
}

/** What became of secrets that were to be encrypted anew. */
export interface Rewrapped {
  /** All that there are. */
  readonly count: number
  /** Those that were under the former key. */
  readonly rewrapped: number
  /** Those that neither key opens. */
  readonly shut: number
}

/** An open signer; private keys never leave it. */
export interface Signer {
  /** Makes a P-256 key pair and returns its id. `label` says whose key it is, for the operator's eyes. */
  createKey(label: string): Promise<string>
  publicJwk(keyId: string): Promise<JsonWebKey>
  /** ES256 over `data`, as r‖s (IEEE P1363, 64 bytes). */
  sign(keyId: string, data: Uint8Array): Promise<Uint8Array>
  close?(): Promise<void>
}

/**
 * A feature beyond the specification. Its folder has the shape of the repository root: `openapi.yaml` with paths, one handler per file in
 * `operations`, and one factory per file in `services`, which the container has under the name of the file.
 */
export interface ModulePlugin {
  readonly kind: 'module'
  readonly name: string
}

/** What a representation gets beside the view. */
export interface RenderContext {
  /** BCP 47 language of the answer. */
  readonly lang: string
  /** A text of the plugin's `locales/<lang>.json`, then of the gateway's own. */
  readonly translate: (key: string, params?: Readonly<Record<string, unknown>>) => string
  /**
   * The media types in which this gateway answers passports, in the order of its representations; where a unit or a batch is
   * rendered, those in which it answers such.
   */
  readonly mediaTypes: readonly string[]
  /** What a reader has to be told ahead of the passport: the access that they came with holds no longer. */
  readonly notice?: 'accessEnded'
  /** The token with which the reader came, for links to what it alone opens; what is kept for several readers has none. */
  readonly grant?: string | undefined
  /** What is known of the metadata keys of a passport, by its `metadata.category`, whatever stands there. */
  readonly describe: (category: Json | undefined) => CategoryDescription
  /**
   * Is called before work in a `WorkThread`, of which an address without credentials may cause little.
   * @throws Problem 429, which refuses the caller
   */
  readonly countSlowWork?: (() => Promise<void>) | undefined
}

/**
 * What a category's schema and locale files say of its metadata keys, in the language of the answer: the category's own
 * first, then what holds in every category. `group` is the key of the group, or of the list of groups, that `key` is in.
 */
export interface CategoryDescription {
  /** The category's name for people; undefined if it is not loaded. */
  readonly name: string | undefined
  /** What the law of the category says of masked values. */
  readonly maskedNote: string | undefined
  /** What the law says of disposing of such a product, where a passport says nothing. */
  readonly disposal: string | undefined
  /** Where dangerous products of the category are reported, if the law wants a link to it. */
  readonly reportUrl: string | undefined
  /** What is said of a key, undefined where nothing is. */
  field(key: string, group?: string): Field | undefined
  /** The key's name for people. */
  label(key: string, group?: string): string | undefined
  /** What an enumerated value means. */
  option(key: string, value: string): string | undefined
  /**
   * What a material, fibre, substance or battery chemistry of the vocabulary is called in the language of the answer;
   * undefined for others, and for what that language calls so already.
   */
  material(stated: string): string | undefined
  /** The heading of a section. */
  section(name: string): string
  /** A unit in words; a symbol is its own name. */
  unit(unit: string): string
  /** The acts that a passport is made under: those that it states, else those of its category. */
  acts(metadata: Metadata): readonly string[]
  /** Those of `acts` that ask for a top-level key; none for what the company states of its own accord. */
  actsAskingFor(key: string, acts: readonly string[]): readonly string[]
  /** What the page of such a product is called and says, where the law asks for information behind its code and for no passport. */
  withoutPassport(metadata: Metadata): { readonly title: string; readonly text: string } | undefined
  /** Top-level keys in the order of a page; those that nobody describes keep theirs, and come last. */
  inOrder(keys: readonly string[]): string[]
}

/** What a signed representation gets beside the view. */
export interface SigningContext extends RenderContext {
  /** One of the representation's `profiles`. */
  readonly profile: string
  /** In whose name, by which key, and where revocation will show. */
  readonly signing: CredentialContext
}

/** What a representation gets beside the document that it parses. */
export interface ParseContext {
  /** Parses JSON text inside the document as strictly as a request body; throws an Error that says why not. */
  readonly parseJson: (text: string) => Json
  /** Whether the category's schema expects a list or a group of fields under this metadata key. */
  readonly takesStructure: (category: unknown, key: string) => boolean
  /** What stands in for a masked value, and must not come in as data. */
  readonly redacted: string
}

/** A passport as another system's document states it. */
export interface ParsedPassport {
  readonly metadata: Metadata
  /** Values that could not be read; they are not in `metadata`. */
  readonly issues: readonly ParseIssue[]
  /** The product id that the document names beside the metadata. */
  readonly productId?: string
  /** A seal over the metadata, unverified. */
  readonly seal?: ParsedSeal
}

/** A seal as another document states it: texts as they stand there, and what is JSON parsed. Nothing of it is verified. */
export interface ParsedSeal {
  /** Hexadecimal. */
  readonly merkleRoot: string
  /** Base64 of DER. */
  readonly signature: string
  /** Base64url by key. */
  readonly salts: Json | undefined
  /** What the seal says that it is about. */
  readonly subject: Json | undefined
  /** Certificates of the key, Base64 of DER. */
  readonly x5c?: readonly string[]
  /** RFC 3161 token, Base64. */
  readonly timestamp?: string
}

/** An issue with its technical text in English. */
export interface ParseIssue extends Issue {
  readonly message: string
}

/**
 * What a representation has made. A page of HTML states its Content Security Policy in a `meta` of its own, at its beginning: it is sent as
 * a header too, and a page that states none may load nothing.
 */
export interface Rendered {
  readonly body: string | Uint8Array
  /** Defaults to the plugin's first media type. */
  readonly contentType?: string
}
