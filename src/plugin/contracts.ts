import type { JsonWebKey } from 'node:crypto'
import type { Db, QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { CredentialContext } from '../credentials/credential.ts'
import type { Field } from '../domain/field.ts'
import type { AccessRequest, RequestState } from '../domain/grants.ts'
import type { Issue } from '../domain/issue.ts'
import type { Json, Metadata } from '../domain/metadata.ts'
import type { PassportPart } from '../domain/passport-part.ts'
import type { Principal } from '../domain/principal.ts'
import type { Problem } from '../domain/problem.ts'
import type { LevelViews, ProductLevel } from '../domain/product-level.ts'
import type { JsonRecord } from '../domain/record.ts'
import type { CeasedUnitView, UnitView } from '../domain/unit.ts'
import type { PassportParts, PassportStatus, PassportView, VersionView } from '../domain/view.ts'
import type { EntityDescription } from '../storage/row.ts'
import type { Counters } from '../telemetry/counters.ts'
import type { Tracing, TracingConfig } from '../telemetry/current.ts'
import type { ReferenceView } from './reference-view.ts'

/** Default export of a plugin module: one of these plain objects, or an array of them. */
export type Plugin = RepresentationPlugin | CategoryPlugin | SignerPlugin | ModulePlugin

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

/** Metadata rules of a category; optional with a JSON Schema. */
export interface CategoryPlugin {
  readonly kind: 'category'
  readonly name: string
  /** Hidden keys that both token kinds open, besides `x-audience` in the schema and `facilityDetails`. */
  readonly restrictedKeys?: readonly string[]
  /** True if the law forbids recording readers; reads are then not audited. */
  readonly isUntracked?: boolean
  /** Address (https) to report dangerous products, if the law requires a link. */
  readonly reportUrl?: string
  /** Unpublished JSON Schema (2020-12); `schemas/<category>.json` in the plugin folder is published at `/api/v1/schemas/<category>`. */
  readonly schema?: JsonRecord
  /** Pure; rules beyond JSON Schema. Receives only keys valid by the schema, including all required ones except `originCountry`. */
  check?(metadata: Metadata): Iterable<Issue>
}

/** Custody of P-256 keys, opened at start-up. */
export interface SignerPlugin {
  readonly kind: 'signer'
  readonly name: string
  /**
   * Opens the signer. Options: `databaseUrl` (role `dpp_signer`) and the maximum of its connections, `databaseConnections`; `masterKey`
   * (base64), each `SIGNER_<NAME>` as `<name>`. During a change of MASTER_KEY also `masterKeyPrevious`, for older data, and
   * `databaseUrlNext`, for when `databaseUrl` stops working.
   */
  open(options: Readonly<Record<string, string>>): Promise<Signer>
  /**
   * Re-encrypts from `masterKeyPrevious` to `masterKey` while signers are open; required only if data is encrypted with it. Resumable.
   * `databaseUrl` is the table owner's.
   */
  rewrap?(options: Readonly<Record<string, string>>): Promise<Rewrapped>
}

/** Result of re-encryption, in secrets. */
export interface Rewrapped {
  /** Number of all secrets. */
  readonly count: number
  /** Number re-encrypted from the previous key. */
  readonly rewrapped: number
  /** Number not decryptable with either key. */
  readonly shut: number
}

/** Open signer; private keys never leave it. */
export interface Signer {
  /** Creates a key pair and returns its id. `label` is for the operator. */
  createKey(label: string): Promise<string>
  publicJwk(keyId: string): Promise<JsonWebKey>
  /** Signs with ES256; r‖s (IEEE P1363, 64 bytes). */
  sign(keyId: string, data: Uint8Array): Promise<Uint8Array>
  close?(): Promise<void>
}

/**
 * Feature beyond the specification. Its folder mirrors the repository root: `openapi.yaml`, handlers in `operations`, factories in
 * `services`, commands in `commands`, `migrations`, `locales` and `contexts`.
 */
export interface ModulePlugin {
  readonly kind: 'module'
  readonly name: string
  /** Variables that only it uses (`MODULE_SETTINGS`): a gateway with one does not start without the module. */
  readonly settings?: readonly string[]
  /** Queues of background work. */
  readonly queues?: readonly (BackgroundQueue | MessageQueue)[]
  /** Repeated work. */
  readonly schedules?: readonly Schedule[]
  /** Levels of granularity whose records it keeps, with public documents and GS1 Digital Links. */
  readonly levels?: readonly ProductLevel[]
  /** Entities of its tables, which `dpp doctor` compares with the database. */
  readonly entities?: readonly EntityDescription[]
  /** Tables whose old rows are deleted once a day. */
  readonly retention?: readonly Retention[]
  /** Types of the notifications that it raises, and the permission required to read each. */
  readonly notificationTypes?: Readonly<Record<string, string>>
  /**
   * Follows changes of passports, units and facilities, in their transaction: if it throws, the change is undone.
   * @param services of the gateway and of modules, by name
   */
  onChange?(tx: ModuleTransaction, change: Change, services: object): Promise<void> | void
  /**
   * Follows notifications to the users of a workspace, in the transaction of their cause. Writes without a round trip
   * (`ModuleTransaction.write`). Links and handovers notify another workspace by the SQL function `notify_workspace`, which a migration
   * may replace.
   * @param services of the gateway and of modules, by name
   */
  onNotification?(tx: ModuleTransaction, notification: NewNotification, services: object): void
  /**
   * Follows requests for access to restricted values, in their transaction.
   * @param services of the gateway and of modules, by name
   */
  onAccessRequest?(tx: ModuleTransaction, event: AccessRequestEvent, services: object): Promise<void> | void
  /** True if it e-mails decisions to requesters: pages then say so. @param services of the gateway and of modules, by name */
  mailsDecisions?(services: object): boolean
  /** Re-encrypts its secrets while gateways run, during a change of MASTER_KEY. Repeated until it finds none. */
  rewrap?(access: RewrapAccess): Promise<Rewrapped>
  /** Parts of the passport view. */
  readonly passportParts?: { readonly [Name in keyof PassportParts]?: PassportPart<PassportParts[Name]> }
  /**
   * Adds members to the result of a successful validation. Its `openapi.yaml` describes them by extending `ValidationPassed`.
   * @param services of the gateway and of modules, by name
   */
  onValidate?(metadata: Metadata, lang: string, services: object): object
  /** Adds to the demo workspace at the first start. @param services of the gateway and of modules, by name */
  demo?(services: object, content: DemoContent): Promise<void>
  /** Exports traces of requests and jobs, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; one module at most. */
  openTracing?(config: TracingConfig, services: TracingServices): Promise<Tracing>
  /** Demo workspace, of one module at most. */
  readonly demoWorkspace?: DemoWorkspace
}

export interface TracingServices {
  readonly log: Logger
  readonly counters: Pick<Counters, 'spans'>
  /** Version of the build. */
  readonly version: string
}

/** Created by `npm start`, if `DEMO` is on. */
export interface DemoWorkspace {
  /** Product that the front page links to. */
  readonly gtin: string
  /** Starts the timestamp authority (RFC 3161) of a gateway without `TSA_URL`. */
  startTimestamps(dataDir: string): Promise<{ readonly tsaUrl: string; readonly tsaCa: string }>
  /**
   * Creates the workspace and calls the `demo` of each module, at the first start.
   * @param services of the gateway and of modules, by name
   * @returns lines to print, at every start
   */
  prepare(services: object, report: (message: string) => void): Promise<readonly string[]>
}

/** Created, changed or deleted passports, drafts included, or units of one workspace; or a facility before its deletion. */
export interface Change {
  readonly subject: 'passport' | 'unit' | 'facility'
  readonly kind: 'created' | 'changed' | 'deleted'
  readonly ids: readonly string[]
  /** Workspace of the subjects, if not that of the transaction, which then cannot read them. */
  readonly tenantId?: string
  /** Changed units whose status was set. */
  readonly moved?: readonly string[]
  /** Stored {@link PassportPart}s of a changed passport. */
  readonly parts?: Readonly<Record<string, unknown>>
}

/** Notification to the users of a workspace. Services raise one by `moduleHooks.notify`. */
export interface NewNotification {
  /** Declared by the gateway, or in `notificationTypes` of a module. */
  readonly type: string
  /** Null for the whole workspace. */
  readonly operatorId: string | null
  readonly subjectId: string
  readonly message: string
  /** Deduplicates notifications that may be raised again. */
  readonly id?: string
}

/** Request for access that was made or decided. */
export interface AccessRequestEvent {
  readonly kind: 'requested' | 'approved' | 'denied'
  /** Grant, readable after the commit. */
  readonly grantId: string
  /** Opens the status page of the request; if approved, the restricted values. Only its hash is stored. */
  readonly secret?: string | undefined
}

export interface RewrapAccess {
  /** The job queue, as role `dpp_jobs`. */
  readonly jobs: Pick<Db, 'executeSql'>
  readonly secretBox: {
    /** Undefined if already encrypted with the new key. @throws Error if neither key decrypts it for `owner` */
    rewrapped(sealed: Buffer, owner: string): Buffer | undefined
  }
}

/** Rows are deleted `days` days after their `created_at`. The role `dpp_jobs` must be allowed to delete them. */
export interface Retention {
  readonly table: string
  readonly days: number
}

/** Transaction of one workspace; statements see its rows only. */
export interface ModuleTransaction {
  readonly tenantId: string
  /** @returns rows */
  run<Row>(statement: NamedStatement, values?: readonly unknown[]): Promise<Row[]>
  /** Runs a statement without result, together with the next one that has one. */
  write(statement: NamedStatement, values?: readonly unknown[]): void
  afterCommit(action: () => void): void
}

/** SQL with `$1`, `$2`, …; prepared under its name, which is unique in the gateway. */
interface NamedStatement {
  readonly name: string
  readonly text: string
}

/** The demo workspace without modules. */
export interface DemoContent {
  readonly principal: Principal
  readonly passports: Readonly<Record<'battery' | 'shirt' | 'energyManager', DemoPassport>>
}

interface DemoPassport {
  readonly id: string
  readonly gtin: string
}

/** Jobs that requests add and a worker processes, one per workspace and process at a time. */
export interface BackgroundQueue {
  readonly name: string
  /** Table of the jobs, with the columns `id`, `begun` (count of attempts) and `expires_at`. Expired rows are deleted. */
  readonly table: string
  /** Name of the service that processes the jobs, a {@link BackgroundWorker}. */
  readonly worker: string
  /** Process crashes during a job until it is abandoned (default: 2). */
  readonly maxDeaths?: number
  /** Retries and time limits of pg-boss; the defaults are two retries and one hour. */
  readonly options?: QueueOptions
}

/** Work that is repeated, in one process at a time. */
export interface Schedule {
  readonly name: string
  /** Five fields, in UTC. */
  readonly cron: string
  /** False if this gateway never has such work (default: true). @param services of the gateway and of modules, by name */
  isOn?(services: object): boolean
  /** @param services of the gateway and of modules, by name @param jobs database session of the role `dpp_jobs` */
  run(services: object, jobs: Pick<Db, 'executeSql'>): Promise<void>
}

export interface BackgroundWorker {
  /** Does nothing if the job is done or deleted; aborts on the signal. */
  work(tenantId: string, jobId: string, signal: AbortSignal): Promise<void>
  /** Ends a job as failed. @param isDeadly true if the job repeatedly crashed its process */
  abandon(tenantId: string, jobId: string, isDeadly: boolean): Promise<void>
}

/** Jobs with their data in the queue, such as messages to other systems; several run at a time. `outbox.send` adds them. */
export interface MessageQueue {
  readonly name: string
  readonly table?: undefined
  /** Name of the service that processes the jobs, a {@link MessageWorker}. */
  readonly worker: string
  /** True if messages of one group are processed one at a time, over all processes. */
  readonly isGrouped?: boolean
  /** Retries and time limits of pg-boss; the defaults are two retries and one hour. */
  readonly options?: QueueOptions
}

export interface Message {
  readonly data: object
  readonly group?: string | undefined
}

export interface MessageWorker {
  /** False if settings are missing: jobs then wait. */
  readonly isOn: boolean
  /** Throws to retry. */
  attempt(message: QueuedMessage): Promise<void>
}

export interface QueuedMessage<Data extends object = object> {
  readonly id: string
  readonly createdOn: Date
  readonly data: Data
  readonly isFirst: boolean
  readonly isLast: boolean
  /** Aborted if the gateway stops. */
  readonly signal: AbortSignal
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
