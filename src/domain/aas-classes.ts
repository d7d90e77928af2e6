import { dictionary } from './record.ts'

export type Member =
  | { readonly kind: 'text' | 'boolean' }
  /** Contains the members of the object as elements. */
  | { readonly kind: 'object'; readonly name: string }
  /** Contains elements of these names, which are class names. */
  | { readonly kind: 'list' | 'one'; readonly names: readonly [string, ...string[]] }

const text: Member = { kind: 'text' }
const boolean: Member = { kind: 'boolean' }
const object = (name: string): Member => ({ kind: 'object', name })
const list = (...names: [string, ...string[]]): Member => ({ kind: 'list', names })
const one = (...names: [string, ...string[]]): Member => ({ kind: 'one', names })

const reference = object('reference')
const SUBMODEL_ELEMENTS = [
  'annotatedRelationshipElement',
  'basicEventElement',
  'blob',
  'capability',
  'entity',
  'file',
  'multiLanguageProperty',
  'operation',
  'property',
  'range',
  'referenceElement',
  'relationshipElement',
  'submodelElementCollection',
  'submodelElementList',
] as const
const DATA_SPECIFICATIONS = ['dataSpecificationIec61360', 'dataSpecificationUom'] as const
const elements = list(...SUBMODEL_ELEMENTS)

const DATA = { embeddedDataSpecifications: list('embeddedDataSpecification') }
const SEMANTICS = { semanticId: reference, supplementalSemanticIds: list('reference') }
const QUALIFIERS = { qualifiers: list('qualifier') }
const REFERABLE = {
  extensions: list('extension'),
  category: text,
  idShort: text,
  displayName: list('langStringNameType'),
  description: list('langStringTextType'),
}
const IDENTIFIABLE = { ...REFERABLE, administration: object('administrativeInformation'), id: text }
const ELEMENT = { ...REFERABLE, ...SEMANTICS, ...QUALIFIERS, ...DATA }
const RELATIONSHIP = { ...ELEMENT, first: reference, second: reference }
const LANG_STRING = { language: text, text }

/**
 * Metamodel classes 3.0 to 3.2 by XML element name. Members are in the order of the XML schema (IDTA-01001, schemas/xml/AAS.xsd). Only 3.2
 * has `createdAt`, `updatedAt` and `dataSpecificationUom`.
 */
export const AAS_CLASSES = dictionary<Readonly<Record<string, Member>>>(
  Object.fromEntries(
    Object.entries<Readonly<Record<string, Member>>>({
      environment: {
        assetAdministrationShells: list('assetAdministrationShell'),
        submodels: list('submodel'),
        conceptDescriptions: list('conceptDescription'),
      },
      assetAdministrationShell: {
        ...IDENTIFIABLE,
        ...DATA,
        derivedFrom: reference,
        assetInformation: object('assetInformation'),
        submodels: list('reference'),
      },
      assetInformation: {
        assetKind: text,
        globalAssetId: text,
        specificAssetIds: list('specificAssetId'),
        assetType: text,
        defaultThumbnail: object('resource'),
      },
      resource: { path: text, contentType: text },
      specificAssetId: { ...SEMANTICS, name: text, value: text, externalSubjectId: reference },
      submodel: { ...IDENTIFIABLE, kind: text, ...SEMANTICS, ...QUALIFIERS, ...DATA, submodelElements: elements },
      conceptDescription: { ...IDENTIFIABLE, ...DATA, isCaseOf: list('reference') },
      administrativeInformation: {
        ...DATA,
        version: text,
        revision: text,
        creator: reference,
        createdAt: text,
        updatedAt: text,
        templateId: text,
      },
      reference: { type: text, referredSemanticId: reference, keys: list('key') },
      key: { type: text, value: text },
      extension: { ...SEMANTICS, name: text, valueType: text, value: text, refersTo: list('reference') },
      qualifier: { ...SEMANTICS, kind: text, type: text, valueType: text, value: text, valueId: reference },
      embeddedDataSpecification: {
        dataSpecification: reference,
        dataSpecificationContent: one(...DATA_SPECIFICATIONS),
      },
      dataSpecificationIec61360: {
        preferredName: list('langStringPreferredNameTypeIec61360'),
        shortName: list('langStringShortNameTypeIec61360'),
        unit: text,
        unitId: reference,
        sourceOfDefinition: text,
        symbol: text,
        dataType: text,
        definition: list('langStringDefinitionTypeIec61360'),
        valueFormat: text,
        valueList: object('valueList'),
        value: text,
        levelType: object('levelType'),
      },
      dataSpecificationUom: {
        preferredName: list('langStringUom'),
        symbol: text,
        specificUnitId: text,
        definition: list('langStringDefinitionTypeUom'),
        preferredNameQuantity: list('langStringUom'),
        quantityId: text,
        classificationSystem: text,
        classificationSystemVersion: text,
      },
      valueList: { valueReferencePairs: list('valueReferencePair') },
      valueReferencePair: { value: text, valueId: reference },
      levelType: { min: boolean, nom: boolean, typ: boolean, max: boolean },
      langStringNameType: LANG_STRING,
      langStringTextType: LANG_STRING,
      langStringPreferredNameTypeIec61360: LANG_STRING,
      langStringShortNameTypeIec61360: LANG_STRING,
      langStringDefinitionTypeIec61360: LANG_STRING,
      langStringUom: LANG_STRING,
      langStringDefinitionTypeUom: LANG_STRING,
      annotatedRelationshipElement: { ...RELATIONSHIP, annotations: elements },
      basicEventElement: {
        ...ELEMENT,
        observed: reference,
        direction: text,
        state: text,
        messageTopic: text,
        messageBroker: reference,
        lastUpdate: text,
        minInterval: text,
        maxInterval: text,
      },
      blob: { ...ELEMENT, value: text, contentType: text },
      capability: ELEMENT,
      entity: {
        ...ELEMENT,
        statements: elements,
        entityType: text,
        globalAssetId: text,
        specificAssetIds: list('specificAssetId'),
      },
      file: { ...ELEMENT, value: text, contentType: text },
      multiLanguageProperty: { ...ELEMENT, value: list('langStringTextType'), valueId: reference },
      operation: {
        ...ELEMENT,
        inputVariables: list('operationVariable'),
        outputVariables: list('operationVariable'),
        inoutputVariables: list('operationVariable'),
      },
      operationVariable: { value: one(...SUBMODEL_ELEMENTS) },
      property: { ...ELEMENT, valueType: text, value: text, valueId: reference },
      range: { ...ELEMENT, valueType: text, min: text, max: text },
      referenceElement: { ...ELEMENT, value: reference },
      relationshipElement: RELATIONSHIP,
      submodelElementCollection: { ...ELEMENT, value: elements },
      submodelElementList: {
        ...ELEMENT,
        orderRelevant: boolean,
        semanticIdListElement: reference,
        typeValueListElement: text,
        valueTypeListElement: text,
        value: elements,
      },
    }).map(([name, members]) => [name, dictionary(members)]),
  ),
)

const TYPED: ReadonlySet<string> = new Set([
  'assetAdministrationShell',
  'submodel',
  'conceptDescription',
  ...SUBMODEL_ELEMENTS,
  ...DATA_SPECIFICATIONS,
])

/** Undefined if JSON has no `modelType` for the element. */
export const modelTypeOf = (name: string): string | undefined =>
  TYPED.has(name) ? `${name.charAt(0).toUpperCase()}${name.slice(1)}` : undefined
