import { inEitherForm, isUuid } from '../domain/identifiers.ts'
import { tagOf } from '../domain/precondition.ts'
import type { Principal } from '../domain/principal.ts'
import { uniqueMatch } from '../passports/passports.ts'
import type { Name } from '../renditions/rendition-statements.ts'
import { hidden, noRepresentation, type RenditionResult, toResult } from './rendition-result.ts'
import { deletedById, momentNamed, resolveEarlier, type Services } from './resolve-version.ts'
import { type Caller, isOwned, ownerViewer, PUBLIC, seesOwnerTier } from './viewer.ts'

/**
 * Returns a passport to a workspace. The entity tag contains the version, for conditional writes.
 * @throws Problem as {@link uniqueMatch}
 */
export async function resolveOwn(
  services: Services,
  idOrProduct: string,
  { asOf }: { readonly asOf?: string | undefined },
  caller: Caller & { readonly principal: Principal },
): Promise<RenditionResult> {
  const { principal, lang } = caller
  const { database, renditions } = services
  const choice = renditions.choose(caller, 'passport')
  if (choice === undefined) throw noRepresentation()
  const viewer = seesOwnerTier(principal) ? ownerViewer(principal) : PUBLIC
  const { reader } = viewer
  const read = (name: Name, value: string) => renditions.findOwn(principal, { name, value }, reader, choice, lang)
  const byId = isUuid(idOrProduct) ? await read('id', idOrProduct) : []
  const found = byId.length > 0 ? byId : await inEitherForm(idOrProduct, (product) => read('product_id', product))
  if (found.length === 0 && asOf !== undefined && reader === 'owner') {
    const deleted = await deletedById(database, idOrProduct)
    if (deleted !== undefined && (await isOwned(database, deleted, principal))) {
      return resolveEarlier(services, deleted, momentNamed(asOf), viewer, caller)
    }
  }
  const { candidate, rendition } = uniqueMatch(found, principal, ({ candidate }) => candidate.operatorId)
  if (candidate.status === 'DRAFT' && reader !== 'owner') throw hidden('passport')
  if (asOf !== undefined) return resolveEarlier(services, candidate, momentNamed(asOf), viewer, caller)
  const shown = rendition ?? (await renditions.of(candidate, reader, choice, lang))
  const tagged = shown && { ...shown, etag: tagOf(candidate.version, shown.etag) }
  return toResult(services, candidate, viewer, choice, tagged, caller)
}
