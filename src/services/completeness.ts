import type { Cradle } from '../cradle.ts'
import type { Principal } from '../domain/principal.ts'
import type { Content } from '../domain/schema.ts'
import { readStated } from '../storage/units.ts'
import { named, nameOf } from './units.ts'

/** Units that a report looks at, the newest of a passport. */
const MOST_EXAMINED = 1000

declare module '../cradle.ts' {
  interface Cradle {
    completeness: ReturnType<typeof completeness>
  }
}

/** What the law asks of a passport and its units, and what of it is missing. */
export default function completeness({ database, completenessReports }: Cradle) {
  return { ofPassport }

  /** @throws Problem 404; 403 for another operator's; 400 when several operators have the product */
  async function ofPassport(
    principal: Pick<Principal, 'tenantId' | 'operatorId'>,
    idOrProduct: string,
    lang: string,
  ): Promise<Content<'CompletenessReport'>> {
    const session = database.forTenant(principal.tenantId)
    const { passports, metadata, ...known } = await readStated(session, nameOf(idOrProduct, principal), MOST_EXAMINED)
    const { id, productId } = named(passports, principal)
    return { passportId: id, productId, ...completenessReports.of(metadata, lang, known) }
  }
}
