import type { BatchView, CategoryDescription } from '../../../src/plugin/index.ts'
import { type Element, property, xmlText, xsdDateTime } from './elements.ts'
import {
  derivedShell,
  type Environment,
  environment,
  ownSubmodel,
  passportIdentifier,
  visible,
  withId,
} from './environment.ts'
import { batchMetadata } from './idta.ts'
import { COMPLIANCE_METADATA, metadataElements } from './metadata.ts'

/**
 * Returns the environment of one batch (IDTA-01001): a shell derived from the product shell, which is included, and a submodel of the
 * differences.
 * @param elements metadata elements of the product, if already built
 */
export function batchEnvironment(
  batch: BatchView,
  category: CategoryDescription,
  elements?: readonly Element[],
): Environment {
  const type = environment(batch.ofModel, category, elements)
  const { manufacturedAt, batchNumber } = batch
  const submodels = [
    ownSubmodel(batch, 'ProductBatchInformation', [
      property('batchId', 'xs:string', batch.id),
      property('batchNumber', 'xs:string', xmlText(batchNumber)),
      property('passportId', 'xs:string', batch.ofModel.id),
      ...(manufacturedAt === null ? [] : [property('manufacturedAt', 'xs:dateTime', xsdDateTime(manufacturedAt))]),
      property('createdAt', 'xs:dateTime', batch.createdAt),
    ]),
    ownSubmodel(batch, COMPLIANCE_METADATA, metadataElements(visible(batch), category)),
    withId(batch.id, batchMetadata(batch)),
  ].filter(({ submodelElements }) => submodelElements.length > 0)
  const ids = [
    { name: 'batchNumber', value: xmlText(batchNumber) },
    passportIdentifier(`${batch.baseUrl}/batch/${batch.id}`),
  ]
  // The kind `Batch` exists only in version 3.2; DppMetadata states the level in every version.
  const shell = derivedShell(batch, { called: batchNumber, assetKind: 'NotApplicable', ids }, submodels)
  return {
    assetAdministrationShells: [shell, ...type.assetAdministrationShells],
    submodels: [...submodels, ...type.submodels],
  }
}
