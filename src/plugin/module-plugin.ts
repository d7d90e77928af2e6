import type { Db, QueueOptions } from 'pg-boss'
import type { Logger } from 'pino'
import type { Metadata } from '../domain/metadata.ts'
import type { PassportPart } from '../domain/passport-part.ts'
import type { Principal } from '../domain/principal.ts'
import type { Problem } from '../domain/problem.ts'
import type { LevelName, ProductLevel } from '../domain/product-level.ts'
import type { PassportParts } from '../domain/view.ts'
import type { Variables } from '../start/variables.ts'
import type { EntityDescription } from '../storage/row.ts'
import type { Counters } from '../telemetry/counters.ts'
import type { Tracing } from '../telemetry/current.ts'
import type { PlainRepresentation, Rendered } from './representation-plugin.ts'
import type { Rewrapped } from './signer-plugin.ts'

/**
 * Feature beyond the specification. Its folder mirrors the repository root: `openapi.yaml`, handlers in `operations`, factories in
 * `services`, commands in `commands`, `migrations`, `locales` and `contexts`.
 */
export interface ModulePlugin {
  readonly kind: 'module'
  readonly name: string
  readonly settings?: ModuleSettings
  /** True if the module has no operations while its settings are off. */
  readonly needsSettings?: boolean
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
   * Follows changes of public data, in their transaction, after `onChange`. Costs transactions a round trip, so it is not called without
   * the settings of the module, if it has some.
   * @param names ids of passports and units, and identifiers of products; empty if everything may have changed
   * @param services of the gateway and of modules, by name
   */
  onPublicChange?(tx: ModuleTransaction, names: readonly string[], services: object): Promise<void> | void
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
  /**
   * Responds to `/request-access` without a passport or unit; one module at most.
   * @param services of the gateway and of modules, by name
   */
  findSubject?(search: SubjectSearch, services: object): Promise<SearchResult>
  /** True if it e-mails decisions to requesters: pages then say so. @param services of the gateway and of modules, by name */
  mailsDecisions?(services: object): boolean
  /** Sends e-mail messages of other modules; one module at most. */
  readonly letters?: LetterSender
  /** @returns lines to print after a start with the demo workspace @param services of the gateway and of modules, by name */
  greet?(services: object): Promise<readonly string[]>
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
  /** Exports traces of requests and jobs, if its settings are set; one module at most. */
  openTracing?(settings: object, services: TracingServices): Promise<Tracing>
  /** Demo workspace, of one module at most. */
  readonly demoWorkspace?: DemoWorkspace
  /** Interface of another standard, with its own prefix and errors. */
  readonly api?: ModuleApi
}

export interface ModuleApi {
  /** Start of all paths in `openapi.yaml`; the member `prefix` of parsed settings replaces it. */
  readonly prefix: string
  /** Body of an error below the prefix. */
  problem(problem: Problem, requestId: string): object
  /** By operation with `x-lane: public`. */
  readonly publicReads?: Readonly<Record<string, FindStored>>
}

/**
 * Pure; returns the public rendition that an anonymous request names, or undefined if the handler must respond.
 * @param rest address after the path's constant start, with its original escapes
 */
export type FindStored = (rest: string, baseUrl: string) => StoredName | undefined

export interface StoredName {
  readonly column: 'id' | 'gtin' | 'grai' | 'unit' | LevelName
  readonly value: string
  readonly format: PlainRepresentation
}

/** Variables that only a module uses. Its services inject the result as `<name>Settings`. */
export interface ModuleSettings {
  readonly variables: readonly [string, ...string[]]
  /**
   * Returns undefined if the feature is off. `dpp doctor` connects to the address; `prefix` is that of {@link ModuleApi}.
   * @throws Error with the fault and the remedy, and without a secret; the gateway then does not start
   */
  parse(variables: Variables): { readonly address?: string; readonly prefix?: string } | undefined
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

interface LetterSender {
  isOn(services: object): boolean
  /** Sends the letter after the commit; does nothing unless it is on. */
  send(tx: ModuleTransaction, letter: Letter, services: object): Promise<void>
}

/** Plain-text e-mail, stored encrypted until it is sent. */
export type Letter = { readonly [Part in 'to' | 'subject' | 'text' | 'lang']: string }

/** Request for access that was made or decided. */
export interface AccessRequestEvent {
  readonly kind: 'requested' | 'approved' | 'denied'
  /** Grant, readable after the commit. */
  readonly grantId: string
  /** Opens the status page of the request; if approved, the restricted values. Only its hash is stored. */
  readonly secret?: string | undefined
}

/** Search for a passport or unit by a person. */
export interface SubjectSearch {
  readonly text?: string | undefined
  readonly lang: string
  readonly principal?: Principal | undefined
}

/** Path of the only match, or a page. */
export type SearchResult = { readonly location: string } | { readonly status: 200 | 400 | 404; readonly page: Rendered }

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
