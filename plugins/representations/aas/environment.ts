import type { BatchView, CategoryDescription, PassportView, UnitView } from '../../../src/plugin/index.ts'
import {
  type Element,
  globalReference,
  idOf,
  jsonText,
  list,
  property,
  referenceElement,
  type Submodel,
  type SubmodelContent,
  shellReference,
  submodelReference,
  toIdShort,
  xmlText,
} from './elements.ts'
import { idtaSubmodels } from './idta.ts'
import { COMPLIANCE_METADATA, metadataElements } from './metadata.ts'

/** The submodel with a passport's seal (specification 4.1). */
export const SEAL = 'eidasVerificationSeal'

/** What an environment has; concept descriptions are in dictionaries elsewhere. */
export interface Environment {
  readonly assetAdministrationShells: readonly object[]
  readonly submodels: readonly Submodel[]
}

/**
 * The Asset Administration Shell environment of a passport (IDTA-01001), valid in the versions 3.0, 3.1 and 3.2 at once.
 * Concepts of our own are named by the vocabulary at `/ns/dpp`; a semantic id of IDTA stands only where the mandatory
 * elements of its template are filled.
 * @param category what the passport's category says of its keys
 * @param elements of the metadata, where they have been made
 */
export function environment(
  passport: PassportView,
  category: CategoryDescription,
  elements: readonly Element[] = metadataElements(visible(passport), category),
): Environment {
  const view = { ...passport, metadata: visible(passport) }
  const submodels = [
    ownSubmodel(view, 'GeneralProductInformation', generalInformation(view)),
    ownSubmodel(view, COMPLIANCE_METADATA, elements),
    ...idtaSubmodels(view, category).map((submodel) => withId(view.id, submodel)),
    ...(view.seal === null ? [] : [ownSubmodel(view, SEAL, sealElements(view.seal))]),
  ].filter(({ submodelElements }) => submodelElements.length > 0)
  return { assetAdministrationShells: [shell(view, submodels)], submodels }
}

/** An environment as JSON text, in steps of one element each: there may be thousands. */
export function* environmentText({ submodels, ...environment }: Environment): Generator<void, string> {
  const texts: string[] = []
  for (const { submodelElements, ...submodel } of submodels) {
    const elements: string[] = []
    for (const element of submodelElements) {
      elements.push(JSON.stringify(element))
      yield
    }
    texts.push(withList(submodel, 'submodelElements', elements))
  }
  return withList(environment, 'submodels', texts)
}

/** The object as JSON text with one more member, a list of JSON texts. */
const withList = (object: object, name: string, texts: readonly string[]): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":[${texts.join()}]}`

/**
 * The metadata without what is masked: a placeholder in its place would be read as data, and stored by whoever ingests it.
 */
export const visible = ({
  metadata,
  maskedKeys,
}: Pick<PassportView, 'metadata' | 'maskedKeys'>): PassportView['metadata'] => {
  if (maskedKeys.length === 0) return metadata
  const masked = new Set(maskedKeys)
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !masked.has(key)))
}

function shell(view: PassportView, submodels: readonly Submodel[]): object {
  const { id, productId, digitalLinkUri, facility } = view
  const issuer = facility === null ? {} : { externalSubjectId: globalReference(`urn:gs1:gln:${facility.gln}`) }
  return {
    modelType: 'AssetAdministrationShell',
    id: shellId(id),
    idShort: toIdShort('AAS_', productId),
    assetInformation: {
      // A passport describes a model: its Digital Link names no serial number.
      assetKind: 'Type',
      globalAssetId: digitalLinkUri,
      specificAssetIds: [
        { name: 'productId', value: xmlText(productId), ...issuer },
        ...(facility === null ? [] : [{ name: 'manufacturingFacilityGln', value: facility.gln, ...issuer }]),
      ],
    },
    submodels: submodels.map((submodel) => submodelReference(submodel.id)),
  }
}

/** The shell of a unit or of a batch, derived from that of its product. @param ids its specific asset ids beside the product's */
export const derivedShell = (
  { id, digitalLinkUri, ofModel }: Pick<UnitView | BatchView, 'id' | 'digitalLinkUri' | 'ofModel'>,
  { called, assetKind, ids }: { readonly called: string; readonly assetKind: string; readonly ids: readonly object[] },
  submodels: readonly Submodel[],
): object => ({
  modelType: 'AssetAdministrationShell',
  id: shellId(id),
  idShort: toIdShort('AAS_', called),
  derivedFrom: shellReference(shellId(ofModel.id)),
  assetInformation: {
    assetKind,
    globalAssetId: digitalLinkUri,
    specificAssetIds: [...ids, { name: 'productId', value: xmlText(ofModel.productId) }],
  },
  submodels: submodels.map((submodel) => submodelReference(submodel.id)),
})

/** The id of the shell of a passport, or of a unit. */
const shellId = (id: string): string => idOf(id, 'AssetAdministrationShell')

/** A submodel of our own vocabulary about a passport, or about a unit. */
export const ownSubmodel = (
  { baseUrl, id }: Pick<PassportView, 'baseUrl' | 'id'>,
  idShort: string,
  elements: readonly Element[],
): Submodel =>
  withId(id, {
    idShort,
    semanticId: globalReference(`${baseUrl}/ns/dpp#${idShort}`),
    submodelElements: elements,
  })

/** The submodel as part of the environment of a passport, or of a unit. */
export const withId = (id: string, content: SubmodelContent): Submodel => ({
  modelType: 'Submodel',
  id: idOf(id, content.idShort),
  ...content,
})

/** Of a facility its GLN, name and country alone (specification 2.4). */
function generalInformation({ id, productId, status, createdAt, updatedAt, facility, links }: PassportView): Element[] {
  return [
    property('passportId', 'xs:string', id),
    property('productId', 'xs:string', productId),
    property('status', 'xs:string', status),
    property('createdAt', 'xs:dateTime', createdAt),
    property('updatedAt', 'xs:dateTime', updatedAt),
    ...(facility === null
      ? []
      : [
          property('manufacturingFacilityGln', 'xs:string', facility.gln),
          property('manufacturingFacilityName', 'xs:string', facility.name),
          property('manufacturingFacilityCountry', 'xs:string', facility.country),
          referenceElement('manufacturingFacility', `urn:gs1:gln:${facility.gln}`),
        ]),
    ...[...Map.groupBy(links, ({ rel }) => rel)].flatMap(([rel, same]) => {
      const [first, ...others] = same.map(({ target }) => referenceElement(undefined, target))
      return first === undefined ? [] : [list(rel, [first, ...others])]
    }),
  ]
}

/** What is needed to check the seal by the published rule, which works on the metadata that stands beside it. */
function sealElements({ signature, publicKeyPem, proof }: NonNullable<PassportView['seal']>): Element[] {
  const { merkleRoot, created, salts, redactedLeaves, subject, x5c, rfc3161 } = proof
  return [
    property('digitalSealHash', 'xs:string', merkleRoot),
    property('cryptographicSignature', 'xs:string', signature),
    property('pemPublicKey', 'xs:string', publicKeyPem),
    ...(x5c === undefined ? [] : [property('x509CertificateChain', 'xs:string', x5c.map(toPem).join('\n'))]),
    property('created', 'xs:dateTime', created),
    ...(rfc3161 === undefined ? [] : [property('timestampToken', 'xs:string', rfc3161.token)]),
    ...(subject === undefined ? [] : [property('subject', 'xs:string', jsonText(subject))]),
    property('salts', 'xs:string', jsonText(salts)),
    ...(redactedLeaves === undefined ? [] : [property('redactedLeaves', 'xs:string', jsonText(redactedLeaves))]),
  ]
}

// RFC 7468: lines of 64 characters between the two labels.
const toPem = (base64: string) =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----`
