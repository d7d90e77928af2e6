import { notFound, textFor } from '../../../../src/plugin/index.ts'
import type { PassportRow } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { type DayCount, otherService } from '../other-modules.ts'
import type { Outcome, PageFile, PageRequest, SignedIn, View } from '../site.ts'

const IMAGE_TYPES = { svg: 'image/svg+xml', png: 'image/png' } as const

export default function passportPages(services: Cradle): PageFile {
  const {
    carriers,
    config,
    consoleEditor: editor,
    consolePeople,
    passportHistory,
    passports,
    passportViews,
    plugins,
    renditions,
  } = services
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
      { path: 'passports/{id}/status', needs: 'passport:publish', show: showStatus, act: setStatus },
      { path: 'passports/{id}/delete', needs: 'passport:update', show: showDelete, act: removeDraft },
      { path: 'passports/{id}/history', needs: 'passport:read', show: showHistory },
      { path: 'passports/{id}/code', needs: 'passport:read', show: code },
      { path: 'passports/{id}/preview', needs: 'passport:read', show: showPreview },
      { path: 'passports/{id}/page', needs: 'passport:read', show: page },
      { path: 'passports/{id}/use', needs: 'passport:read', show: showUse },
    ],
  }

  async function show(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const { lang } = me
    const { completeness, findings } = editor.inspect(row, lang)
    const sections = editor.sectionsOf(row.metadata, { findings: findings(), completeness }, me)
    const outline = passportViews.outline(row)
    const mode = row.seal === null ? 'edit' : 'correct'
    return {
      ...head(me, row, editor.titleOf(row, lang), 0),
      template: 'passport',
      api: `GET /api/v1/passports/${row.id}`,
      data: {
        ...{ row, sections, completeness, mode },
        category: editor.categories(me).find(({ value }) => value === row.metadata.category)?.text,
        findings: findings().map((finding) => ({
          ...finding,
          href: `/console/passports/${row.id}/${mode}?section=${encodeURIComponent(finding.section)}&check=1#f-${finding.name}`,
        })),
        page: row.status === 'DRAFT' ? undefined : `${config.baseUrl}/passport/${row.id}`,
        link: outline.digitalLinkUri,
        canEdit:
          row.seal === null
            ? me.can('passport:update') && (row.status === 'DRAFT' || me.can('passport:publish'))
            : me.can('passport:seal'),
        hasStatistics: otherService(services, 'statistics') !== undefined,
        hasLinks: otherService(services, 'links') !== undefined,
        hasRegistry: otherService(services, 'registrations') !== undefined,
        hasLabels: otherService(services, 'labels') !== undefined,
        recall: row.recall && { ...row.recall, text: textFor(row.recall.reason ?? undefined, [lang]) },
      },
    }
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
    const found = findings().map((finding) => ({
      ...finding,
      href: `/console/passports/${row.id}/edit?section=${encodeURIComponent(finding.section)}&check=1#f-${finding.name}`,
    }))
    return {
      ...head(me, row, me.t('passport.publish.title', { title: editor.titleOf(row, me.lang) })),
      template: 'passport-publish',
      api: `PUT /api/v1/passports/${row.id}\nIf-Match: "${row.version}"\n\n{ "metadata": { … } }`,
      data: { row, findings: found, completeness, mayPublish: me.can('passport:publish') },
    }
  }

  async function publish(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const input = { metadata: row.metadata, changeReason: me.t('passport.publish.reason') }
    await passports.update(me.principal, row.id, input, me.lang, new Set([form.version ?? '']))
    return { to: `/console/passports/${row.id}`, done: 'published' }
  }

  async function showStatus(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    return {
      ...head(me, row, me.t('passport.status.title')),
      template: 'passport-status',
      api: `PUT /api/v1/passports/${row.id}/status`,
      data: { row, choices: (['ACTIVE', 'DECOMMISSIONED'] as const).filter((status) => status !== row.status) },
    }
  }

  async function setStatus(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const status = form.status === 'ACTIVE' ? 'ACTIVE' : 'DECOMMISSIONED'
    await passports.setStatus(me.principal, row.id, { status }, new Set([form.version ?? '']))
    return { to: `/console/passports/${row.id}`, done: 'status' }
  }

  async function showDelete(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    if (row.status !== 'DRAFT') return { to: `/console/passports/${row.id}` }
    return {
      ...head(me, row, me.t('passport.delete.title', { title: editor.titleOf(row, me.lang) })),
      template: 'passport-delete',
      api: `DELETE /api/v1/passports/${row.id}/draft`,
      data: { row },
    }
  }

  async function removeDraft(me: SignedIn, { id, form }: PageRequest): Promise<Outcome> {
    await passports.deleteDraft(me.principal, id, new Set([form.version ?? '']))
    return { to: '/console/passports', done: 'draftDeleted' }
  }

  async function showHistory(me: SignedIn, { id, query }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const [history, members] = await Promise.all([
      passportHistory.read(me.principal, row.id, { before: query.before, limit: '20' }),
      consolePeople.members(me.principal),
    ])
    const people = new Map(members.map(({ personId, name }) => [`person:${personId}`, name]))
    const controls = editor.controls(editor.formFor(row.metadata).fields, {
      me,
      metadata: row.metadata,
      values: {},
      errors: [],
    })
    const labels = new Map(controls.map(({ name, label }) => [name, label]))
    const steps = (path: string) =>
      path
        .split('/')
        .slice(1)
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return {
      ...head(me, row, me.t('passport.history.title')),
      template: 'passport-history',
      api: `GET /api/v1/passports/${row.id}/history`,
      data: {
        row,
        next: history.nextBefore,
        versions: history.versions.map(({ changes, ...version }) => ({
          ...version,
          changedBy: people.get(version.changedBy ?? '') ?? version.changedBy,
          changes: changes?.map(({ op, path, value }) => {
            const [key = '', ...rest] = steps(path)
            const place = [
              labels.get(key) ?? key,
              ...rest.map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : step)),
            ]
            return {
              op,
              place: place.join(' › '),
              value: value === undefined || typeof value === 'string' ? value : JSON.stringify(value),
            }
          }),
        })),
      },
    }
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
    return { framed: body }
  }

  async function showUse(me: SignedIn, { id }: PageRequest): Promise<Outcome> {
    const row = await editor.load(me, id)
    const counted = await otherService(services, 'statistics')?.readPassport(me.principal, row.id, {})
    return {
      ...head(me, row, me.t('passport.use.title')),
      template: 'passport-use',
      api: `GET /api/v1/passports/${row.id}/statistics`,
      data: { row, counted, bars: counted === undefined ? [] : barsOf(counted.from, counted.to, counted.days) },
    }
  }
}

const READERS = ['public', 'legitimateInterest', 'authority', 'owner'] as const

const readerIn = ({ as }: PageRequest['query']): (typeof READERS)[number] =>
  READERS.find((one) => one === as) ?? 'public'

const DAY_MS = 86_400_000

/** One bar per day, as part of the highest. */
function barsOf(from: string, to: string, days: readonly DayCount[]) {
  const counts = new Map(days.map(({ day, total }) => [day, total]))
  const most = Math.max(1, ...days.map(({ total }) => total))
  const bars = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10)
    const total = counts.get(day) ?? 0
    bars.push({ day, total, height: Math.round((100 * total) / most) })
  }
  return bars
}
