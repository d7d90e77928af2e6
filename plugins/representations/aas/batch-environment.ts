import type { BatchView, CategoryDescription } from '../../../src/plugin/index.ts'
import { type Element, property, xmlText, xsdDateTime } from './elements.ts'
import { derivedShell, type Environment, environment, ownSubmodel, visible, withId } from './environment.ts'
import { batchMetadata } from './idta.ts'
import { COMPLIANCE_METADATA, metadataElements } from './metadata.ts'

/**
 * The environment of one batch (IDTA-01001): a shell derived from the shell of its product, which is in the environment too
 * with all that is true of the product, and a submodel with what differs in the batch.
 * @param category what the passport's category says of its keys
 * @param elements of the product's metadata, where they have been made
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
  const ids = [{ name: 'batchNumber', value: xmlText(batchNumber) }]
  // `Batch` is a kind of version 3.2 alone; which level it is, DppMetadata says in every version.
  const shell = derivedShell(batch, { called: batchNumber, assetKind: 'NotApplicable', ids }, submodels)
  return {
    assetAdministrationShells: [shell, ...type.assetAdministrationShells],
    submodels: [...submodels, ...type.submodels],
  }
}
