import { badRequest, isUuid } from '../../../src/plugin/module.ts'
import type { components } from './generated.ts'
import type { UnitRange } from './label-rows.ts'
import { LAYOUTS, type Layout, USUAL_LAYOUT } from './layouts.ts'

type Schemas = components['schemas']

export type LabelRequest = (
  | ({ readonly subject: 'passport' } & Partial<Schemas['PassportLabels']>)
  | ({ readonly subject: 'unit' } & Partial<Schemas['UnitLabels']>)
) & {
  readonly lang?: string | undefined
}

export type Selection = { readonly ids: readonly string[] } | UnitRange

/** @throws Problem 400 */
export function validateRequest(request: LabelRequest): { readonly layout: Layout; readonly selection: Selection } {
  const layout = LAYOUTS[request.layout ?? USUAL_LAYOUT]
  if (layout === undefined) throw badRequest(`layout must be one of: ${Object.keys(LAYOUTS).join(', ')}`)
  return { layout, selection: selectionOf(request) }
}

function selectionOf(request: LabelRequest): Selection {
  if (request.subject === 'passport') return { ids: request.ids ?? [] }
  const { ids, passportId, from, to } = request
  if ((ids === undefined) === (passportId === undefined)) throw badRequest('Set either ids or passportId.')
  if (ids !== undefined) {
    if (from !== undefined || to !== undefined) throw badRequest('from and to are allowed only with passportId.')
    return { ids }
  }
  if (passportId === undefined || !isUuid(passportId)) throw badRequest('passportId must be a UUID.')
  return { passportId, from, to }
}
