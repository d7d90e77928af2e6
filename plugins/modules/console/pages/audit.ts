import { csvLine } from '../../../../src/plugin/module.ts'
import { ACTIONS, actionName } from '../audit-actions.ts'
import { type AuditSubject, auditSubjects, passportChanges } from '../audit-rows.ts'
import type { Cradle } from '../cradle.ts'
import { namesOf } from '../people-rows.ts'
import type { Right } from '../roles.ts'
import type { ConsolePage, PageFile, PageRequest, SignedIn } from '../site.ts'
import { statusMove } from '../status-reason.ts'

const ON_PAGE = 50
const MAX_PAGE = 20
const FILTERS = ['action', 'subject', 'from', 'to'] as const
/** Rights to open the page of a subject. */
const NEEDS: Readonly<Record<AuditSubject['page'], Right>> = {
  passports: 'passport:read',
  operators: 'operator:read',
  facilities: 'facility:read',
  access: 'grant:read',
  units: 'battery:read',
  webhooks: 'webhook:read',
  people: 'people:write',
  keys: 'key:write',
}
const KINDS = { created: 'passport.created', changed: 'passports.changed', sealed: 'passports.sealed' } as const

type Log = Awaited<ReturnType<Cradle['auditTrail']['log']>>

/** Audit log, and changes of passports, which their history records. */
export default (services: Cradle): PageFile => ({
  pages: [logPage(services), changesPage(services), exportPage(services)],
})

function logPage(services: Cradle): ConsolePage {
  return {
    path: 'audit',
    needs: 'audit:read',
    nav: { group: 'company', order: 50 },
    async show(me, { query }) {
      const { principal, t, lang } = me
      const filters = filtersIn(query)
      const { entries, nextCursor } = await services.auditTrail.log(principal, {
        ...filters,
        cursor: query.cursor,
        limit: String(ON_PAGE),
      })
      const actions = ACTIONS.map((value) => ({ value, text: actionName(value, t) }))
      const data = {
        entries: await named(services, me, entries),
        actions: [
          { value: '', text: t('delivery.ALL') },
          ...actions.sort((a, b) => a.text.localeCompare(b.text, lang)),
        ],
        ...{ values: filters, filter: new URLSearchParams(filters).toString(), next: nextCursor },
      }
      return { title: t('nav.audit'), template: 'audit', data, api: `GET /api/v1/audit/log?${data.filter}` }
    },
  }
}

function changesPage({ database }: Cradle): ConsolePage {
  return {
    path: 'audit/passports',
    needs: 'audit:read',
    async show({ principal, t }, { query }) {
      const page = Math.min(MAX_PAGE, Math.max(1, Number.parseInt(query.page ?? '1', 10) || 1))
      const session = database.forTenant(principal.tenantId)
      const place = { limit: ON_PAGE + 1, offset: (page - 1) * ON_PAGE }
      const found = await passportChanges(session, principal.operatorId, place)
      const names = await auditSubjects(
        session,
        found.flatMap(({ by }) => (by === null ? [] : [idIn(by)])),
      )
      const changes = found.slice(0, ON_PAGE).map((one) => ({
        ...one,
        by: one.by && actorName(one.by, names, t),
        reason: statusMove(one.reason, t) ?? one.reason,
        text: KINDS[one.kind],
      }))
      return {
        title: t('audit.changes'),
        template: 'audit-passports',
        data: { changes, page, hasMore: found.length > ON_PAGE && page < MAX_PAGE },
        trail: [{ href: '/console/audit', text: t('nav.audit') }],
        api: 'GET /api/v1/passports/{id}/history',
      }
    },
  }
}

function exportPage({ auditTrail, database }: Cradle): ConsolePage {
  return {
    path: 'audit/export',
    needs: 'audit:read',
    async show({ principal }, { query }) {
      const read = (cursor?: string) => auditTrail.log(principal, { ...filtersIn(query), cursor, limit: '200' })
      const persons = ({ entries }: Log) =>
        namesOf(
          database.forTenant(principal.tenantId),
          entries.map(({ actor }) => idIn(actor)),
        )
      // Rejects a wrong filter before the file begins.
      const first = await read()
      return { file: 'audit-log.csv', type: 'text/csv; charset=utf-8', body: csvOf(first, read, persons) }
    },
  }
}

/** Entries with the names of actors and subjects, and the addresses of pages that the member may open. */
async function named({ database }: Cradle, { principal, can, t }: SignedIn, entries: Log['entries']) {
  const ids = entries.flatMap(({ actor, subject }) => [idIn(actor), subject])
  const names = await auditSubjects(database.forTenant(principal.tenantId), ids)
  return entries.map((entry) => {
    const found = names.get(entry.subject)
    const subject = found !== undefined && can(NEEDS[found.page]) ? found : undefined
    return {
      ...entry,
      name: actionName(entry.action, t),
      by: actorName(entry.actor, names, t),
      subjectName: subject?.name,
      href: subject ? `/console/${subject.page}${subject.page === 'webhooks' ? '' : `/${subject.id}`}` : undefined,
    }
  })
}

/** Id of `person:…` or `api-key:…`. */
const idIn = (actor: string): string => actor.slice(actor.indexOf(':') + 1)

function actorName(actor: string, names: Awaited<ReturnType<typeof auditSubjects>>, t: SignedIn['t']): string {
  const [kind = ''] = actor.split(':')
  const name = names.get(idIn(actor))?.name ?? idIn(actor)
  if (kind === 'api-key') return t('audit.key', { name })
  return kind === 'person' ? name : t(`audit.actor.${kind}`, { defaultValue: actor })
}

function filtersIn(query: PageRequest['query']): Record<string, string> {
  return Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
}

async function* csvOf(
  first: Log,
  read: (cursor: string) => Promise<Log>,
  persons: (page: Log) => Promise<ReadonlyMap<string, string>>,
): AsyncIterable<Uint8Array> {
  yield Buffer.from(csvLine(['sequence', 'at', 'action', 'subject', 'actor', 'detail', 'hash', 'person']))
  for (let page = first; ; page = await read(page.nextCursor)) {
    const names = await persons(page)
    const lines = page.entries.map(({ sequence, at, action, subject, actor, detail, hash }) =>
      csvLine([
        ...[String(sequence), at, action, subject, actor, detail === null ? '' : JSON.stringify(detail), hash],
        names.get(idIn(actor)) ?? '',
      ]),
    )
    yield Buffer.from(lines.join(''))
    if (page.nextCursor === null) return
  }
}
