import { dictionary, Problem } from '../../../../src/plugin/index.ts'
import { forbidden } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { missing } from '../faults.ts'
import { columnMatch } from '../import-columns.ts'
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

type Companies = readonly { readonly value: string; readonly text: string }[]

export default function importPages(services: Cradle): PageFile {
  const { consoleEditor: editor, operators } = services
  const imports = otherService(services, 'imports')
  const tables = otherService(services, 'passportTables')
  if (imports === undefined || tables === undefined) return { pages: [] }
  const [used, files] = [imports, tables]
  return {
    pages: [
      { path: 'imports', needs: 'passport:create', nav: { group: 'work', order: 20 }, show: (me) => overview(me) },
      // Files are posted to `/console/upload/imports/new`.
      { path: 'imports/new', needs: 'passport:create', show: (me, { form }) => overview(me, [], form), act: add },
      { path: 'imports/{id}', needs: 'passport:create', show },
      {
        path: 'imports/{id}/columns',
        needs: 'passport:create',
        show: (me, request) => match(me, request, { typed: request.form }),
        act: repeat,
      },
      { path: 'imports/{id}/corrected', needs: 'passport:create', show: corrected },
      { path: 'imports/{id}/template', needs: 'passport:create', show: template },
      { path: 'passports/export', needs: 'passport:read', show: exported },
    ],
    async attention({ principal, t, can }) {
      if (!can('passport:create')) return []
      const refused = await used.toCorrect(principal)
      const count = refused.reduce((sum, { rows }) => sum + rows.refused, 0)
      const href = refused.length === 1 ? `/console/imports/${refused[0]?.id}` : '/console/imports'
      return [{ order: 40, count, text: t('imports.errors'), href }]
    },
  }

  async function overview(
    me: SignedIn,
    errors: readonly FieldError[] = [],
    typed: PageRequest['form'] = {},
  ): Promise<Outcome> {
    const [{ imports: recent }, companies] = await Promise.all([used.list(me.principal), companiesOf(me)])
    return {
      title: me.t('imports.title'),
      template: 'imports',
      errors,
      status: errors.length > 0 ? 400 : 200,
      api: 'POST /api/v1/imports?dryRun=true\nContent-Type: text/csv',
      data: { recent, form: uploadOf(me, companies, typed) },
    }
  }

  async function companiesOf({ principal }: SignedIn): Promise<Companies> {
    return (await operators.list(principal, false)).map(({ id, name }) => ({ value: id, text: name }))
  }

  /** Form with a file, and the values of rows that state none. */
  function uploadOf(
    me: SignedIn,
    companies: Companies,
    { category = '', operator = '', corrects }: PageRequest['form'],
  ) {
    const categories = editor.categories(me)
    return { category, operator, corrects, companies, categories, mayPublish: me.can('passport:publish') }
  }

  /** @throws Problem 403 */
  function modeOf(me: SignedIn, { do: button }: PageRequest['form']) {
    if (button === 'publish' && !me.can('passport:publish')) throw forbidden(me.t('problem.right'))
    const isCheck = button !== 'publish' && button !== 'draft'
    return { dryRun: isCheck, draft: button === 'draft' || !me.can('passport:publish'), lang: me.lang }
  }

  async function add(me: SignedIn, { form, files: { file } }: PageRequest): Promise<Outcome> {
    const format = FORMATS[/\.([a-z]+)$/i.exec(file?.name ?? '')?.[1]?.toLowerCase() ?? '']
    const mode = modeOf(me, form)
    const companies = await companiesOf(me)
    const errors: FieldError[] = []
    if (format === undefined) {
      errors.push({ field: 'file', message: me.t(file === undefined ? 'imports.choose' : 'imports.type') })
    }
    if (companies.length > 1 && !form.operator) {
      errors.push({ field: 'operator', message: missing(me.t, 'create.operator') })
    }
    if (file === undefined || format === undefined || errors.length > 0) return overview(me, errors, form)
    try {
      const { import: added } = await used.add(me.principal, {
        ...{ ...mode, format, file: Buffer.from(file.bytes), acceptsNames: true },
        category: form.category || undefined,
        corrects: form.corrects || undefined,
        operatorId: form.operator || (companies.length === 1 ? companies[0]?.value : undefined),
      })
      return { to: `/console/imports/${added.id}` }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 409].includes(error.status)) throw error
      return overview(me, [{ field: 'file', message: error.message }], form)
    }
  }

  async function show(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const [{ import: found }, companies] = await Promise.all([used.find(me.principal, id), companiesOf(me)])
    const isDone = found.status === 'done' || found.status === 'failed'
    const form = uploadOf(me, companies, { category: found.category, operator: found.operatorId, corrects: found.id })
    const textOf = (choices: Companies, value?: string) => choices.find((one) => one.value === value)?.text
    return {
      title: me.t('imports.title'),
      template: 'import',
      trail: [{ href: '/console/imports', text: me.t('nav.imports') }],
      api: `GET /api/v1/imports/${found.id}`,
      data: {
        ...{ found, isDone, form },
        company: textOf(companies, found.operatorId),
        category: textOf(form.categories, found.category),
        hasFile: isDone && found.dryRun && (await used.preview(me.principal, id)) !== undefined,
      },
    }
  }

  /** Assigns the columns of a checked table to fields. */
  async function match(
    me: SignedIn,
    { id }: PageRequest,
    { typed = {}, errors = [] }: { readonly typed?: PageRequest['form']; readonly errors?: readonly FieldError[] } = {},
  ): Promise<Outcome> {
    const [{ import: found }, headings] = await Promise.all([
      used.find(me.principal, id),
      used.preview(me.principal, id),
    ])
    if (headings === undefined) return { to: `/console/imports/${found.id}` }
    const matching = matchFor(me, found.category)
    return {
      title: me.t('imports.columns'),
      template: 'import-columns',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: [
        { href: '/console/imports', text: me.t('nav.imports') },
        { href: `/console/imports/${found.id}`, text: me.t('imports.title') },
      ],
      api: 'POST /api/v1/imports?dryRun=true&columns={"Article":"productId"}\nContent-Type: text/csv',
      data: {
        ...{ found, fields: matching.names, mayPublish: me.can('passport:publish') },
        headings: matching.shown(headings, typed),
      },
    }
  }

  function matchFor({ t, lang }: SignedIn, category: string | undefined) {
    const columns = files.columns(category, lang).map((one) => {
      // The category has this name for two fields.
      return one.key === 'productId' ? { ...one, label: t('create.product') } : one
    })
    return columnMatch(columns, files.isColumn, t)
  }

  /** Checks or imports the stored file again, with the chosen columns if the form has some. */
  async function repeat(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { id, form } = request
    const mode = modeOf(me, form)
    const { import: found } = await used.find(me.principal, id)
    const matching = matchFor(me, found.category)
    const columns = matching.read(form)
    const headings = columns && (await used.preview(me.principal, id))
    const errors = columns && headings ? matching.errorsIn(columns, headings) : []
    if (errors.length > 0) return match(me, request, { typed: form, errors })
    const changes = { ...mode, ...(columns === undefined ? {} : { columns }) }
    const { import: added } = await used.repeat(me.principal, id, changes)
    return { to: `/console/imports/${added.id}` }
  }

  async function corrected(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    return { file: 'to-correct.csv', type: 'text/csv; charset=utf-8', body: await used.errorsFile(me.principal, id) }
  }

  function template({ lang }: SignedIn, { id }: PageRequest): Outcome {
    const { body, contentType } = files.template(id, 'xlsx', lang)
    return { file: `template-${id}.xlsx`, type: contentType, body }
  }

  function exported({ principal }: SignedIn, { query }: PageRequest): Outcome {
    const filters = query.category ? { category: query.category } : {}
    const { body, contentType } = files.exportFile(principal, 'xlsx', filters)
    return { file: 'passports.xlsx', type: contentType, body }
  }
}
