import {
  type BatchView,
  type CategoryDescription,
  type PassportView,
  type UnitView,
  uniqueProductIdentifier,
} from '../../../src/plugin/index.ts'
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

/** Submodel of the passport's seal (specification 4.1). */
export const SEAL = 'eidasVerificationSeal'

export interface Environment {
  readonly assetAdministrationShells: readonly object[]
  readonly submodels: readonly Submodel[]
}

/**
 * Returns the AAS environment of a passport (IDTA-01001), valid in versions 3.0, 3.1 and 3.2. Own concepts are in the vocabulary `/ns/dpp`.
 * An IDTA semantic ID is used only if the template's mandatory elements are present.
 * @param elements metadata elements, if already built
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

const withList = (object: object, name: string, texts: readonly string[]): string =>
  `${JSON.stringify(object).slice(0, -1)},"${name}":[${texts.join()}]}`

/** Returns the metadata without masked keys: an importer would store placeholders as data. */
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
      // Passports describe models: their Digital Links have no serial number.
      assetKind: 'Type',
      // Equals `uniqueProductIdentifier`, by which EN 18222 finds the shell (IDTA-01002-3, annex on passports).
      globalAssetId: uniqueProductIdentifier(productId, digitalLinkUri),
      specificAssetIds: [
        { name: 'productId', value: xmlText(productId), ...issuer },
        passportIdentifier(`${view.baseUrl}/passport/${id}`),
        ...(facility === null ? [] : [{ name: 'manufacturingFacilityGln', value: facility.gln, ...issuer }]),
      ],
    },
    submodels: submodels.map((submodel) => submodelReference(submodel.id)),
  }
}

/** Identifier of the passport, by which EN 18222 finds the shell. */
export const passportIdentifier = (value: string) => ({ name: 'digitalProductPassportId', value })

/** @param ids specific asset IDs in addition to the product's */
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

const shellId = (id: string): string => idOf(id, 'AssetAdministrationShell')

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

export const withId = (id: string, content: SubmodelContent): Submodel => ({
  modelType: 'Submodel',
  id: idOf(id, content.idShort),
  ...content,
})

/** Only GLN, name and country of the facility (specification 2.4). */
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

// RFC 7468: lines of 64 characters.
const toPem = (base64: string) =>
  `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----`
