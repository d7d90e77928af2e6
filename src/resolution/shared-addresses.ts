import type { Cradle } from '../cradle.ts'
import type { Identifier } from '../domain/identifiers.ts'
import type { Advisory } from '../domain/problem.ts'
import { derivedUuid } from '../domain/webhooks.ts'
import { isLost } from '../storage/unit-of-work.ts'
import { isServedElsewhere, type Publication, passportsOfSameProducts } from './shared-address-statements.ts'

declare module '../cradle.ts' {
  interface Cradle {
    sharedAddresses: ReturnType<typeof sharedAddresses>
  }
}

/** Product ids of several workspaces: both sides are notified (decision "Whose address"). */
export default function sharedAddresses({ database, moduleHooks, translator }: Cradle) {
  return { warnings, notifyOthers }

  /** Only GS1 product ids have a shared address. */
  async function warnings(tenantId: string, { scheme, value }: Identifier, lang: string): Promise<Advisory[]> {
    if (scheme === 'sku') return []
    if (!(await isServedElsewhere(database, tenantId, value))) return []
    return [translator.advisory({ code: 'PRODUCT_ID_SERVED_ELSEWHERE', path: 'productId' }, lang)]
  }

  /** Notifies other workspaces that serve these product ids, once per newcomer. */
  async function notifyOthers(tenantId: string, published: readonly Publication[]): Promise<void> {
    if (published.length === 0) return
    const others = Map.groupBy(await passportsOfSameProducts(database, published), (other) => other.tenantId)
    for (const [otherTenant, passports] of others) {
      try {
        await database.transaction(otherTenant, async (tx) => {
          for (const { id, operatorId, productId } of passports) {
            moduleHooks.notify(tx, {
              id: derivedUuid(id, `passport.product_id_shared ${tenantId}`),
              type: 'passport.product_id_shared',
              operatorId,
              subjectId: id,
              message: `Another workspace has published a passport with product id ${productId}, which is also yours.`,
            })
          }
        })
      } catch (error) {
        if (!isLost(error, 'gone')) throw error
      }
    }
  }
}
