import { schemaAddress } from '../categories/category-validator.ts'
import type { Cradle } from '../cradle.ts'
import type { Reader } from '../domain/audience.ts'
import { isUuid } from '../domain/identifiers.ts'
import { type Metadata, textIn } from '../domain/metadata.ts'
import { clamped } from '../domain/paging.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import { Problem } from '../domain/problem.ts'
import type { Content } from '../domain/schema.ts'
import { mapYielding } from '../domain/yielding.ts'
import { deletedCandidateById } from '../resolution/candidates.ts'
import type { Session } from '../storage/statement.ts'
import { patchBetween, shapes } from './json-patch.ts'
import { type HistoryPage, readHistory, type VersionRow } from './passport-history-statements.ts'
import { readerOfLists } from './passports.ts'

const END = 2 ** 31 - 1
const PAGE = { usual: 20, max: 50 } as const

declare module '../cradle.ts' {
  interface Cradle {
    passportHistory: ReturnType<typeof passportHistory>
  }
}

/** Specification 2.1. */
export default function passportHistory({ config, database, passports, passportViews, protectedReadAudit }: Cradle) {
  return { read }

  /** Returns a page of versions, newest first. Finds deleted passports by id. @throws Problem as `passports.find` */
  async function read(
    principal: Principal,
    idOrProduct: string,
    query: { readonly before?: string | undefined; readonly limit?: string | undefined },
  ): Promise<Content<'PassportHistory'>> {
    const limit = clamped(query.limit, PAGE.max, PAGE.usual)
    const page = { before: clamped(query.before, END, END), limit }
    const session = database.forTenant(principal.tenantId)
    const [{ id, tenantId }, early] = await Promise.all([
      find(principal, idOrProduct, session),
      isUuid(idOrProduct) ? readHistory(session, idOrProduct, page) : undefined,
    ])
    const found = early !== undefined && id === idOrProduct.toLowerCase() ? early : await readHistory(session, id, page)
    const reader = readerOfLists(principal)
    const versions = await versionsOf(id, found, reader, limit)
    if (reader === 'owner') {
      const auditedRead = { action: 'passport.read', representation: 'history', audience: reader } as const
      protectedReadAudit.record({ tenantId, actor: principal.actor, subjectId: id, ...auditedRead })
    }
    const last = versions.at(-1)?.version ?? 1
    return { passportId: id, count: versions.length, versions, nextBefore: last === 1 ? null : last }
  }

  async function find(principal: Principal, idOrProduct: string, session: Session) {
    try {
      return await passports.find(principal, idOrProduct, 'bound', session)
    } catch (error) {
      const isAbsent = error instanceof Problem && error.status === 404 && isUuid(idOrProduct)
      const deleted = isAbsent ? await deletedCandidateById(session, idOrProduct) : undefined
      if (deleted === undefined) throw error
      assertOperatorScope(principal, deleted.operatorId)
      return deleted
    }
  }

  function versionsOf(
    id: string,
    { versions: rows, now }: HistoryPage,
    reader: Reader,
    limit: number,
  ): Promise<Content<'PassportHistory'>['versions']> {
    // Fields masked in one version, or today, are masked in all.
    const categories = new Set([now?.category, ...rows.map(({ metadata }) => textIn(metadata, 'category'))])
    const further = [...categories].flatMap(passportViews.hiddenKeys)
    const shown = (metadata: Metadata): Metadata => {
      const masked = new Set(passportViews.maskedKeys({ metadata }, reader, further))
      return masked.size === 0
        ? metadata
        : Object.fromEntries(Object.entries(metadata).filter(([key]) => !masked.has(key)))
    }
    const documents = new Map(rows.map((row) => [row, shown(row.metadata)]))
    const shownOf = (row: VersionRow) => documents.get(row) ?? {}
    const shapeOf = shapes()
    const shownRows = rows.slice(0, limit).filter(({ version }, index) => version === 1 || index + 1 < rows.length)
    return mapYielding(shownRows, (row, index) => {
      const before = rows[index + 1]
      return {
        version: row.version,
        // The change that ended one version created the next.
        createdAt: before?.ended?.at ?? now?.passportCreatedAt ?? '',
        changedBy: before?.ended?.by ?? null,
        changeReason: before?.ended?.reason ?? null,
        status: row.status,
        seal: row.seal,
        metadataSchema: schemaAddress(config.baseUrl, row),
        url: isReadable(row) ? `${config.baseUrl}/passport/${id}?version=${row.version}` : null,
        changes: before === undefined ? null : patchBetween(shownOf(before), shownOf(row), shapeOf),
      }
    })

    function isReadable({ seal, status }: VersionRow): boolean {
      // Owners of a draft or deleted passport read its published versions.
      return status !== 'DRAFT' && (now?.statusNow === 'DRAFT' ? reader === 'owner' : seal !== null)
    }
  }
}
