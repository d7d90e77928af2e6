import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { notFound, textFor } from '../../../../src/plugin/index.ts'
import { type PassportRow, passportContent } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { otherService } from '../other-modules.ts'
import { sameProduct } from '../same-product.ts'
import type { FieldError, Outcome, PageFile, PageRequest, SignedIn, View } from '../site.ts'
import { withReason } from '../status-reason.ts'
import { nextVersion } from '../version-rows.ts'

const MAX_REASON = 500
const IMAGE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const

export default function passportPages(services: Cradle): PageFile {
  const { carriers, config, consoleEditor: editor, database, passports, passportViews, plugins, renditions } = services
  return {
    pages: [
      { path: 'passports/{id}', needs: 'passport:read', show },
      {
        path: 'passports/{id}/publish',
        needs: 'passport:update',
        actNeeds: 'passport:publish',
        show: showPublish,
        act: publish,
      },
      {
        path: 'passports/{id}/status',
        needs: 'passport:publish',
        show: (me, request) => showStatus(me, request),
        act: setStatus,
      },
      { path: 'passports/{id}/delete', needs: 'passport:update', show: showDelete, act: removeDraft },
      { path: 'passports/{id}/code', needs: 'passport:read', show: code },
      { path: 'passports/{id}/preview', needs: 'passport:read', show: showPreview },
      { path: 'passports/{id}/page', needs: 'passport:read', show: page },
    ],
  }

  async function show(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const { lang } = me
    const { completeness, findings } = editor.inspect(row, lang)
    const sections = editor.sectionsOf(row.metadata, { findings: findings(), completeness }, me)
    const mode = row.seal === null ? 'edit' : 'correct'
    return {
      ...head(me, row, editor.titleOf(row, lang), 0),
      template: 'passport',
      api: `GET /api/v1/passports/${row.id}`,
      data: {
        ...{ row, sections, completeness, mode },
        category: editor.categories(me).find(({ value }) => value === row.metadata.category)?.text,
        findings: findings().map((finding) => ({ ...finding, href: placeOf(row, mode, finding) })),
        page: row.status === 'DRAFT' ? undefined : `${config.baseUrl}/passport/${row.id}`,
        link: passportContent(config.baseUrl, row).uri,
        shared: row.status === 'DRAFT' ? [] : await sharedBy(me, row),
        canEdit:
          row.seal === null
            ? me.can('passport:update') && (row.status === 'DRAFT' || me.can('passport:publish'))
            : me.can('passport:seal'),
        hasStatistics: otherService(services, 'statistics') !== undefined,
        hasJourney: otherService(services, 'journeys') !== undefined && me.principal.operatorId === null,
        hasLinks: otherService(services, 'links') !== undefined,
        hasRegistry: otherService(services, 'registrations') !== undefined,
        hasLabels: otherService(services, 'labels') !== undefined,
        recall: row.recall && { ...row.recall, text: textFor(row.recall.reason ?? undefined, [lang]) },
      },
    }
  }

  function sharedBy(me: SignedIn, row: PassportRow): Promise<readonly string[]> {
    return sameProduct(services, me, passportViews.outline(row).identifier, row.operatorId)
  }

  function head({ t, lang }: SignedIn, row: PassportRow, title: string, depth = 1): Pick<View, 'title' | 'trail'> {
    const trail = [
      { href: '/console/passports', text: t('nav.passports') },
      { href: `/console/passports/${row.id}`, text: editor.titleOf(row, lang) },
    ]
    return { title, trail: trail.slice(0, depth + 1) }
  }

  async function showPublish(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    if (row.status !== 'DRAFT') return { to: `/console/passports/${row.id}` }
    const { completeness, findings } = editor.inspect(row, me.lang)
    const mode = row.seal === null ? 'edit' : 'correct'
    return {
      ...head(me, row, me.t('passport.publish.title', { title: editor.titleOf(row, me.lang) })),
      template: 'passport-publish',
      api: `PUT /api/v1/passports/${row.id}\nIf-Match: "${row.version}"\n\n{ "metadata": { … } }`,
      data: {
        ...{ row, mode, findings: findings().map((finding) => ({ ...finding, href: placeOf(row, mode, finding) })) },
        missing: editor.missingOf(row.metadata, completeness),
        shared: await sharedBy(me, row),
        mayPublish: me.can(row.seal === null ? 'passport:publish' : 'passport:seal'),
      },
    }
  }

  async function publish(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const input = { metadata: row.metadata, changeReason: me.t('passport.publish.reason') }
    await passports.update(me.principal, row.id, input, me.lang, new Set([form.version ?? '']))
    return { to: `/console/passports/${row.id}`, done: 'published' }
  }

  async function showStatus(
    me: SignedIn,
    { id, form }: PageRequest,
    errors: readonly FieldError[] = [],
  ): Promise<Outcome> {
    const row = await editor.load(me, id)
    if (row.status === 'DRAFT') return { to: `/console/passports/${row.id}` }
    return {
      ...head(me, row, me.t('passport.status.title')),
      template: 'passport-status',
      errors,
      status: errors.length > 0 ? 400 : 200,
      api: `PUT /api/v1/passports/${row.id}/status\nIf-Match: "${row.version}"\n\n{ "status": "DECOMMISSIONED" }`,
      data: {
        ...{ row, typed: form },
        choices: (['ACTIVE', 'DECOMMISSIONED'] as const).filter((status) => status !== row.status),
      },
    }
  }

  async function setStatus(me: SignedIn, request: PageRequest): Promise<Outcome> {
    const { id, form } = request
    const row = await editor.load(me, id)
    const { reason = '', version = '' } = form
    if (reason === '') {
      return showStatus(me, request, [{ field: 'reason', message: me.t('editor.reasonMissing') }])
    }
    const status = form.status === 'ACTIVE' ? 'ACTIVE' : 'DECOMMISSIONED'
    const made = await nextVersion(database.forTenant(me.principal.tenantId), row.id)
    await withReason({ by: me.principal, reason: reason.slice(0, MAX_REASON), version: made }, () =>
      passports.setStatus(me.principal, row.id, { status }, new Set([version])),
    )
    return { to: `/console/passports/${row.id}`, done: 'status' }
  }

  async function showDelete(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    if (row.status !== 'DRAFT') return { to: `/console/passports/${row.id}` }
    return {
      ...head(me, row, me.t('passport.delete.title', { title: editor.titleOf(row, me.lang) })),
      template: 'passport-delete',
      api: `DELETE /api/v1/passports/${row.id}`,
      data: { row },
    }
  }

  async function removeDraft(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    await passports.deleteDraft(me.principal, id, new Set([form.version ?? '']))
    return { to: '/console/passports', done: 'draftDeleted' }
  }

  async function code({ principal, lang }: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const format = query.format === 'png' ? 'png' : 'svg'
    const { body } = await carriers.encodePassport(principal, id, { format }, lang)
    return { file: `code.${format}`, type: IMAGE_TYPES[format], body }
  }

  async function showPreview(me: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    return {
      ...head(me, row, me.t('passport.preview.title')),
      template: 'passport-preview',
      api: `GET /passport/${row.id}\nAccept: text/html`,
      data: { row, readers: READERS, reader: readerIn(query), lang: me.lang },
    }
  }

  /** The page as one audience sees it; also of a draft. */
  async function page(me: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const html = plugins.representations.find(({ name }) => name === 'html')
    if (html === undefined || html.isSigned) throw notFound(me.t('passport.preview.off'))
    const seen = passportViews.view(row, readerIn(query))
    const { body } = await html.render(seen, renditions.contextFor(html, me.lang))
    return { framed: row.status === 'DRAFT' && typeof body === 'string' ? await withPictures(me, body) : body }
  }

  /** Puts pictures of a draft into the page: they are not public, and a frame without scripts sends no cookie. */
  async function withPictures({ principal }: SignedIn, html: string): Promise<string> {
    const media = otherService(services, 'media')
    if (media === undefined) return html
    const addresses = new Map<string, string>()
    for (const [address, id = '', name = ''] of html.matchAll(MEDIA)) {
      const { mediaType, body } = await media.file({ principal }, id, name)
      addresses.set(
        address,
        `src="data:${mediaType};base64,${(await buffer(Readable.from(await body()))).toString('base64')}"`,
      )
    }
    return html.replaceAll(MEDIA, (address) => addresses.get(address) ?? address)
  }
}

const placeOf = (
  { id }: PassportRow,
  mode: string,
  { section, name }: { readonly section: string; readonly name: string },
) => `/console/passports/${id}/${mode}?section=${encodeURIComponent(section)}&check=1#f-${name}`

/** A picture of a passport in its page, with the addresses of other sizes. */
const MEDIA = /src="\/media\/([0-9a-f-]{36})\/([\w.-]+)"(?: srcset="[^"]*")?/g

const READERS = ['public', 'legitimateInterest', 'authority', 'owner'] as const

const readerIn = ({ as }: PageRequest['query']): (typeof READERS)[number] =>
  READERS.find((one) => one === as) ?? 'public'
