import type { PassportView } from '../../../src/plugin/index.ts'
import { type Element, globalReference, list, property, type Reference, submodelReference } from './elements.ts'

/** A submodel after a template of IDTA, before it has an id. */
export interface IdtaSubmodel {
  readonly idShort: string
  readonly semanticId: Reference
  readonly submodelElements: readonly Element[]
}

/** The submodels after IDTA templates whose mandatory elements the reader's view of the passport fills. */
export function idtaSubmodels(view: PassportView): IdtaSubmodel[] {
  const content: IdtaSubmodel[] = []
  return [dppMetadata(view, content), ...content]
}

const STATUS = { DRAFT: 'Draft', ACTIVE: 'Active', RECALLED: 'Invalid', DECOMMISSIONED: 'Inactive' } as const

/** IDTA 02099-1, the header of a passport by EN 18223:2026. */
function dppMetadata(view: PassportView, content: readonly IdtaSubmodel[]): IdtaSubmodel {
  const own = (idShort: string, value: string, valueType: 'xs:string' | 'xs:dateTime' = 'xs:string') =>
    property(idShort, valueType, value, `https://admin-shell.io/idta/cds/${idShort}/1`)
  const [first, ...others] = content.map(({ semanticId }) =>
    property(
      undefined,
      'xs:string',
      semanticId.keys[0]?.value ?? '',
      'https://admin-shell.io/idta/cds/contentSpecificationId/1',
    ),
  )
  return {
    idShort: 'DppMetadata',
    semanticId: submodelReference('https://admin-shell.io/idta/cds/dppMetadata/1'),
    submodelElements: [
      own('digitalProductPassportId', `${view.baseUrl}/passport/${view.id}`),
      own('uniqueProductIdentifier', view.digitalLinkUri),
      own('granularity', 'Model'),
      own('dppSchemaVersion', 'EN 18223:2026'),
      own('dppStatus', view.archivedAt === null ? STATUS[view.status] : 'Archived'),
      own('lastUpdate', view.updatedAt, 'xs:dateTime'),
      own('economicOperatorId', view.operator.regId),
      ...(view.facility === null ? [] : [own('facilityId', `urn:gs1:gln:${view.facility.gln}`)]),
      ...(first === undefined
        ? []
        : [
            list(
              'contentSpecificationIds',
              [first, ...others],
              'https://admin-shell.io/idta/cds/contentSpecificationIds/1',
            ),
          ]),
    ],
  }
}
