import type { CategoryDescription, PassportView } from '../../../src/plugin/index.ts'
import { carbonFootprint } from './carbon-footprint.ts'
import { list, property, type SubmodelContent, submodelReference } from './elements.ts'
import { materialComposition } from './material-composition.ts'
import { technicalData } from './technical-data.ts'

/**
 * The submodels after templates of IDTA that the reader's view of the passport fills. A value that the template demands
 * and the passport does not state is never guessed: then the semantic id of the template is not claimed.
 */
export function idtaSubmodels(view: PassportView, category: CategoryDescription): SubmodelContent[] {
  const content = [carbonFootprint(view, category), technicalData(view, category), materialComposition(view)].filter(
    (submodel) => submodel !== undefined,
  )
  return [dppMetadata(view, content), ...content]
}

/** EN 18223:2026 leaves the values open; these are the words of IDTA 02099-1 and of its first implementations. */
const STATUS = { DRAFT: 'Draft', ACTIVE: 'Active', RECALLED: 'Invalid', DECOMMISSIONED: 'Inactive' } as const

const CDS = 'https://admin-shell.io/idta/cds'

/** IDTA 02099-1, the header of a passport by EN 18223:2026. */
function dppMetadata(view: PassportView, content: readonly SubmodelContent[]): SubmodelContent {
  const text = (idShort: string, value: string) => property(idShort, 'xs:string', value, `${CDS}/${idShort}/1`)
  const [first, ...others] = content
    .map(({ semanticId }) => semanticId.keys[0]?.value ?? '')
    .filter((id) => !id.startsWith(view.baseUrl))
    .map((id) => property(undefined, 'xs:string', id, `${CDS}/contentSpecificationId/1`))
  return {
    idShort: 'DppMetadata',
    semanticId: submodelReference(`${CDS}/dppMetadata/1`),
    submodelElements: [
      text('digitalProductPassportId', `${view.baseUrl}/passport/${view.id}`),
      text('uniqueProductIdentifier', view.digitalLinkUri),
      text('granularity', 'Model'),
      text('dppSchemaVersion', 'EN 18223:2026'),
      text('dppStatus', view.archivedAt === null ? STATUS[view.status] : 'Archived'),
      property('lastUpdate', 'xs:dateTime', view.updatedAt, `${CDS}/lastUpdate/1`),
      text('economicOperatorId', view.operator.regId),
      ...(view.facility === null ? [] : [text('facilityId', `urn:gs1:gln:${view.facility.gln}`)]),
      ...(first === undefined
        ? []
        : [list('contentSpecificationIds', [first, ...others], `${CDS}/contentSpecificationIds/1`)]),
    ],
  }
}
