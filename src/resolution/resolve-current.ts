import type { Cradle } from '../cradle.ts'
import type { Choice } from '../renditions/negotiated-format.ts'
import { kindOf } from '../renditions/rendition-statements.ts'
import type { Candidate } from './candidates.ts'
import { type CeasedUnit, hidden, noRepresentation, type RenditionResult, toResult } from './rendition-result.ts'
import { type Caller, isOwned, PUBLIC, tokenOf, viewerOf } from './viewer.ts'

type Services = Pick<Cradle, 'database' | 'grants' | 'renditions' | 'unitViews' | 'accessAudit' | 'protectedReadAudit'>

/** @throws Problem 404 if absent or hidden, 406 */
export async function resolveCurrent(
  services: Services,
  candidate: Candidate | undefined,
  caller: Caller,
  choice: Choice | undefined,
): Promise<RenditionResult> {
  const viewer = candidate === undefined ? PUBLIC : await viewerOf(services, candidate, caller)
  const { reader } = viewer
  // Hidden drafts and absent passports get the same response (specification 4.5).
  if (candidate === undefined || (candidate.status === 'DRAFT' && reader !== 'owner')) throw hidden(kindOf(candidate))
  if (choice === undefined) throw noRepresentation()
  if (reader === 'public' && caller.grant !== undefined && !choice.isSigned && choice.plugin.renderPage !== undefined) {
    // Notifies people that their access ended; not cached for others.
    const page = await services.renditions.withNotice(candidate, 'accessEnded', choice.plugin, caller.lang)
    return { ...toResult(services, candidate, viewer, choice, page, caller), isPublic: false }
  }
  return toResult(
    services,
    candidate,
    viewer,
    choice,
    await services.renditions.of(candidate, reader, choice, caller.lang, {
      grant: tokenOf(viewer, caller),
      countSlowWork: caller.countSlowWork,
    }),
    caller,
  )
}

/** Recycling takes precedence over representation and view (specification 3.2). */
export async function resolveUnit(
  services: Services,
  candidate: Candidate | undefined,
  caller: Caller,
  choice: () => Choice | undefined,
): Promise<RenditionResult | CeasedUnit> {
  const unit = candidate?.unit
  if (candidate === undefined || unit === undefined) throw hidden('unit')
  const view = services.unitViews.ceased(unit, {
    id: candidate.id,
    productId: unit.productId,
    category: candidate.category,
  })
  if (view === undefined) return resolveCurrent(services, candidate, caller, choice())
  if (candidate.status === 'DRAFT' && !(await isOwned(services.database, candidate, caller.principal)))
    throw hidden('unit')
  const ceased = services.renditions.renderCeased(view, caller.accept, caller.lang)
  if (ceased === undefined) throw noRepresentation()
  return { ceased }
}
