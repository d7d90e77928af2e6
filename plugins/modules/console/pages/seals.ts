import { Problem, passportDocumentText } from '../../../../src/plugin/index.ts'
import { conflict, isUuid } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { Field } from '../editor/fields.ts'
import { type FormValues, valuesOf } from '../editor/form-values.ts'
import { afterButton } from '../editor/list-actions.ts'
import { readForm } from '../editor/read-form.ts'
import { otherService } from '../other-modules.ts'
import { sameProduct } from '../same-product.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'
import { withReason } from '../status-reason.ts'
import { nextVersion } from '../version-rows.ts'

const MAX_SELECTED = 100

const REASON: Field = {
  key: 'reason',
  trail: ['reason'],
  isRequired: true,
  description: '',
  unit: undefined,
  section: '',
  order: 0,
  points: [],
  isOtherForm: false,
  isGiven: false,
  isKind: false,
  words: 'one',
}

const RECALL_FORM = { fields: [REASON], sections: [] }

/** Pages that need a recent sign-in: seal and recall. */
export default function sealPages(services: Cradle): PageFile {
  const { consoleEditor: editor, database, passports, passportViews, protectedReadAudit, seals, workspaces } = services
  return {
    pages: [
      { path: 'passports/{id}/seal', needs: 'passport:seal', isSensitive: true, show: showSeal, act: seal },
      {
        path: 'passports/{id}/recall',
        needs: 'passport:recall',
        isSensitive: true,
        show: (me, request) => showRecall(me, request),
        act: recall,
      },
      { path: 'passports/selected', needs: 'passport:read', act: selected },
      {
        path: 'passports/seal-selected',
        needs: 'passport:seal',
        isSensitive: true,
        show: showSealSelected,
        act: sealSelected,
      },
    ],
  }

  async function showSeal(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const { completeness, findings } = editor.inspect(row, me.lang)
    const title = editor.titleOf(row, me.lang)
    return {
      title: me.t('passport.seal.title', { title }),
      template: 'passport-seal',
      trail: trailOf(me, row.id, title),
      api: `POST /api/v1/passports/${row.id}/seal\nIf-Match: "${row.version}"`,
      data: {
        ...{ row, title, findings: findings(), sealer: await sealerFor(me) },
        missing: editor.missingOf(row.metadata, completeness),
        shared: await sameProduct(services, me, passportViews.outline(row).identifier, row.operatorId),
      },
    }
  }

  /** Name in the certificate of the seal: that of the workspace, also for other companies. */
  async function sealerFor({ principal }: SignedIn): Promise<string> {
    return (await workspaces.show(principal.tenantId)).legalName
  }

  async function seal(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const { status } = await editor.load(me, id)
    if (status === 'DRAFT') throw conflict(me.t('passport.seal.draft'))
    await seals.seal(me.principal, id, new Set([form.version ?? '']))
    return { to: `/console/passports/${id}`, done: 'sealed' }
  }

  async function showRecall(
    me: SignedIn,
    { id, form }: PageRequest,
    { values, errors = [], focus, isRefused = false }: RecallState = {},
  ): Promise<Outcome> {
    const row = await editor.load(me, id)
    const title = editor.titleOf(row, me.lang)
    const { recall } = row
    const before: FormValues =
      recall?.reason == null
        ? { 'reason[]': 'n1', 'reason.n1.lang': editor.notation(me.lang).showLanguage(me.lang) }
        : valuesOf(RECALL_FORM, { reason: recall.reason }, editor.notation(me.lang))
    const initial = {
      ...before,
      contact: recall?.contact ?? row.operator.contact?.phone ?? '',
      url: recall?.url ?? '',
    }
    const typed = values ?? (form.csrf === undefined ? initial : form)
    const [reason] = editor.controls([REASON], { me, metadata: {}, values: typed, errors })
    return {
      title: me.t('passport.recall.title', { title }),
      template: 'passport-recall',
      errors,
      status: isRefused ? 400 : 200,
      trail: trailOf(me, row.id, title),
      api: `PUT /api/v1/passports/${row.id}/status\n\n{ "status": "RECALLED", "recall": { "reason": { "en": "…" }, "contact": "…", "url": "…" } }`,
      data: {
        ...{ row, typed, focus },
        reason: { ...reason, label: me.t('passport.recall.reason'), help: me.t('passport.recall.reasonHelp') },
        languages: editor.notation(me.lang).languages,
      },
    }
  }

  async function recall(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { form } = request
    const { id } = await editor.load(me, request.id)
    const listed = afterButton(form, form.do ?? '')
    if (listed !== undefined) return showRecall(me, request, { values: listed.values, focus: listed.focus })
    const read = readForm(RECALL_FORM, form, {}, editor.notation(me.lang))
    const errors: FieldError[] = read.faults.map(({ name, code }) => ({
      field: name,
      message: me.t(`editor.fault.${code}`),
    }))
    const { reason } = read.metadata
    if (reason === undefined) errors.push({ field: 'reason', message: me.t('passport.recall.reasonMissing') })
    if (errors.length === 0) {
      const session = database.forTenant(me.principal.tenantId)
      const notice = { reason: reason as string, contact: form.contact || null, url: form.url || null }
      try {
        await withReason({ by: me.principal, reason: notice.reason, version: await nextVersion(session, id) }, () =>
          passports.setStatus(me.principal, id, { status: 'RECALLED', recall: notice }, new Set([form.version ?? ''])),
        )
        return { to: `/console/passports/${id}`, done: 'recalled' }
      } catch (error) {
        if (!(error instanceof Problem) || ![400, 409, 412].includes(error.status)) throw error
        const field = /recall\.(contact|url)/.exec(error.message)?.[1] ?? ''
        errors.push({ field, message: field === '' ? error.message : me.t(`passport.recall.wrong.${field}`) })
      }
    }
    return showRecall(me, request, { errors, isRefused: true })
  }

  /** Buttons below the list. */
  async function selected(me: SignedIn, { form }: PageRequest): Promise<Outcome> {
    const ids = selectedIn(form)
    if (ids.length === 0) return { to: '/console/passports', done: 'selectSome' }
    if (form.do === 'seal') return { to: `/console/passports/seal-selected?ids=${ids.join(',')}` }
    if (form.do === 'labels') return printLabels(me, ids)
    if (form.do === 'csv' || form.do === 'jsonld') return exportSelected(me, ids, form.do)
    return { to: '/console/passports' }
  }

  async function exportSelected(me: SignedIn, ids: readonly string[], format: 'csv' | 'jsonld'): Promise<Outcome> {
    const rows = await Promise.all(ids.map((id) => editor.load(me, id)))
    if (format === 'csv') {
      const file = otherService(services, 'passportTables')?.exportRows(me.principal, rows)
      if (file === undefined) return { to: '/console/passports' }
      return { file: 'passports.csv', type: file.contentType, body: file.body }
    }
    const { tenantId, actor } = me.principal
    const documents = rows.map((row) => {
      const read = { action: 'passport.read', representation: 'jsonld', audience: 'owner' } as const
      protectedReadAudit.record({ tenantId, actor, subjectId: row.id, ...read })
      return passportDocumentText(passportViews.view(row, 'owner'))
    })
    return { file: 'passports.jsonld', type: 'application/ld+json', body: `[${documents.join(',\n')}]\n` }
  }

  async function printLabels(me: SignedIn, ids: readonly string[]): Promise<Outcome> {
    const labels = otherService(services, 'labels')
    if (labels === undefined) return { to: '/console/passports' }
    const printed = await labels.print(me.principal, { ids, subject: 'passport', format: 'pdf', lang: me.lang })
    if ('job' in printed) return { to: '/console/passports', done: 'later' }
    return { file: 'labels.pdf', type: printed.contentType, body: printed.body }
  }

  async function showSealSelected(me: SignedIn, { query, form }: PageRequest): Promise<Outcome> {
    const found = await Promise.all(idsIn(form.ids ?? query.ids).map((id) => editor.load(me, id)))
    const titled = found.map((row) => ({ ...row, title: editor.titleOf(row, me.lang) }))
    const [drafts = [], rows = []] = [true, false].map((isDraft) =>
      titled.filter(({ status }) => (status === 'DRAFT') === isDraft),
    )
    return {
      title: rows.length === 0 ? me.t('passport.seal.link') : me.t('passport.seal.many', { count: rows.length }),
      template: 'passports-seal',
      trail: [{ href: '/console/passports', text: me.t('nav.passports') }],
      api: rows.map(({ id }) => `POST /api/v1/passports/${id}/seal`).join('\n') || 'POST /api/v1/passports/{id}/seal',
      data: { drafts, rows, ids: rows.map(({ id }) => id).join(','), sealer: await sealerFor(me) },
    }
  }

  async function sealSelected(me: SignedIn, { form }: PageRequest): Promise<Outcome> {
    const results = []
    for (const id of idsIn(form.ids)) {
      const row = await editor.load(me, id)
      const title = editor.titleOf(row, me.lang)
      try {
        if (row.status === 'DRAFT') throw conflict(me.t('passport.seal.draft'))
        await seals.seal(me.principal, id, new Set([String(row.version)]))
        results.push({ id, title })
      } catch (error) {
        if (!(error instanceof Problem) || error.status >= 500) throw error
        results.push({ id, title, problem: error.message })
      }
    }
    if (results.every(({ problem }) => problem === undefined)) return { to: '/console/passports', done: 'sealedMany' }
    return {
      title: me.t('passport.seal.result'),
      template: 'passports-sealed',
      trail: [{ href: '/console/passports', text: me.t('nav.passports') }],
      api: results.map(({ id }) => `POST /api/v1/passports/${id}/seal`).join('\n'),
      data: { results },
    }
  }
}

interface RecallState {
  readonly values?: PageRequest['form']
  readonly errors?: readonly FieldError[]
  readonly focus?: string
  readonly isRefused?: boolean
}

const trailOf = ({ t }: SignedIn, id: string, title: string) => [
  { href: '/console/passports', text: t('nav.passports') },
  { href: `/console/passports/${id}`, text: title },
]

const selectedIn = (form: PageRequest['form']): string[] =>
  Object.keys(form)
    .filter((name) => name.startsWith('id.') && isUuid(name.slice(3)))
    .map((name) => name.slice(3))
    .slice(0, MAX_SELECTED)

const idsIn = (text = ''): string[] => [...new Set(text.split(','))].filter(isUuid).slice(0, MAX_SELECTED)
