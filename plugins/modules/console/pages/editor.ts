import { isDeepStrictEqual } from 'node:util'
import type { Json, Metadata } from '../../../../src/plugin/index.ts'
import { ownScope, type PassportRow } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { type Field, type FormModel, ofSection } from '../editor/fields.ts'
import { controlOf, errorsOf, isAbsence } from '../editor/findings.ts'
import { type FormValues, valuesOf } from '../editor/form-values.ts'
import { announced, announcementOf, pick, withSections } from '../editor/kept-sections.ts'
import { afterButton } from '../editor/list-actions.ts'
import { type Conflict, mergeInto } from '../editor/merge.ts'
import type { Notation } from '../editor/notation.ts'
import { readForm } from '../editor/read-form.ts'
import { dropEntry, type EntryName, listEntries, putEntry, type SectionEntry } from '../entry-rows.ts'
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
    const { entry, others } = await entriesOf(me, row, name)
    const { form } = request
    if (form.base !== undefined) {
      return view(me, request, { row, mode, values: form, base: editor.baseOf(form.base), errors: [], others })
    }
    if (entry !== undefined) {
      const base = editor.baseOf(entry.values.base)
      return view(me, request, { row, mode, values: entry.values, base, errors: [], restoredAt: entry.at, others })
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
      others,
    })
  }

  /** Entry of a section, and of the others. */
  async function entriesOf({ principal, person }: SignedIn, { id }: PassportRow, name: string) {
    const entries = await listEntries(database.forTenant(principal.tenantId), person.id, id)
    const entry = entries.find(({ section }) => section === name)
    return { entry, others: entries.filter((one) => one !== entry) }
  }

  async function act(me: SignedIn, request: PageRequest, mode: Mode): Promise<Outcome> {
    const row = await editor.load(me, request.id)
    const { form } = request
    const model = editor.formFor(row.metadata)
    const { fields, next, name } = sectionOf(model, request)
    const session = database.forTenant(me.principal.tenantId)
    const entry = entryName(me, row, name)
    if (form.do === 'discard') {
      await dropEntry(session, entry)
      return { to: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(name)}` }
    }
    const base = editor.baseOf(form.base)
    const { others } = await entriesOf(me, row, name)
    const state = { row, mode, values: form, base, errors: [], others }
    const listed = afterButton(form, form.do ?? '')
    if (listed !== undefined) return view(me, request, { ...state, values: listed.values, focus: listed.focus })
    const { lang, t } = me
    const notation = editor.notation(lang)
    const read = readForm({ fields, sections: [] }, form, base, notation)
    const labelOf = (name: string) => editor.labelOf(fields, name, row.metadata, me)
    const merged = mergeInto(row.metadata, pick(base, fields), pick(read.metadata, fields), form)
    if (form.do !== 'live' && merged.conflicts.length > 0)
      return conflictView(me, request, { row, mode, fields, conflicts: merged.conflicts })
    const keep = () => {
      const { csrf: _csrf, do: _do, ...typed } = form
      const isStored = read.faults.length === 0 && isDeepStrictEqual(merged.metadata, row.metadata)
      return isStored ? dropEntry(session, entry) : putEntry(session, entry, row.version, typed)
    }
    const isKept = mode === 'correct' && form.do === 'next'
    const isWhole = mode === 'correct' && !isKept && form.do !== 'live'
    const { entries: together, changed } = announced(others, isWhole ? form.with : '')
    const whole = withSections(merged.metadata, together, model, { notation, baseOf: editor.baseOf })
    const open = changed ?? whole.open
    if (open !== undefined) {
      await keep()
      return { to: `/console/passports/${row.id}/correct?section=${encodeURIComponent(open)}` }
    }
    const { metadata } = whole
    const { issues } = editor.inspect({ ...row, metadata }, lang)
    const isHere = (path: string) => controlOf(path, read.names) !== undefined
    const found = issues.filter(({ path }) => isHere(path) && !isAbsence(path, metadata))
    if (form.do === 'live') {
      await keep()
      return live(errorsOf(read.faults, found, read.names, t, labelOf), metadata, row, me)
    }
    const isFree = isKept || (row.status === 'DRAFT' && mode === 'edit')
    // A sealed draft is published by its correction, also by an unchanged one.
    const isUnchanged = isDeepStrictEqual(metadata, row.metadata) && !(isWhole && row.status === 'DRAFT')
    const errors = [
      ...(isWhole && isUnchanged ? [{ field: 'reason', message: t('editor.unchanged') }] : []),
      ...(isFree || form.reason ? [] : [{ field: 'reason', message: t('editor.reasonMissing') }]),
      ...errorsOf(read.faults, isFree ? [] : issues, read.names, t, labelOf),
    ]
    if (errors.length > 0) return view(me, request, { ...state, errors, isRefused: true })
    const following = found.length === 0 && form.do === 'next' ? (next ?? name) : name
    const to = `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(following)}`
    if (isKept) {
      await keep()
      return { to }
    }
    if (!isUnchanged) await save(me, row, metadata, mode, form.reason)
    await dropEntry(session, entry)
    for (const { section, at } of together) await dropEntry(session, { ...entry, section }, at)
    const done = mode === 'correct' ? 'corrected' : 'saved'
    return { to: form.do === 'done' ? `/console/passports/${row.id}` : to, done }
  }

  async function save(
    { principal, lang, t }: SignedIn,
    row: PassportRow,
    metadata: Metadata,
    mode: Mode,
    reason: string | undefined,
  ): Promise<void> {
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
    { row, mode, values, base, errors, focus, isRefused = false, restoredAt, others }: EditorState,
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
        reason: values.reason ?? others.find((one) => one.values.reason)?.values.reason ?? '',
        kept: (mode === 'correct' ? others : []).map((one) => ({
          section: one.section,
          announcement: announcementOf(one),
          label: editor.sectionLabel(row.metadata, one.section, me),
        })),
        missing: editor.missingOf(row.metadata, completeness).filter(({ section }) => section === name),
        languages: uses(controls, 'languages') ? languages : [],
        others: name === 'further' ? unknownOf(row.metadata, editor.formFor(row.metadata)) : [],
      },
    }
  }

  function conflictView(me: SignedIn, { form }: PageRequest, { row, mode, fields, conflicts }: ConflictState): Outcome {
    const { t, lang } = me
    const notation = editor.notation(lang)
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
          mine: textsOf(fields, key, mine, notation),
          theirs: textsOf(fields, key, theirs, notation),
        })),
      },
    }
  }
}

interface ConflictState {
  readonly row: PassportRow
  readonly mode: Mode
  readonly fields: readonly Field[]
  readonly conflicts: readonly Conflict[]
}

interface EditorState {
  readonly row: PassportRow
  readonly mode: Mode
  readonly values: FormValues
  readonly base: Metadata
  readonly errors: readonly FieldError[]
  readonly focus?: string
  /** Entries of the same person in other sections. */
  readonly others: readonly SectionEntry[]
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

function textsOf(fields: readonly Field[], key: string, value: Json | undefined, notation: Notation): string[] {
  const field = fields.filter((one) => one.key === key)
  const values = valuesOf({ fields: field, sections: [] }, value === undefined ? {} : { [key]: value }, notation)
  return Object.entries(values).flatMap(([name, text]) => (name.endsWith('[]') || !text ? [] : [text]))
}

/** True if any control suggests values of the list. */
const uses = (controls: object, list: string): boolean => JSON.stringify(controls).includes(`"list":"${list}"`)

/** Section of the address, or the first. */
function sectionOf(model: FormModel, { query }: PageRequest) {
  const { sections } = model
  const name = sections.find((one) => one === query.section) ?? sections[0] ?? ''
  const next = sections[sections.indexOf(name) + 1]
  return { name, next, fields: ofSection(model, name) }
}

/** Values that no field describes. */
function unknownOf(metadata: Metadata, { fields }: FormModel) {
  const known = new Set(['category', ...fields.map(({ key }) => key)])
  return Object.entries(metadata)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ({ key, value: typeof value === 'string' ? value : JSON.stringify(value) }))
}
