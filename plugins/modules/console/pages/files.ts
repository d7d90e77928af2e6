import { posix } from 'node:path'
import { type Json, notFound, Problem } from '../../../../src/plugin/index.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn } from '../site.ts'

const DOCUMENT_TYPES = [
  ...['declarationOfConformity', 'technicalDocumentation', 'testReport', 'certificate', 'manual', 'safetyInformation'],
  ...['dismantlingInstructions', 'dueDiligenceReport', 'carbonFootprintStudy', 'other'],
]
const AUDIENCES = ['public', 'legitimateInterest', 'authority'] as const

/** Pictures and documents of a passport. Files are posted to `/console/upload/files/{id}`. */
export default function filePages(services: Cradle): PageFile {
  const { consoleEditor: editor, descriptions, passports } = services
  const media = otherService(services, 'media')
  if (media === undefined) return { pages: [] }
  const used = media
  return {
    pages: [
      { path: 'files/{id}', needs: 'passport:update', show: (me, request) => show(me, request), act },
      { path: 'files/{id}/file', needs: 'passport:update', show: send },
    ],
  }

  async function show(me: SignedIn, { id, form }: PageRequest, errors: readonly FieldError[] = []): Promise<Outcome> {
    const row = await editor.load(me, id)
    const { media: files } = await used.list(me.principal, row.id)
    const { t, lang } = me
    const description = descriptions.of(row.metadata.category, lang)
    return {
      title: t('files.title'),
      template: 'files',
      errors,
      status: errors.length > 0 ? 400 : 200,
      trail: [
        { href: '/console/passports', text: t('nav.passports') },
        { href: `/console/passports/${row.id}`, text: editor.titleOf(row, lang) },
      ],
      api: `POST /api/v1/passports/${row.id}/media\nContent-Type: image/png`,
      data: {
        ...{ row, typed: form },
        files: files.map((file) => ({
          ...{ id: file.id, kind: file.kind, name: textOf(file.title) ?? t(`files.${file.kind}`) },
          href: `/console/files/${row.id}/file?of=${file.id}`,
        })),
        types: DOCUMENT_TYPES.map((value) => ({ value, text: description.option('documentType', value) ?? value })),
        audiences: AUDIENCES.map((value) => ({ value, text: t(`passport.preview.${value}`) })),
      },
    }
  }

  /** Files of drafts and restricted documents are not public. */
  async function send({ principal }: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const { media: files } = await used.list(principal, id)
    const file = files.find((one) => one.id === query.of)
    if (file === undefined) throw notFound('File not found.')
    const name = posix.basename(file.url)
    const { mediaType, body } = await used.file({ principal }, file.id, name)
    return { file: name, type: mediaType, body: await body() }
  }

  /** Adds the document to the content of a draft, so that the seal covers it. */
  async function state(me: SignedIn, id: string, key: string, entry: Json): Promise<void> {
    const row = await editor.load(me, id)
    if (row.status !== 'DRAFT') return
    const stated = row.metadata[key]
    const metadata = { ...row.metadata, [key]: [...(Array.isArray(stated) ? stated : []), entry] }
    const input = { metadata, draft: true, changeReason: me.t('editor.changeReason') }
    await passports.update(me.principal, row.id, input, me.lang, new Set([String(row.version)]))
  }

  async function act(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { form, files, id } = request
    const { principal, lang, t } = me
    if (form.remove !== undefined) {
      await used.remove(principal, id, form.remove)
      return { to: `/console/files/${id}`, done: 'fileRemoved' }
    }
    const { file } = files
    if (file === undefined) return show(me, request, [{ field: 'file', message: t('files.choose') }])
    const title = form.title ? { [lang]: form.title } : null
    const isPicture = file.type.startsWith('image/')
    const named = AUDIENCES.find((one) => one === form.audience) ?? 'public'
    const document = isPicture ? {} : { documentType: form.documentType || 'other', language: lang, audience: [named] }
    try {
      const { medium } = await used.add(principal, id, {
        bytes: Buffer.from(file.bytes),
        declared: file.type,
        title,
        document,
      })
      if (medium.entry !== undefined) await state(me, id, LISTS[named], medium.entry)
      return { to: `/console/files/${id}`, done: 'fileAdded' }
    } catch (error) {
      if (!(error instanceof Problem) || ![400, 409, 413, 415].includes(error.status)) throw error
      return show(me, request, [{ field: 'file', message: error.message }])
    }
  }
}

/** Lists of documents by audience. */
const LISTS = {
  public: 'documents',
  legitimateInterest: 'restrictedDocuments',
  authority: 'complianceDocuments',
} as const

const textOf = (title: unknown): string | undefined => {
  const [first] = typeof title === 'object' && title !== null ? Object.values(title) : [title]
  return typeof first === 'string' ? first : undefined
}
