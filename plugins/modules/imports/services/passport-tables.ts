import { isRecord, type JsonRecord, notFound, textIn } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  type CatalogueFilters,
  COMMON_SCHEMA,
  COUNTRY_CODES,
  csvLine,
  type ListedRow,
  type ModuleCradle,
  nearestOf,
  once,
  type PassportRow,
  type Principal,
  passportsAfter,
  type Reader,
  readerOfLists,
} from '../../../../src/plugin/module.ts'
import { type AasxFormat, writeAasx } from '../tables/aasx-writer.ts'
import { columnsOf, type Exported, exporter, type KnownColumn, keyTest, kindsByCategory } from '../tables/columns.ts'
import { HELP_PREFIX } from '../tables/read-table.ts'
import { awaitFirst, type Cell, type Format, MAX_CELL_CHARACTERS } from '../tables/table.ts'
import { type Choice, writeXlsx } from '../tables/xlsx-writer.ts'

const SLICE_ROWS = 200
const MAX_EXPORTED_COLUMNS = 480
const UUID_COLUMNS = [
  { key: 'operatorId', help: 'UUID of the economic operator; empty for the first of the workspace.' },
  { key: 'facilityId', help: 'UUID of the manufacturing facility, required to issue credentials.' },
] as const
/** Removed from headings: spreadsheet searches would not find them. */
const SOFT_HYPHEN = '\u00ad'
/** Spreadsheet programs read CSV as UTF-8 only with a BOM. */
const BOM = '\ufeff'

interface TableFile {
  readonly body: AsyncIterable<Uint8Array>
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

const CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson',
  aasx: 'application/aas+zip',
} as const

export default function passportTables({
  passportRows,
  database,
  plugins,
  descriptions,
  passportViews,
  protectedReadAudit,
  renditions,
}: ModuleCradle) {
  const schemasOf = (category: string | undefined) => [plugins.categories.get(category ?? '')?.schema, COMMON_SCHEMA]
  const kindsFor = kindsByCategory(plugins.categories, COMMON_SCHEMA)

  const isKnown = once(() => {
    const schemas = [...plugins.categories.values()].map(({ schema }) => schema)
    return keyTest([...schemas, COMMON_SCHEMA], COMMON_SCHEMA)
  })

  return { exportFile, exportRows, template, columns, isColumn }

  /**
   * Returns the passports of the caller's list as a file, newest first. `BRAND_OPERATOR` has the owner's view, which is audited.
   * @param environmentFormat for AASX only
   * @throws Problem 400 for `environmentFormat` with another format
   */
  function exportFile(
    principal: Principal,
    format: Format,
    filters: CatalogueFilters,
    environmentFormat?: AasxFormat,
  ): TableFile {
    if (environmentFormat !== undefined && format !== 'aasx')
      throw badRequest('environments is allowed only with format=aasx.')
    const reader = readerOfLists(principal)
    if (reader === 'owner') {
      const { tenantId, actor } = principal
      const auditedRead = {
        action: 'passport.listed',
        subjectId: tenantId,
        representation: 'list',
        audience: reader,
      } as const
      protectedReadAudit.record({ tenantId, actor, ...auditedRead })
    }
    if (format === 'aasx') {
      return fileOf('passports', format, () => writeAasx(environments(principal, reader, filters), environmentFormat))
    }
    const passports = slices(principal, filters, (row) => ({
      id: row.id,
      productId: row.productId,
      status: row.status,
      operator: row.operator.regId,
      metadata: passportViews.shown({ metadata: JSON.parse(row.metadataText) }, reader).metadata,
    }))
    return fileOf('passports', format, () => bytesOf(format, passports, filters.category))
  }

  /** Returns loaded passports of the caller as a CSV file, with the view of its list. */
  function exportRows(principal: Principal, rows: readonly PassportRow[]): TableFile {
    const reader = readerOfLists(principal)
    const categories = new Set(rows.map(({ metadata }) => textIn(metadata, 'category')))
    const [only] = categories.size === 1 ? categories : []
    const passports = rows.map((row) => ({
      ...{ id: row.id, productId: row.productId, status: row.status, operator: row.operator.regId },
      metadata: passportViews.shown({ metadata: row.metadata }, reader).metadata,
    }))
    return fileOf('passports', 'csv', () => bytesOf('csv', oneSlice(passports), only))
  }

  async function* slices<T>(principal: Principal, filters: CatalogueFilters, map: (row: ListedRow) => T) {
    const session = database.forTenant(principal.tenantId)
    for (let after: ListedRow | undefined; ; ) {
      const rows: ListedRow[] = await passportsAfter(session, principal, filters, { after, limit: SLICE_ROWS })
      yield rows.map(map)
      after = rows.at(-1)
      if (rows.length < SLICE_ROWS) return
    }
  }

  /** Renders AAS environments without seals, because other workspaces reject them at import. */
  async function* environments(principal: Principal, reader: Reader, filters: CatalogueFilters) {
    const session = database.forTenant(principal.tenantId)
    const plugin = plugins.representations.find(({ name }) => name === 'aas')
    if (plugin === undefined || plugin.isSigned)
      throw badRequest('The representation aas is not loaded. Add it to PLUGINS.')
    const context = renditions.contextFor(plugin, '')
    for await (const slice of slices(principal, filters, ({ id }) => id)) {
      const rows = await Promise.all(slice.map((id) => passportRows.load(session, id)))
      for (const row of rows) {
        if (row === undefined) continue
        const { body } = await plugin.render(passportViews.view({ ...row, seal: null }, reader), context)
        yield JSON.parse(String(body))
      }
    }
  }

  async function* bytesOf(
    format: Exclude<Format, 'aasx'>,
    slices: AsyncIterable<readonly Exported[]>,
    category: string | undefined,
  ): AsyncGenerator<Uint8Array> {
    const passports = await awaitFirst(slices)
    if (format === 'jsonl') {
      for await (const slice of passports) {
        yield Buffer.from(
          slice.map(({ productId, metadata }) => `${JSON.stringify({ productId, metadata })}\n`).join(''),
        )
      }
      return
    }
    const schemas = category === undefined ? [...plugins.categories.values()].map(({ schema }) => schema) : []
    const columns = columnsOf([...schemas, ...schemasOf(category)], COMMON_SCHEMA).slice(0, MAX_EXPORTED_COLUMNS)
    const { keys, cellsOf } = exporter(columns, kindsFor)
    if (format === 'xlsx') {
      yield* writeXlsx({ rows: rowsOf(keys, passports, cellsOf) })
      return
    }
    yield Buffer.from(BOM + csvLine(keys))
    for await (const slice of passports) {
      yield Buffer.from(slice.map((passport) => csvLine(cellsOf(passport))).join(''))
    }
  }

  /** Keys that a heading may have, with labels; of lists only the first entry. */
  function columns(
    category: string | undefined,
    lang: string,
  ): readonly { readonly key: string; readonly label: string }[] {
    const described = descriptions.of(category, lang)
    const labelled = (key: string) => ({ key, label: (described.label(key) ?? key).replaceAll(SOFT_HYPHEN, '') })
    const known = columnsOf(schemasOf(category), COMMON_SCHEMA)
    return [
      { key: 'productId', label: described.label('gtin') ?? 'GTIN' },
      ...UUID_COLUMNS.map(({ key }) => labelled(key)),
      ...known
        .filter(({ path }) => !path.some((step) => typeof step === 'number' && step > 0))
        .map(({ key, path }) => ({ key, label: labelOf(path, described).replaceAll(SOFT_HYPHEN, '') })),
    ]
  }

  /** True for a key of any category. */
  function isColumn(key: string): boolean {
    return isKnown()(key)
  }

  /** @throws Problem 404 for an unknown category */
  function template(category: string, format: 'csv' | 'xlsx', lang: string): TableFile {
    if (!plugins.categories.has(category)) {
      const meant = nearestOf(category, plugins.categories.keys())
      const hint =
        meant === undefined ? `Use one of: ${[...plugins.categories.keys()].join(', ')}.` : `Did you mean ${meant}?`
      throw notFound(`Unknown category "${category.slice(0, 100)}". ${hint}`)
    }
    const columns = columnsOf(schemasOf(category), COMMON_SCHEMA).slice(0, MAX_EXPORTED_COLUMNS)
    const described = descriptions.of(category, lang)
    const labels = columns.map(({ path }) => labelOf(path, described))
    const rows: Cell[][] = [
      [described.label('gtin') ?? 'GTIN', ...UUID_COLUMNS.map(({ key }) => described.label(key) ?? key), ...labels].map(
        (label) => label.replaceAll(SOFT_HYPHEN, ''),
      ),
      ['productId', ...UUID_COLUMNS.map(({ key }) => key), ...columns.map(({ key }) => key)],
      [`${HELP_PREFIX}09520123456788`, ...UUID_COLUMNS.map(({ help }) => help), ...columns.map(helpOf)],
    ]
    return fileOf(`template-${category}`, format, async function* () {
      if (format === 'csv') yield Buffer.from(BOM + rows.map(csvLine).join(''))
      else yield* writeXlsx({ rows, frozen: rows.length, choices: choicesOf(columns, category) })
    })
  }
}

function labelOf(
  path: readonly (string | number)[],
  described: ReturnType<ModuleCradle['descriptions']['of']>,
): string {
  const labels = path.map((step, index) => {
    if (typeof step === 'number') return String(step + 1)
    const group = path.slice(0, index).findLast((one) => typeof one === 'string')
    return described.label(step, group) ?? step
  })
  return labels.join(' › ')
}

async function* oneSlice<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows
}

async function* rowsOf(
  keys: readonly string[],
  passports: AsyncIterable<readonly Exported[]>,
  cellsOf: (passport: Exported) => Cell[],
): AsyncGenerator<readonly Cell[]> {
  yield keys
  for await (const slice of passports) for (const passport of slice) yield cellsOf(passport)
}

function fileOf(name: string, format: Format, body: () => AsyncIterable<Uint8Array>): TableFile {
  return {
    body: body(),
    contentType: CONTENT_TYPES[format],
    headers: { 'Content-Disposition': `attachment; filename="${name}.${format}"` },
  }
}

function helpOf({ kind, property }: KnownColumn): string {
  const { minimum, maximum, format, description } = property
  const range = typeof minimum === 'number' && typeof maximum === 'number' ? `${minimum} … ${maximum}` : '1.5'
  const forms = {
    text: format === 'date' ? 'YYYY-MM-DD' : '',
    number: range,
    boolean: 'true, false',
    texts: 'a; b; c',
    numbers: '1; 2; 3',
  }
  const parts = [forms[kind], typeof description === 'string' ? description : ''].filter((part) => part !== '')
  return parts.join(' · ').slice(0, MAX_CELL_CHARACTERS)
}

function choicesOf(columns: readonly KnownColumn[], category: string): Choice[] {
  return columns.flatMap(({ key, property }, index): Choice[] => {
    const values = key === 'category' ? [category] : isCountry(property) ? COUNTRY_CODES : enumOf(property)
    return values.length === 0 ? [] : [{ column: 1 + UUID_COLUMNS.length + index, values }]
  })
}

const isCountry = ({ $ref }: JsonRecord): boolean => typeof $ref === 'string' && $ref.endsWith('#/$defs/countryCode')

const enumOf = (property: JsonRecord): string[] =>
  isRecord(property) && Array.isArray(property.enum)
    ? property.enum.filter((value): value is string => typeof value === 'string')
    : []
