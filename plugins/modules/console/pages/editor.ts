import { isDeepStrictEqual } from 'node:util'
import type { Json, Metadata } from '../../../../src/plugin/index.ts'
import { ownScope, type PassportRow } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { Field, FormModel } from '../editor/fields.ts'
import { controlOf, errorsOf, isAbsence } from '../editor/findings.ts'
import { type FormValues, valuesOf } from '../editor/form-values.ts'
import { afterButton } from '../editor/list-actions.ts'
import { type Conflict, mergeInto } from '../editor/merge.ts'
import { readForm } from '../editor/read-form.ts'
import { dropEntry, type EntryName, findEntry, putEntry } from '../entry-rows.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

type Mode = 'edit' | 'correct'

export default function editorPages(services: Cradle): PageFile {
  const { consoleEditor: editor, passports, revisions, database } = services
  return {
    pages: [
      {
        path: 'passports/{id}/edit',
        needs: 'passport:update',
        show: (me, request) => show(me, request, 'edit'),
        act: (me, request) => act(me, request, 'edit'),
      },
      {
        path: 'passports/{id}/correct',
        needs: 'passport:seal',
        isSensitive: true,
        show: (me, request) => show(me, request, 'correct'),
        act: (me, request) => act(me, request, 'correct'),
      },
      // Loaded by the script when a country is typed: 12 KB in some languages.
      {
        path: 'countries',
        needs: null,
        show: ({ lang }) => ({
          file: 'countries.json',
          type: 'application/json',
          body: JSON.stringify(editor.notation(lang).countries),
        }),
      },
    ],
  }

  async function show(me: SignedIn, request: PageRequest, mode: Mode): Promise<Outcome> {
    const row = await editor.load(me, request.id)
    if ((row.seal !== null) !== (mode === 'correct')) {
      return { to: `/console/passports/${row.id}/${row.seal === null ? 'edit' : 'correct'}?${sectionQuery(request)}` }
    }
    const { fields, name } = sectionOf(editor.formFor(row.metadata), request)
    const { form } = request
    if (form.base !== undefined)
      return view(me, request, { row, mode, values: form, base: editor.baseOf(form.base), errors: [] })
    const entry = await findEntry(database.forTenant(me.principal.tenantId), entryName(me, row, name))
    if (entry !== undefined) {
      const base = editor.baseOf(entry.values.base)
      return view(me, request, { row, mode, values: entry.values, base, errors: [], restoredAt: entry.at })
    }
    const values = valuesOf({ fields, sections: [] }, row.metadata, editor.notation(me.lang))
    const { issues } = editor.inspect(row, me.lang)
    const { names } = readForm({ fields, sections: [] }, values, row.metadata, editor.notation(me.lang))
    const shown = issues.filter(({ path }) => request.query.check !== undefined || !isAbsence(path, row.metadata))
    const own = shown.filter(({ path }) => controlOf(path, names) !== undefined)
    return view(me, request, {
      row,
      mode,
      values,
      base: pick(row.metadata, fields),
      errors: errorsOf([], own, names, me.t, () => ''),
    })
  }

  async function act(me: SignedIn, request: PageRequest, mode: Mode): Promise<Outcome> {
    const row = await editor.load(me, request.id)
    const { form } = request
    const { fields, next, name } = sectionOf(editor.formFor(row.metadata), request)
    const session = database.forTenant(me.principal.tenantId)
    const entry = entryName(me, row, name)
    if (form.do === 'discard') {
      await dropEntry(session, entry)
      return { to: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(name)}` }
    }
    const base = editor.baseOf(form.base)
    const state = { row, mode, values: form, base, errors: [] }
    const listed = afterButton(form, form.do ?? '')
    if (listed !== undefined) return view(me, request, { ...state, values: listed.values, focus: listed.focus })
    const { lang, t } = me
    const read = readForm({ fields, sections: [] }, form, base, editor.notation(lang))
    const labelOf = (name: string) => editor.labelOf(fields, name, row.metadata, me)
    const merged = mergeInto(row.metadata, pick(base, fields), pick(read.metadata, fields), form)
    if (form.do !== 'live' && merged.conflicts.length > 0)
      return conflictView(me, request, { row, mode, fields, conflicts: merged.conflicts })
    const { issues } = editor.inspect({ ...row, metadata: merged.metadata }, lang)
    const ofSection = (path: string) => controlOf(path, read.names) !== undefined
    const isDraft = row.status === 'DRAFT'
    const blocking = isDraft ? [] : issues
    if (form.do === 'live') {
      const shown = issues.filter(({ path }) => ofSection(path) && !isAbsence(path, merged.metadata))
      const { csrf: _csrf, do: _do, ...typed } = form
      const isStored = read.faults.length === 0 && isDeepStrictEqual(merged.metadata, row.metadata)
      await (isStored ? dropEntry(session, entry) : putEntry(session, entry, row.version, typed))
      return live(errorsOf(read.faults, shown, read.names, t, labelOf), merged.metadata, row, me)
    }
    const errors = [
      ...(isDraft || form.reason ? [] : [{ field: 'reason', message: t('editor.reasonMissing') }]),
      ...errorsOf(read.faults, blocking, read.names, t, labelOf),
    ]
    if (errors.length > 0) return view(me, request, { ...state, errors, isRefused: true })
    await save(me, row, merged.metadata, mode, form.reason)
    await dropEntry(session, entry)
    if (form.do === 'done') return { to: `/console/passports/${row.id}`, done: 'saved' }
    const hasFindings = issues.some(({ path }) => ofSection(path) && !isAbsence(path, merged.metadata))
    const section = form.do === 'next' && next !== undefined && !hasFindings ? next : name
    return { to: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(section)}`, done: 'saved' }
  }

  async function save(
    { principal, lang, t }: SignedIn,
    row: PassportRow,
    metadata: Metadata,
    mode: Mode,
    reason: string | undefined,
  ): Promise<void> {
    if (isDeepStrictEqual(metadata, row.metadata)) return
    const ifMatch = new Set([String(row.version)])
    if (mode === 'correct') {
      const input = { metadata, changeReason: reason ?? '' }
      await revisions.revise(principal, row.id, input, lang, ownScope(database, principal.tenantId), ifMatch)
    } else {
      const draft = row.status === 'DRAFT'
      const input = { metadata, draft, changeReason: reason || t('editor.changeReason') }
      await passports.update(principal, row.id, input, lang, ifMatch)
    }
  }

  function live(errors: readonly FieldError[], metadata: Metadata, row: PassportRow, me: SignedIn): Outcome {
    const { completeness, findings } = editor.inspect({ ...row, metadata }, me.lang)
    const sections = editor.sectionsOf(metadata, { findings: findings(), completeness }, me)
    const counts = completeness?.counts.mandatory
    const body = {
      errors,
      met: counts?.met,
      progress: counts && me.t('editor.mandatory', { ...counts }),
      sections: Object.fromEntries(
        sections.map(({ name, stated, total }) => [name, me.t('editor.stated', { stated, total })]),
      ),
    }
    return { file: 'check.json', type: 'application/json', body: JSON.stringify(body) }
  }

  function view(
    me: SignedIn,
    request: PageRequest,
    { row, mode, values, base, errors, focus, isRefused = false, restoredAt }: EditorState,
  ): Outcome {
    const { t, lang } = me
    const { name, next, fields } = sectionOf(editor.formFor(row.metadata), request)
    const { completeness, findings } = editor.inspect(row, lang)
    const controls = editor.controls(fields, { me, metadata: row.metadata, values, errors })
    const { languages } = editor.notation(lang)
    const title = editor.titleOf(row, lang)
    const sections = editor.sectionsOf(row.metadata, { findings: findings(), completeness }, me)
    return {
      title: t(`editor.title.${mode}`, { title }),
      template: 'editor',
      errors,
      status: isRefused ? 400 : 200,
      trail: [
        { href: '/console/passports', text: t('nav.passports') },
        { href: `/console/passports/${row.id}`, text: title },
      ],
      api:
        mode === 'edit'
          ? `PUT /api/v1/passports/${row.id}\nIf-Match: "${row.version}"`
          : `POST /api/v1/passports/${row.id}/revisions`,
      data: {
        ...{ row, mode, name, next, controls, sections, focus, isRefused, completeness, restoredAt },
        action: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(name)}`,
        label: editor.sectionLabel(row.metadata, name, me),
        base: editor.packed(base),
        reason: values.reason ?? '',
        missing:
          completeness?.missing.filter(
            ({ key, level }) => level === 'model' && fields.some((field) => field.key === key.split(/[.[]/)[0]),
          ) ?? [],
        languages: uses(controls, 'languages') ? languages : [],
        others: name === 'further' ? unknownOf(row.metadata, editor.formFor(row.metadata)) : [],
      },
    }
  }

  function conflictView(
    me: SignedIn,
    { form }: PageRequest,
    {
      row,
      mode,
      fields,
      conflicts,
    }: {
      readonly row: PassportRow
      readonly mode: Mode
      readonly fields: readonly Field[]
      readonly conflicts: readonly Conflict[]
    },
  ): Outcome {
    const { t, lang } = me
    const notation = editor.notation(lang)
    const texts = (key: string, value: Json | undefined) => {
      const field = fields.filter((one) => one.key === key)
      const metadata = value === undefined ? {} : { [key]: value }
      return Object.entries(valuesOf({ fields: field, sections: [] }, metadata, notation))
        .filter(([name, text]) => !name.endsWith('[]') && text !== '')
        .map(([, text]) => text)
    }
    const labels = editor.controls(fields, { me, metadata: row.metadata, values: {}, errors: [] })
    const { base: _base, do: button, csrf: _csrf, ...typed } = form
    const title = editor.titleOf(row, lang)
    return {
      title: t('editor.merge.title'),
      template: 'editor-merge',
      status: 409,
      api: `PUT /api/v1/passports/${row.id}\nIf-Match: "${row.version}"`,
      trail: [
        { href: '/console/passports', text: t('nav.passports') },
        { href: `/console/passports/${row.id}`, text: title },
      ],
      data: {
        action: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(fields[0]?.section ?? '')}`,
        base: form.base,
        button: button ?? 'save',
        typed: Object.entries(typed).filter(([name]) => !name.startsWith('keep.')),
        conflicts: conflicts.map(({ key, mine, theirs }) => ({
          key,
          label: labels.find(({ name }) => name === key)?.label ?? key,
          mine: texts(key, mine),
          theirs: texts(key, theirs),
        })),
      },
    }
  }
}

interface EditorState {
  readonly row: PassportRow
  readonly mode: Mode
  readonly values: FormValues
  readonly base: Metadata
  readonly errors: readonly FieldError[]
  readonly focus?: string
  /** True if the form was not stored. */
  readonly isRefused?: boolean
  /** Time of the kept entry that the form shows. */
  readonly restoredAt?: string
}

const entryName = ({ person }: SignedIn, { id }: PassportRow, section: string): EntryName => ({
  ...{ personId: person.id, passportId: id, section },
})

const sectionQuery = ({ query }: PageRequest): string =>
  new URLSearchParams(query.section === undefined ? {} : { section: query.section }).toString()

const pick = (metadata: Metadata, fields: readonly Field[]): Metadata => {
  const keys = new Set(fields.map(({ key }) => key))
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => keys.has(key)))
}

/** True if any control suggests values of the list. */
const uses = (controls: object, list: string): boolean => JSON.stringify(controls).includes(`"list":"${list}"`)

/** Section of the address, or the first. */
function sectionOf({ fields, sections }: FormModel, { query }: PageRequest) {
  const name = sections.find((one) => one === query.section) ?? sections[0] ?? ''
  const next = sections[sections.indexOf(name) + 1]
  return { name, next, fields: fields.filter(({ section }) => section === name) }
}

/** Values that no field describes. */
function unknownOf(metadata: Metadata, { fields }: FormModel) {
  const known = new Set(['category', ...fields.map(({ key }) => key)])
  return Object.entries(metadata)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ({ key, value: typeof value === 'string' ? value : JSON.stringify(value) }))
}
