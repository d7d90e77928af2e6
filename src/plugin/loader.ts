import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Availability, availabilityFault, availabilityOf } from '../domain/availability.ts'
import { BASE, type Contexts } from '../domain/contexts.ts'
import { annotationFaults } from '../domain/field.ts'
import { NOTIFICATION_TYPES } from '../domain/notifications.ts'
import type { PassportPart } from '../domain/passport-part.ts'
import type { ProductLevel } from '../domain/product-level.ts'
import { isRecord, type JsonRecord } from '../domain/record.ts'
import { ROOT } from '../root.ts'
import { startupCache } from '../start/startup-cache.ts'
import type { EntityDescription } from '../storage/row.ts'
import { COMMON_SCHEMA } from './common-schema.ts'
import { readContexts } from './contexts.ts'
import type {
  BackgroundQueue,
  CategoryPlugin,
  DemoWorkspace,
  MessageQueue,
  ModulePlugin,
  PlainRepresentation,
  Plugin,
  RepresentationPlugin,
  Retention,
  Schedule,
  SignerPlugin,
} from './contracts.ts'
import { locate, PluginError } from './locate.ts'

export interface LoadedCategory {
  readonly plugin: CategoryPlugin
  readonly schema: JsonRecord | undefined
  /** True if the schema is served at `/api/v1/schemas/<category>`. */
  readonly published: boolean
  /** Retention period; undefined if no act sets one. */
  readonly availability?: Availability | undefined
}

export interface LoadedPlugins {
  /** Sorted by rank, then order of `PLUGINS`; decides between equal quality values. */
  readonly representations: readonly RepresentationPlugin[]
  /** Undefined if it is not loaded. */
  readonly defaultRepresentation: PlainRepresentation | undefined
  readonly categories: ReadonlyMap<string, LoadedCategory>
  readonly signers: ReadonlyMap<string, SignerPlugin>
  /** namespace → language → texts */
  readonly locales: ReadonlyMap<string, ReadonlyMap<string, () => object>>
  /** The gateway's, then the plugins'. */
  readonly contexts: Contexts
  readonly migrations: readonly { readonly name: string; readonly class: never }[]
  readonly openapi: readonly PluginDocument[]
  readonly modules: readonly LoadedModule[]
  /** By name, of all modules. */
  readonly passportParts: ReadonlyMap<string, PassportPart<unknown>>
  readonly demoWorkspace: DemoWorkspace | undefined
  /** Queues of all modules. */
  readonly queues: readonly (BackgroundQueue | MessageQueue)[]
  /** Schedules of all modules. */
  readonly schedules: readonly Schedule[]
  /** Levels of all modules. */
  readonly levels: readonly ProductLevel[]
  /** Entities of all modules. */
  readonly entities: readonly EntityDescription[]
  readonly retention: readonly Retention[]
  /** Permissions by type: the gateway's, then the modules'. */
  readonly notificationTypes: ReadonlyMap<string, string>
  readonly list: readonly { readonly kind: Plugin['kind']; readonly name: string; readonly folder: string }[]
}

interface LoadedModule
  extends Omit<
    ModulePlugin,
    | 'kind'
    | 'queues'
    | 'schedules'
    | 'levels'
    | 'entities'
    | 'retention'
    | 'notificationTypes'
    | 'passportParts'
    | 'demoWorkspace'
  > {
  readonly folder: string
  /** True if it has no operations, see `needsSettings`. */
  readonly isOff?: boolean
  /** True if it has parts of passports or levels. */
  readonly isRendered: boolean
}

export interface PluginDocument {
  readonly plugin: string
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly paths: Readonly<Record<string, object>>
}

/** Identifier of SQL without quotes. */
const IDENTIFIER = /^[a-z][a-z_]{0,62}$/

const rankOf = ({ rank }: RepresentationPlugin) => rank ?? Number.MAX_SAFE_INTEGER

/**
 * Loads plugins in order.
 * @param entries folders (of one plugin, or of plugin folders) or npm packages, resolved from `from`
 * @throws PluginError
 */
export async function loadPlugins(entries: readonly string[], from = process.cwd()): Promise<LoadedPlugins> {
  const loaded = new Merged(loadContexts(entries, from))
  for (const entry of entries) {
    for (const { main, folder } of locate(entry, from)) {
      const module = await importPlugin(main, folder)
      for (const plugin of Array.isArray(module) ? module : [module]) {
        assertPlugin(plugin, folder)
        loaded.add(plugin, folder)
      }
      await loaded.addFolder(module, folder)
    }
  }
  return loaded
}

/**
 * Loads all contexts, but no plugins.
 * @param entries as for {@link loadPlugins}
 * @throws PluginError
 */
export function loadContexts(entries: readonly string[], from = process.cwd()): Contexts {
  const contexts = new Map(readContexts(join(ROOT, 'contexts')))
  for (const { folder } of entries.flatMap((entry) => locate(entry, from))) {
    const fail = (reason: string): never => {
      throw new PluginError(`Plugin ${basename(folder)} (${join(folder, 'contexts')}): ${reason}`)
    }
    for (const [address, document] of contextsIn(folder, fail)) {
      if (contexts.has(address)) fail(`the address ${address} already exists.`)
      if (address.startsWith(BASE)) fail(`${address} is reserved for the gateway.`)
      contexts.set(address, document)
    }
  }
  return contexts
}

function contextsIn(folder: string, fail: (reason: string) => never): Contexts {
  try {
    return readContexts(join(folder, 'contexts'))
  } catch (error) {
    return fail((error as Error).message)
  }
}

class Merged implements LoadedPlugins {
  readonly representations: RepresentationPlugin[] = []
  defaultRepresentation: PlainRepresentation | undefined
  readonly categories = new Map<string, LoadedCategory>()
  readonly signers = new Map<string, SignerPlugin>()
  readonly locales = new Map<string, Map<string, () => object>>()
  readonly contexts: Contexts
  readonly migrations: { name: string; class: never }[] = []
  readonly openapi: PluginDocument[] = []
  readonly modules: LoadedModule[] = []
  readonly passportParts = new Map<string, PassportPart<unknown>>()
  demoWorkspace: DemoWorkspace | undefined
  readonly queues: (BackgroundQueue | MessageQueue)[] = []
  readonly schedules: Schedule[] = []
  readonly levels: ProductLevel[] = []
  readonly entities: EntityDescription[] = []
  readonly retention: Retention[] = []
  readonly notificationTypes = new Map(Object.entries(NOTIFICATION_TYPES))
  readonly list: { kind: Plugin['kind']; name: string; folder: string }[] = []

  constructor(contexts: Contexts) {
    this.contexts = contexts
  }

  add(plugin: Plugin, folder: string): void {
    const isNew = !this.list.some(({ kind, name }) => kind === plugin.kind && name === plugin.name)
    checksOf(plugin, folder)(isNew, `a ${plugin.kind} with this name already exists.`)
    this.list.push({ kind: plugin.kind, name: plugin.name, folder })
    if (plugin.kind === 'signer') this.signers.set(plugin.name, plugin)
    else if (plugin.kind === 'representation') this.#addRepresentation(plugin, folder)
    else if (plugin.kind === 'module') this.#addModule(plugin, folder)
    else this.#addCategory(plugin, folder)
  }

  #addModule(
    {
      kind: _,
      queues = [],
      schedules = [],
      levels = [],
      entities = [],
      retention = [],
      notificationTypes = {},
      passportParts = {},
      demoWorkspace,
      ...hooks
    }: ModulePlugin,
    folder: string,
  ): void {
    const { settings } = hooks
    const check = checksOf(hooks, folder)
    const isParsed =
      settings === undefined || (isTextList(settings.variables, 1) && typeof settings.parse === 'function')
    check(isParsed, 'settings need variables and a function parse.')
    for (const { name, worker } of queues) {
      check(isTextList([name, worker], 2), 'each queue needs a name and a worker.')
      check(!this.queues.some((other) => other.name === name), `the queue ${name} already exists.`)
    }
    for (const { table } of [...queues, ...retention]) {
      check(table === undefined || IDENTIFIER.test(table), `${JSON.stringify(table)} is not a table name.`)
    }
    for (const { table, days } of retention) {
      check(Number.isSafeInteger(days) && days >= 1, `the retention of ${table} must be a number of days.`)
    }
    for (const [type, permission] of Object.entries(notificationTypes)) {
      check(!this.notificationTypes.has(type), `the notification type ${type} already exists.`)
      this.notificationTypes.set(type, permission)
    }
    for (const [part, content] of Object.entries(passportParts)) {
      check(!this.passportParts.has(part), `another module already has the part ${part}.`)
      this.passportParts.set(part, content)
    }
    for (const { name, table, column, ai, records } of levels) {
      const isWhole =
        [name, table, column].every((part) => IDENTIFIER.test(part ?? '')) && /^(10|22)$/.test(ai) && Boolean(records)
      check(isWhole, 'each level needs a name, a table, an ai (10 or 22), a column and a service for its records.')
      const isNew = !this.levels.some((other) => other.name === name || other.ai === ai)
      check(isNew, `the level ${name} or its AI ${ai} already exists.`)
    }
    check(!(demoWorkspace && this.demoWorkspace), 'another module already has a demoWorkspace.')
    this.demoWorkspace ??= demoWorkspace
    for (const hook of ['openTracing', 'findSubject', 'letters'] as const) {
      const isOnly = hooks[hook] === undefined || this.modules.every((other) => other[hook] === undefined)
      check(isOnly, `another module already has ${hook}.`)
    }
    const isRendered = levels.length + Object.keys(passportParts).length > 0
    this.modules.push({ ...hooks, folder, isRendered })
    this.retention.push(...retention)
    this.levels.push(...levels)
    this.queues.push(...queues)
    this.schedules.push(...schedules)
    this.entities.push(...entities)
  }

  #addRepresentation(plugin: RepresentationPlugin, folder: string): void {
    const check = checksOf(plugin, folder)
    for (const other of this.representations) {
      const shared = plugin.mediaTypes.find((mediaType) => other.mediaTypes.includes(mediaType))
      check(shared === undefined, `${other.name} already has the media type ${shared}.`)
    }
    for (const [level, renderer] of Object.entries(plugin.levels ?? {})) {
      check(typeof renderer.render === 'function', `levels.${level} has no function render.`)
    }
    if (plugin.isSigned !== true && plugin.isDefault) {
      check(this.defaultRepresentation === undefined, `${this.defaultRepresentation?.name} is already the default.`)
      this.defaultRepresentation = plugin
    }
    this.representations.push(plugin)
    this.representations.sort((a, b) => rankOf(a) - rankOf(b))
  }

  #addCategory(plugin: CategoryPlugin, folder: string): void {
    const file = join(folder, 'schemas', `${plugin.name}.json`)
    const published = existsSync(file)
    const isOnce = !published || plugin.schema === undefined
    checksOf(plugin, folder)(isOnce, `has both a "schema" and ${file}. Remove one.`)
    const schema = published ? readJson(file, plugin.name) : plugin.schema
    this.categories.set(plugin.name, { plugin, published, schema, availability: availabilityOf(schema) })
  }

  #assertAnnotated(name: string, folder: string): void {
    const schema = this.categories.get(name)?.schema
    const sections = (this.locales.get(name)?.get('en')?.() as { section?: unknown } | undefined)?.section
    const ownSections = isRecord(sections) ? Object.keys(sections) : []
    const [fault] = schema === undefined ? [] : annotationFaults(schema, COMMON_SCHEMA, ownSections)
    const found = fault ?? availabilityFault(schema ?? {})
    if (found !== undefined) throw new PluginError(`Plugin ${name} (${folder}): in the schema of ${name}, ${found}`)
  }

  async addFolder(module: Plugin | readonly Plugin[], folder: string): Promise<void> {
    const modules: readonly Plugin[] = Array.isArray(module) ? module : [module]
    const names = modules.map(({ name }) => name)
    const label = names.join(', ')
    const locales = join(folder, 'locales')
    if (existsSync(locales)) {
      const texts = new Map<string, () => object>()
      for (const file of readdirSync(locales)
        .filter((name) => name.endsWith('.json'))
        .sort()) {
        const read = () => readJson(join(locales, file), label)
        // An error must prevent the start.
        read()
        texts.set(basename(file, '.json'), read)
      }
      for (const name of names) this.locales.set(name, texts)
    }
    for (const { kind, name } of modules) if (kind === 'category') this.#assertAnnotated(name, folder)
    const migrations = join(folder, 'migrations')
    if (existsSync(migrations)) this.migrations.push(...(await loadMigrations(migrations, label)))
    const openapi = join(folder, 'openapi.yaml')
    if (existsSync(openapi)) {
      const isModule = modules.some(({ kind }) => kind === 'module')
      const document = await readDocument(openapi, label, isModule)
      const [prefix = ''] = modules.flatMap((module) => (module.kind === 'module' ? (module.api?.prefix ?? []) : []))
      const other = Object.keys(document.paths).find((path) => !path.startsWith(`${prefix}/`))
      checksOf({ name: label }, openapi)(other === undefined, `the path ${other} does not begin with ${prefix}/.`)
      this.openapi.push({ plugin: label, ...document })
    }
  }
}

/** Returns a function that throws a PluginError with the plugin and the reason, if a condition is not met. */
const checksOf =
  ({ name }: Pick<Plugin, 'name'>, folder: string) =>
  (isMet: boolean, reason: string) => {
    if (!isMet) throw new PluginError(`Plugin ${name} (${folder}): ${reason}`)
  }

/** Components permitted to plugins other than modules. */
const DESCRIPTIONS = ['schemas', 'examples']

/** @throws PluginError for parts that the plugin must not contain */
export async function readDocument(
  file: string,
  label: string,
  isModule: boolean,
): Promise<Omit<PluginDocument, 'plugin'>> {
  const { openapi: _, info: __, paths = {}, components = {}, ...others } = await parseYaml(file, label)
  const unknown = [
    ...Object.keys(others),
    ...(isModule || Object.keys(paths).length === 0 ? [] : ['paths']),
    ...Object.keys(components)
      .filter((key) => !isModule && !DESCRIPTIONS.includes(key))
      .map((key) => `components.${key}`),
  ]
  if (unknown.length === 0) return { paths, components }
  const allowed = isModule ? 'paths and components' : 'components.schemas and components.examples'
  throw new PluginError(`Plugin ${label} (${file}): only ${allowed} are allowed. Remove ${unknown.join(', ')}.`)
}

/** Uses the startup cache: the parser takes 0.1 s and 4 MB of each start. */
async function parseYaml(file: string, label: string): Promise<Record<string, Record<string, never>>> {
  const text = readFileSync(file, 'utf8')
  const cache = startupCache(`openapi-${label}`, [text])
  const cached = cache.text
  if (cached !== undefined) return JSON.parse(cached)
  const { parse } = await import('yaml')
  const parsed = parse(text) ?? {}
  cache.keep(JSON.stringify(parsed))
  return parsed
}

/** Loads migrations by file name: SQL, or classes as default exports. */
export async function loadMigrations(folder: string, label: string): Promise<{ name: string; class: never }[]> {
  const migrations: { name: string; class: never }[] = []
  for (const file of readdirSync(folder)
    .filter((name) => /\.(ts|js|sql)$/.test(name) && !name.endsWith('.d.ts'))
    .sort()) {
    const path = join(folder, file)
    const migration = file.endsWith('.sql')
      ? await sqlMigration(path)
      : (await import(pathToFileURL(path).href)).default
    if (typeof migration !== 'function') {
      throw new PluginError(`${label}: ${path} has no migration class as its default export.`)
    }
    migrations.push({ name: `${label}/${file.replace(/\.(ts|js|sql)$/, '')}`, class: migration as never })
  }
  return migrations
}

async function sqlMigration(path: string) {
  const { Migration } = await import('@mikro-orm/migrations')
  const sql = readFileSync(path, 'utf8')
  return class extends Migration {
    override up(): void {
      this.addSql(sql)
    }
  }
}

async function importPlugin(main: string, folder: string): Promise<Plugin | readonly Plugin[]> {
  try {
    const module = await import(pathToFileURL(main).href)
    return module.default
  } catch (error) {
    throw new PluginError(`Plugin ${basename(folder)} (${main}) cannot be loaded: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function assertPlugin(value: unknown, folder: string): asserts value is Plugin {
  const fail = (reason: string): never => {
    throw new PluginError(`Plugin ${basename(folder)} (${folder}): ${reason}`)
  }
  if (typeof value !== 'object' || value === null) fail('the default export is not an object.')
  const plugin = value as Record<string, unknown>
  if (typeof plugin.name !== 'string' || !/^[a-z][a-z0-9-]{0,63}$/.test(plugin.name)) {
    fail(`name must be lower-case letters, digits and hyphens, not ${JSON.stringify(plugin.name)}.`)
  }
  const functions = { representation: ['render'], signer: ['open'], category: [], module: [] }[String(plugin.kind)]
  if (functions === undefined)
    fail(`kind must be representation, category, signer or module, not ${JSON.stringify(plugin.kind)}.`)
  for (const name of functions ?? []) if (typeof plugin[name] !== 'function') fail(`function ${name} is missing.`)
  for (const name of OPTIONAL_FUNCTIONS) {
    if (plugin[name] !== undefined && typeof plugin[name] !== 'function') fail(`${name} is not a function.`)
  }
  if (plugin.kind === 'representation' && !isTextList(plugin.mediaTypes, 1))
    fail('mediaTypes must list at least one media type.')
  if (plugin.rank !== undefined && !Number.isSafeInteger(plugin.rank)) fail('rank must be a whole number.')
  if (plugin.isSigned === true && !isTextList(plugin.profiles, 1)) fail('profiles must list at least one profile.')
  if (plugin.isSigned === true && plugin.isDefault === true) fail('a signed representation cannot be the default.')
  if (plugin.restrictedKeys !== undefined && !isTextList(plugin.restrictedKeys, 0))
    fail('restrictedKeys must be an array of strings.')
  if (plugin.isUntracked !== undefined && typeof plugin.isUntracked !== 'boolean')
    fail('isUntracked must be true or false.')
  if (plugin.reportUrl !== undefined && !isHttps(plugin.reportUrl)) fail('reportUrl must be an https URL.')
}

const OPTIONAL_FUNCTIONS = [
  'demo',
  'onChange',
  'onValidate',
  'openTracing',
  'findSubject',
  'onPublicChange',
  'onNotification',
  'onAccessRequest',
  'mailsDecisions',
  'greet',
  'rewrap',
  'check',
  'parse',
  'renderProblem',
  'renderAccessRequest',
  'renderAccessStatus',
  'renderChoices',
  'renderUnit',
  'renderCeasedUnit',
]

const isHttps = (value: unknown) => typeof value === 'string' && URL.parse(value)?.protocol === 'https:'

const isTextList = (value: unknown, atLeast: number) =>
  Array.isArray(value) && value.length >= atLeast && value.every((item) => typeof item === 'string' && item !== '')

function readJson(file: string, label: string): JsonRecord {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new PluginError(`Plugin ${label}: ${file} is not JSON: ${(error as Error).message}`, { cause: error })
  }
}
