import type { BatchView, CategoryDescription } from '../../../src/plugin/index.ts'
import {
  property,
  type Submodel,
  shellReference,
  submodelReference,
  toIdShort,
  xmlText,
  xsdDateTime,
} from './elements.ts'
import { type Environment, environment, ownSubmodel, shellId, withId } from './environment.ts'
import { batchMetadata } from './idta.ts'
import { COMPLIANCE_METADATA, metadataElements } from './metadata.ts'

/**
 * The environment of one batch (IDTA-01001): a shell derived from the shell of its product, which is in the environment too
 * with all that is true of the product, and a submodel with what differs in the batch.
 * @param category what the passport's category says of its keys
 */
export function batchEnvironment(batch: BatchView, category: CategoryDescription): Environment {
  const type = environment(batch.ofModel, category)
  const { manufacturedAt, maskedKeys } = batch
  // A placeholder in place of what is masked would be read as data.
  const visible = Object.fromEntries(Object.entries(batch.metadata).filter(([key]) => !maskedKeys.includes(key)))
  const submodels = [
    ownSubmodel(batch, 'ProductBatchInformation', [
      property('batchId', 'xs:string', batch.id),
      property('batchNumber', 'xs:string', xmlText(batch.batchNumber)),
      property('passportId', 'xs:string', batch.ofModel.id),
      ...(manufacturedAt === null ? [] : [property('manufacturedAt', 'xs:dateTime', xsdDateTime(manufacturedAt))]),
      property('createdAt', 'xs:dateTime', batch.createdAt),
    ]),
    ownSubmodel(batch, COMPLIANCE_METADATA, metadataElements(visible, category)),
    withId(batch.id, batchMetadata(batch)),
  ].filter(({ submodelElements }) => submodelElements.length > 0)
  return {
    assetAdministrationShells: [shell(batch, submodels), ...type.assetAdministrationShells],
    submodels: [...submodels, ...type.submodels],
  }
}

function shell({ id, batchNumber, digitalLinkUri, ofModel }: BatchView, submodels: readonly Submodel[]): object {
  return {
    modelType: 'AssetAdministrationShell',
    id: shellId(id),
    idShort: toIdShort('AAS_', batchNumber),
    derivedFrom: shellReference(shellId(ofModel.id)),
    assetInformation: {
      // `Batch` is a kind of version 3.2 alone; which level it is, DppMetadata says in every version.
      assetKind: 'NotApplicable',
      globalAssetId: digitalLinkUri,
      specificAssetIds: [
        { name: 'batchNumber', value: xmlText(batchNumber) },
        { name: 'productId', value: xmlText(ofModel.productId) },
      ],
    },
    submodels: submodels.map((submodel) => submodelReference(submodel.id)),
  }
}
