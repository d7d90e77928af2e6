import type { Cradle } from './cradle.ts'
import type { SignedIn } from './site.ts'

type Services = Pick<Cradle, 'candidateSearch' | 'operators' | 'translator'>
type Identifier = ReturnType<Cradle['passportRules']['identify']>

/**
 * Says which other companies have a passport of the product. All are served at the address in its code: the sealed one, or a choice. The
 * address of an own article number is that of one passport.
 */
export async function sameProduct(
  { candidateSearch, operators, translator }: Services,
  { principal, lang, t }: SignedIn,
  { scheme, value }: Identifier,
  operatorId: string | undefined,
): Promise<readonly string[]> {
  if (scheme === 'sku') return []
  const found = await candidateSearch.byKey(value, scheme, { principal })
  const others = found.filter((match) => !match.isNamed && match.operatorId !== operatorId)
  if (others.length === 0) return []
  const names = new Map(
    (await operators.list({ ...principal, operatorId: null }, true)).map(({ id, name }) => [id, name]),
  )
  const own = others.flatMap((match) =>
    match.tenantId === principal.tenantId ? (names.get(match.operatorId) ?? []) : [],
  )
  const isElsewhere = others.some(({ tenantId }) => tenantId !== principal.tenantId)
  return [
    ...(own.length === 0 ? [] : [t('create.shared', { company: [...new Set(own)].join(', ') })]),
    ...(isElsewhere ? [translator.advisory({ code: 'PRODUCT_ID_SERVED_ELSEWHERE' }, lang).friendlyMessage] : []),
  ]
}
