import { dictionary, notFound, Problem } from '../../../../src/plugin/index.ts'
import { forbidden } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

const FORMATS = dictionary<string>({
  csv: 'csv',
  txt: 'csv',
  xlsx: 'xlsx',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  aasx: 'aasx',
})

export default function importPages(services: Cradle): PageFile {
  const { consoleEditor: editor } = services
  const imports = otherService(services, 'imports')
  const tables = otherService(services, 'passportTables')
  if (imports === undefined || tables === undefined) return { pages: [] }
  const used = imports
  return {
    pages: [
      { path: 'imports', needs: 'passport:create', nav: { group: 'work', order: 20 }, show: (me) => overview(me) },
      // Files are posted to `/console/upload/imports/new`.
      { path: 'imports/new', needs: 'passport:create', show: (me) => overview(me), act: add },
      { path: 'imports/{id}', needs: 'passport:create', show },
      { path: 'imports/{id}/columns', needs: 'passport:create', show: showColumns, act: repeat },
      { path: 'imports/{id}/corrected', needs: 'passport:create', show: corrected },
      { path: 'imports/{id}/template', needs: 'passport:create', show: template },
      { path: 'passports/export', needs: 'passport:read', show: exported },
    ],
    async attention({ principal, t, can }) {
      if (!can('passport:create')) return []
      const { imports: recent } = await used.list(principal)
      const refused = recent.filter(({ dryRun, rows }) => !dryRun && rows.refused > 0)
      const count = refused.reduce((sum, { rows }) => sum + rows.refused, 0)
      return [{ order: 40, count, text: t('imports.errors'), href: `/console/imports/${refused[0]?.id ?? ''}` }]
    },
  }

  async function overview(me: SignedIn, errors: readonly FieldError[] = [], category = ''): Promise<Outcome> {
    const { imports: recent } = await used.list(me.principal)
    return {
      title: me.t('imports.title'),
      template: 'imports',
      errors,
      status: errors.length > 0 ? 400 : 200,
      api: 'POST /api/v1/imports?dryRun=true\nContent-Type: text/csv',
      data: { recent, category, categories: editor.categories(me), mayImport: me.can('passport:publish') },
    }
  }

  async function add(me: SignedIn, { form, files }: PageRequest): Promise<Outcome> {
    const { file } = files
    const format = FORMATS[/\.([a-z]+)$/i.exec(file?.name ?? '')?.[1]?.toLowerCase() ?? '']
    const dryRun = form.do !== 'import'
    if (!dryRun && !me.can('passport:publish')) throw forbidden(me.t('problem.right'))
    if (file === undefined || format === undefined) {
      return overview(
        me,
        [{ field: 'file', message: me.t(file === undefined ? 'imports.choose' : 'imports.type') }],
        form.category,
      )
    }
    try {
      const { import: added } = await used.add(me.principal, {
        ...{ format, dryRun, lang: me.lang, file: Buffer.from(file.bytes) },
        category: form.category || undefined,
      })
      return { to: `/console/imports/${added.id}` }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 409].includes(error.status)) throw error
      return overview(me, [{ field: 'file', message: error.message }], form.category)
    }
  }

  async function show(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const { import: found } = await used.find(me.principal, id)
    const isDone = found.status === 'done' || found.status === 'failed'
    return {
      title: me.t('imports.title'),
      template: 'import',
      trail: [{ href: '/console/imports', text: me.t('nav.imports') }],
      api: `GET /api/v1/imports/${found.id}`,
      data: {
        found,
        isDone,
        mayImport: me.can('passport:publish'),
        hasFile: isDone && found.dryRun && (await used.preview(me.principal, id)) !== undefined,
      },
    }
  }

  /** Assigns the columns of a checked table to fields. */
  async function showColumns(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const [{ import: found }, headings] = await Promise.all([
      used.find(me.principal, id),
      used.preview(me.principal, id),
    ])
    if (headings === undefined) return { to: `/console/imports/${found.id}` }
    const columns = tables?.columns(found.category, me.lang) ?? missing()
    const keys = new Map(columns.flatMap(({ key, label }) => [key, label].map((text) => [text.toLowerCase(), key])))
    return {
      title: me.t('imports.columns'),
      template: 'import-columns',
      trail: [
        { href: '/console/imports', text: me.t('nav.imports') },
        { href: `/console/imports/${found.id}`, text: me.t('imports.title') },
      ],
      api: 'POST /api/v1/imports?dryRun=true&columns={"Article":"productId"}\nContent-Type: text/csv',
      data: {
        ...{ found, columns, mayImport: me.can('passport:publish') },
        headings: headings.map((one) => ({ ...one, key: keys.get(one.heading.toLowerCase()) ?? '' })),
      },
    }
  }

  /** Checks or imports the stored file again, with the chosen columns if the form has some. */
  async function repeat(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const dryRun = form.do !== 'import'
    if (!dryRun && !me.can('passport:publish')) throw forbidden(me.t('problem.right'))
    const chosen = Object.entries(form).filter(([name]) => name.startsWith('column.'))
    const columns = Object.fromEntries(chosen.map(([name, key = '']) => [name.slice('column.'.length), key]))
    const { import: added } = await used.repeat(me.principal, id, {
      ...{ dryRun, lang: me.lang },
      ...(chosen.length === 0 ? {} : { columns }),
    })
    return { to: `/console/imports/${added.id}` }
  }

  async function corrected(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    return { file: 'to-correct.csv', type: 'text/csv; charset=utf-8', body: await used.errorsFile(me.principal, id) }
  }

  function template({ lang }: SignedIn, { id }: PageRequest): Outcome {
    const { body, contentType } = tables?.template(id, 'xlsx', lang) ?? missing()
    return { file: `template-${id}.xlsx`, type: contentType, body }
  }

  function exported({ principal }: SignedIn, { query }: PageRequest): Outcome {
    const filters = query.category ? { category: query.category } : {}
    const { body, contentType } = tables?.exportFile(principal, 'xlsx', filters) ?? missing()
    return { file: 'passports.xlsx', type: contentType, body }
  }
}

function missing(): never {
  throw notFound('The module imports is not loaded.')
}
