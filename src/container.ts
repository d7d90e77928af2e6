import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AwilixContainer, asClass, asFunction, asValue, createContainer, InjectionMode } from 'awilix'
import type { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type Config, ROOT } from './config.ts'
import { BodyBudget } from './http/body-budget.ts'
import type { Contract } from './http/contract.ts'
import type { OperationHandler } from './http/handler.ts'
import { RateLimits } from './http/rate-limits.ts'
import { Outbox } from './jobs/outbox.ts'
import { EoriRegister } from './outside/eori-register.ts'
import type { SharedCounters } from './outside/shared-counters.ts'
import { TimestampAuthority } from './outside/timestamp-authority.ts'
import type { Signer } from './plugin/contracts.ts'
import type { LoadedPlugins } from './plugin/loader.ts'
import { AccessAudit } from './publication/access-audit.ts'
import { Issuers } from './publication/issuers.ts'
import { PassportViews } from './publication/passport-views.ts'
import { PublicCache } from './publication/public-cache.ts'
import { Renditions } from './publication/renditions.ts'
import { StatusLists } from './publication/status-lists.ts'
import { Translator } from './publication/translator.ts'
import { Vocabulary } from './publication/vocabulary.ts'
import { AccessRequests } from './services/access-requests.ts'
import { CategoryValidator } from './services/category-validator.ts'
import { CompanyPrefixes } from './services/company-prefixes.ts'
import { DigitalLinks } from './services/digital-links.ts'
import { Facilities } from './services/facilities.ts'
import { Grants } from './services/grants.ts'
import type { Gs1Engine } from './services/gs1-engine.ts'
import { Identity } from './services/identity.ts'
import { Operators } from './services/operators.ts'
import { PassportImport } from './services/passport-import.ts'
import { PassportIntake } from './services/passport-intake.ts'
import { PassportRules } from './services/passport-rules.ts'
import { Passports } from './services/passports.ts'
import { Quota } from './services/quota.ts'
import { Resolution } from './services/resolution.ts'
import { SealAudit } from './services/seal-audit.ts'
import { SealCa } from './services/seal-ca.ts'
import { Seals } from './services/seals.ts'
import { Workspaces } from './services/workspaces.ts'
import type { Database } from './storage/database.ts'
import { Idempotency } from './storage/idempotency.ts'

/** Everything that a service or a handler may ask for. One instance of each lives as long as the process. */
export interface Cradle {
  config: Config
  log: Logger
  plugins: LoadedPlugins
  contract: Contract
  database: Database
  signer: Signer
  gs1Engine: Gs1Engine
  boss: PgBoss
  /** Absent without `REDIS_URL`. */
  sharedCounters: SharedCounters | undefined
  translator: Translator
  validator: CategoryValidator
  views: PassportViews
  renditions: Renditions
  accessAudit: AccessAudit
  publicCache: PublicCache
  outbox: Outbox
  identity: Identity
  issuers: Issuers
  rules: PassportRules
  quota: Quota
  idempotency: Idempotency
  intake: PassportIntake
  passportImport: PassportImport
  passports: Passports
  seals: Seals
  sealAudit: SealAudit
  sealCa: SealCa
  timestampAuthority: TimestampAuthority
  resolution: Resolution
  statusLists: StatusLists
  companyPrefixes: CompanyPrefixes
  digitalLinks: DigitalLinks
  eoriRegister: EoriRegister
  operators: Operators
  facilities: Facilities
  grants: Grants
  accessRequests: AccessRequests
  workspaces: Workspaces
  vocabulary: Vocabulary
  rateLimits: RateLimits
  bodyBudget: BodyBudget
}

export type Container = AwilixContainer<Cradle>

/** What start-up has opened before anything can be built on it. */
export type Opened = Pick<
  Cradle,
  'config' | 'log' | 'plugins' | 'contract' | 'database' | 'signer' | 'gs1Engine' | 'boss' | 'sharedCounters'
>

/** The composition root: every registration with its lifetime. */
export function compose(opened: Opened): Container {
  const container = createContainer<Cradle>({ injectionMode: InjectionMode.PROXY, strict: true })
  for (const [name, value] of Object.entries(opened)) container.register(name, asValue(value))
  return container.register({
    translator: asClass(Translator).singleton(),
    validator: asFunction(
      ({ plugins, translator }: Cradle) =>
        new CategoryValidator(
          plugins.categories as never,
          JSON.parse(readFileSync(join(ROOT, 'schemas/common.json'), 'utf8')),
          translator.translate,
        ),
    ).singleton(),
    views: asClass(PassportViews).singleton(),
    renditions: asClass(Renditions).singleton(),
    accessAudit: asClass(AccessAudit).singleton(),
    publicCache: asClass(PublicCache).singleton(),
    outbox: asClass(Outbox).singleton(),
    identity: asClass(Identity).singleton(),
    issuers: asClass(Issuers).singleton(),
    rules: asClass(PassportRules).singleton(),
    quota: asClass(Quota).singleton(),
    idempotency: asClass(Idempotency).singleton(),
    intake: asClass(PassportIntake).singleton(),
    passportImport: asClass(PassportImport).singleton(),
    passports: asClass(Passports).singleton(),
    seals: asClass(Seals).singleton(),
    sealAudit: asClass(SealAudit).singleton(),
    sealCa: asClass(SealCa).singleton(),
    timestampAuthority: asClass(TimestampAuthority).singleton(),
    resolution: asClass(Resolution).singleton(),
    statusLists: asClass(StatusLists).singleton(),
    companyPrefixes: asClass(CompanyPrefixes).singleton(),
    digitalLinks: asClass(DigitalLinks).singleton(),
    eoriRegister: asClass(EoriRegister).singleton(),
    operators: asClass(Operators).singleton(),
    facilities: asClass(Facilities).singleton(),
    grants: asClass(Grants).singleton(),
    accessRequests: asClass(AccessRequests).singleton(),
    workspaces: asClass(Workspaces).singleton(),
    vocabulary: asClass(Vocabulary).singleton(),
    rateLimits: asFunction(
      ({ config, sharedCounters }: Cradle) => new RateLimits({ isOn: config.rateLimits, shared: sharedCounters }),
    ).singleton(),
    bodyBudget: asClass(BodyBudget).singleton(),
  })
}

/**
 * Loads `src/operations`, one handler per file, each named as its operationId.
 * @throws Error naming the difference when handlers and operations of the contract do not match
 */
export async function loadHandlers(container: Container): Promise<ReadonlyMap<string, OperationHandler>> {
  const folder = join(import.meta.dirname, 'operations')
  const handlers = new Map<string, OperationHandler>()
  for (const file of (await readdir(folder)).filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith('.d.ts'))) {
    const { default: factory } = await import(pathToFileURL(join(folder, file)).href)
    handlers.set(basename(file).replace(/\.(ts|js)$/, ''), factory(container.cradle))
  }
  const { operations } = container.cradle.contract
  const missing = [...operations.keys()].filter((id) => !handlers.has(id))
  const unknown = [...handlers.keys()].filter((id) => !operations.has(id))
  if (missing.length > 0 || unknown.length > 0) {
    throw new Error(
      `openapi.yaml and src/operations differ. Without a handler: ${missing.join(', ') || 'none'}. Without an operation: ${unknown.join(', ') || 'none'}.`,
    )
  }
  return handlers
}
