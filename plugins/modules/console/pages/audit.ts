import { csvLine } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import { namesOf } from '../people-rows.ts'
import type { PageFile, PageRequest } from '../site.ts'

const ON_PAGE = '50'
const FILTERS = ['action', 'subject', 'from', 'to'] as const

/** Audit log, plan and usage. */
export default ({ auditTrail, database }: Cradle): PageFile => ({
  pages: [
    {
      path: 'audit',
      needs: 'audit:read',
      nav: { group: 'company', order: 50 },
      async show({ principal, t }, { query }) {
        const filters = filtersIn(query)
        const { entries, nextCursor } = await auditTrail.log(principal, {
          ...filters,
          cursor: query.cursor,
          limit: ON_PAGE,
        })
        const persons = entries.map(({ actor }) => actor.replace(/^person:/, ''))
        const names = await namesOf(database.forTenant(principal.tenantId), persons)
        const listed = entries.map((entry) => ({
          ...entry,
          by: names.get(entry.actor.replace(/^person:/, '')) ?? entry.actor,
        }))
        const filter = new URLSearchParams(filters).toString()
        const data = { entries: listed, values: filters, filter, next: nextCursor }
        return { title: t('nav.audit'), template: 'audit', data, api: `GET /api/v1/audit/log?${filter}` }
      },
    },
    {
      path: 'audit/export',
      needs: 'audit:read',
      async show({ principal }, { query }) {
        const read = (cursor?: string) => auditTrail.log(principal, { ...filtersIn(query), cursor, limit: '200' })
        // Rejects a wrong filter before the file begins.
        const first = await read()
        return { file: 'audit-log.csv', type: 'text/csv; charset=utf-8', body: csvOf(first, read) }
      },
    },
  ],
})

function filtersIn(query: PageRequest['query']): Record<string, string> {
  return Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])))
}

type Log = Awaited<ReturnType<Cradle['auditTrail']['log']>>

async function* csvOf(first: Log, read: (cursor: string) => Promise<Log>): AsyncIterable<Uint8Array> {
  yield Buffer.from(csvLine(['sequence', 'at', 'action', 'subject', 'actor', 'detail', 'hash']))
  for (let page = first; ; page = await read(page.nextCursor)) {
    const lines = page.entries.map(({ sequence, at, action, subject, actor, detail, hash }) =>
      csvLine([String(sequence), at, action, subject, actor, detail === null ? '' : JSON.stringify(detail), hash]),
    )
    yield Buffer.from(lines.join(''))
    if (page.nextCursor === null) return
  }
}
