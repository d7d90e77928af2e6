import { mapYielding } from '../../../../src/plugin/index.ts'
import {
  badRequest,
  clamped,
  isUuid,
  type ModuleCradle,
  type Principal,
  selectPassport,
  toPassportName,
} from '../../../../src/plugin/module.ts'
import { byCompleteness, sumOf } from '../attributes.ts'
import { type CataloguePlace, readMetadata, readStated } from '../completeness-rows.ts'
import type { components } from '../generated.ts'
import type completenessReportsOf from './completeness-reports.ts'

type Schemas = components['schemas']

const MAX_EXAMINED = 1000

export default function completeness({
  database,
  completenessReports,
}: ModuleCradle & { readonly completenessReports: ReturnType<typeof completenessReportsOf> }) {
  return { reportPassport, reportCatalogue }

  /** @throws Problem 403, 404; 400 if several operators have the product */
  async function reportPassport(
    principal: Pick<Principal, 'tenantId' | 'operatorId'>,
    idOrProduct: string,
    lang: string,
  ): Promise<Omit<Schemas['CompletenessReport'], 'success'>> {
    const session = database.forTenant(principal.tenantId)
    const { passports, metadata, ...known } = await readStated(
      session,
      toPassportName(idOrProduct, principal),
      MAX_EXAMINED,
    )
    const { id, productId } = selectPassport(passports, principal)
    return { passportId: id, productId, ...completenessReports.of(metadata, lang, known) }
  }

  /** Returns one page, newest first, without units. Not cached: every passport and schema changes it. @throws Problem 400 */
  async function reportCatalogue(
    principal: Principal,
    { cursor, limit }: { readonly cursor?: string | undefined; readonly limit?: string | undefined },
  ): Promise<Omit<Schemas['CatalogueCompleteness'], 'success'>> {
    const session = database.forTenant(principal.tenantId)
    const { rows, next } = await readMetadata(session, principal, placeOf(cursor), clamped(limit, 200, 100))
    const passports = await mapYielding(rows, ({ id, productId, status, metadata }) => {
      const { category, kind, isComplete, counts } = completenessReports.check(JSON.parse(metadata))
      return { passportId: id, productId, status, category, kind, isComplete, counts }
    })
    const categories = Map.groupBy(passports, ({ category }) => category)
    return {
      examined: passports.length,
      categories: [...categories]
        .toSorted(([a], [b]) => (a ?? '').localeCompare(b ?? '', 'en'))
        .map(([category, those]) => ({
          category,
          passports: those.length,
          complete: those.filter(({ isComplete }) => isComplete).length,
          counts: sumOf(those.map(({ counts }) => counts)),
        })),
      passports: passports.toSorted((a, b) => byCompleteness(a.counts, b.counts)),
      nextCursor: next === undefined ? null : cursorOf(next),
    }
  }
}

const cursorOf = ({ createdAt, id }: CataloguePlace): string =>
  Buffer.from(`after ${createdAt} ${id}`).toString('base64url')

function placeOf(cursor: string | undefined): CataloguePlace | undefined {
  if (cursor === undefined) return undefined
  const [, createdAt, id] =
    /^after ([0-9]{1,16}) ([0-9a-f-]{36})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (createdAt === undefined || id === undefined || !isUuid(id))
    throw badRequest('cursor must be the nextCursor of a page.')
  return { createdAt, id }
}
