import {
  type BatchView,
  type CategoryDescription,
  type PassportView,
  type UnitStatus,
  type UnitView,
  uniqueProductIdentifier,
} from '../../../src/plugin/index.ts'
import { carbonFootprint } from './carbon-footprint.ts'
import { list, property, type SubmodelContent, submodelReference } from './elements.ts'
import { materialComposition } from './material-composition.ts'
import { technicalData } from './technical-data.ts'

/**
 * Returns the IDTA submodels that the view can fill. Missing mandatory values are never guessed; the template's semantic ID is then not
 * claimed.
 */
export function idtaSubmodels(view: PassportView, category: CategoryDescription): SubmodelContent[] {
  const content = [carbonFootprint(view, category), technicalData(view, category), materialComposition(view)].filter(
    (submodel) => submodel !== undefined,
  )
  return [dppMetadata(view, content), ...content]
}

/** EN 18223:2026 leaves the values open; these follow IDTA 02099-1 and its first implementations. */
const STATUS = { DRAFT: 'Draft', ACTIVE: 'Active', RECALLED: 'Invalid', DECOMMISSIONED: 'Inactive' } as const

const UNIT_STATUS: Readonly<Record<UnitStatus, string>> = {
  IN_SERVICE: STATUS.ACTIVE,
  DECOMMISSIONED: STATUS.DECOMMISSIONED,
  RECALLED: STATUS.RECALLED,
  REPURPOSED: STATUS.ACTIVE,
  REMANUFACTURED: STATUS.ACTIVE,
  REUSED: STATUS.ACTIVE,
  WASTE: STATUS.DECOMMISSIONED,
  RECYCLED: STATUS.DECOMMISSIONED,
}

const CDS = 'https://admin-shell.io/idta/cds'

/** Header of a passport (IDTA 02099-1, EN 18223:2026). */
function dppMetadata(view: PassportView, content: readonly SubmodelContent[]): SubmodelContent {
  const [first, ...others] = content
    .map(({ semanticId }) => semanticId.keys[0]?.value ?? '')
    .filter((id) => !id.startsWith(view.baseUrl))
    .map((id) => property(undefined, 'xs:string', id, `${CDS}/contentSpecificationId/1`))
  const header = headerOf(view, {
    id: `${view.baseUrl}/passport/${view.id}`,
    digitalLinkUri: uniqueProductIdentifier(view.productId, view.digitalLinkUri),
    granularity: 'Model',
    status: STATUS[view.status],
    updatedAt: view.updatedAt,
  })
  if (first === undefined) return header
  const specifications = list('contentSpecificationIds', [first, ...others], `${CDS}/contentSpecificationIds/1`)
  return { ...header, submodelElements: [...header.submodelElements, specifications] }
}

export const unitMetadata = (unit: UnitView): SubmodelContent =>
  headerOf(unit.ofModel, {
    id: `${unit.baseUrl}/unit/${unit.id}`,
    digitalLinkUri: unit.digitalLinkUri,
    granularity: 'Item',
    status: unit.ofModel.status === 'ACTIVE' ? UNIT_STATUS[unit.status] : STATUS[unit.ofModel.status],
    updatedAt: unit.updatedAt,
  })

/** Batches have no own status (IDTA 02099-1). */
export const batchMetadata = (batch: BatchView): SubmodelContent =>
  headerOf(batch.ofModel, {
    id: `${batch.baseUrl}/batch/${batch.id}`,
    digitalLinkUri: batch.digitalLinkUri,
    granularity: 'Batch',
    status: STATUS[batch.ofModel.status],
    updatedAt: batch.createdAt,
  })

interface Header {
  readonly id: string
  readonly digitalLinkUri: string
  readonly granularity: 'Model' | 'Batch' | 'Item'
  readonly status: string
  readonly updatedAt: string
}

function headerOf(
  { archivedAt, operator, facility }: PassportView,
  { id, digitalLinkUri, granularity, status, updatedAt }: Header,
): SubmodelContent {
  const text = (idShort: string, value: string) => property(idShort, 'xs:string', value, `${CDS}/${idShort}/1`)
  return {
    idShort: 'DppMetadata',
    semanticId: submodelReference(`${CDS}/dppMetadata/1`),
    submodelElements: [
      text('digitalProductPassportId', id),
      text('uniqueProductIdentifier', digitalLinkUri),
      text('granularity', granularity),
      text('dppSchemaVersion', 'EN 18223:2026'),
      text('dppStatus', archivedAt === null ? status : 'Archived'),
      property('lastUpdate', 'xs:dateTime', updatedAt, `${CDS}/lastUpdate/1`),
      text('economicOperatorId', operator.regId),
      ...(facility === null ? [] : [text('facilityId', `urn:gs1:gln:${facility.gln}`)]),
    ],
  }
}
