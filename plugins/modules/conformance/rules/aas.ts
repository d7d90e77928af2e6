import { isRecord, type JsonRecord } from '../../../../src/plugin/index.ts'
import { AAS_CLASSES, type Member, modelTypeOf } from '../../../../src/plugin/module.ts'
import { shown } from '../finding.ts'
import { isOfDataType } from './en18223.ts'

// Environments of the Asset Administration Shell (IDTA-01001, 3.0 to 3.2). The rules are ours; the schemas are not shipped.

const ID_SHORT = /^[a-zA-Z](?:[a-zA-Z0-9_-]*[a-zA-Z0-9_])?$/
const LANGUAGE = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/
// Batch since 3.2.
const KINDS = ['Type', 'Instance', 'Batch', 'Role', 'NotApplicable']
const MAX_ID_SHORT = 128
const MAX_DEPTH = 64

interface FoundObject {
  /** Class with a small letter, as in `AAS_CLASSES`. */
  readonly name: string
  readonly path: string
  readonly object: JsonRecord
  /** True for an item of a submodel element list, which needs no idShort. */
  readonly isListItem: boolean
}

const small = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** Every object of an environment with its class. */
function objectsOf(environment: JsonRecord): FoundObject[] {
  const found: FoundObject[] = []
  const visit = (name: string, object: unknown, path: string, isListItem: boolean, depth: number) => {
    const members = AAS_CLASSES[name]
    if (!isRecord(object) || depth > MAX_DEPTH) return
    found.push({ name, path, object, isListItem })
    for (const [key, value] of Object.entries(object)) {
      const member = members?.[key]
      if (member === undefined || !hasObjects(member)) continue
      const items = member.kind === 'list' && Array.isArray(value) ? value : [value]
      const isInList = name === 'submodelElementList' && key === 'value'
      for (const [index, item] of items.entries()) {
        visit(classOf(member, item), item, `${path}/${key}/${labelOf(item, index)}`, isInList, depth + 1)
      }
    }
  }
  visit('environment', environment, '', false, 0)
  return found
}

const labelOf = (item: unknown, index: number) =>
  isRecord(item) && typeof item.idShort === 'string' ? item.idShort : String(index)

type ObjectMember = Extract<Member, { name: string } | { names: unknown }>

const hasObjects = (member: Member): member is ObjectMember => 'name' in member || 'names' in member

function classOf(member: ObjectMember, item: unknown): string {
  if ('name' in member) return member.name
  const type = isRecord(item) && typeof item.modelType === 'string' ? small(item.modelType) : undefined
  return type !== undefined && member.names.includes(type)
    ? type
    : member.names.length === 1
      ? member.names[0]
      : 'unknown'
}

const inObjects = (environment: JsonRecord, rule: (found: FoundObject) => readonly string[]): string[] =>
  objectsOf(environment).flatMap((found) => rule(found).map((fault) => `${found.path || '/'}: ${fault}`))

const listOf = (value: unknown): JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : [])

const isSubmodelElement = ({ path, object }: FoundObject) =>
  path.includes('/submodelElements/') && object.modelType !== undefined

export const AAS_RULES = {
  members: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object }) =>
      Object.keys(object)
        .filter(
          (key) => key !== 'modelType' && AAS_CLASSES[name] !== undefined && AAS_CLASSES[name]?.[key] === undefined,
        )
        .map((key) => `${key} is not a member of ${name}`),
    ),
  modelTypes: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object }) => {
      if (name === 'unknown') return [`modelType ${shown(object.modelType)} is unknown here`]
      const type = modelTypeOf(name)
      return type === undefined || object.modelType === type
        ? []
        : [`modelType is ${shown(object.modelType)}, not ${type}`]
    }),
  lists: (environment: JsonRecord) =>
    inObjects(environment, ({ object }) =>
      Object.entries(object).flatMap(([key, value]) =>
        Array.isArray(value) && value.length === 0 ? [`${key} is an empty list`] : [],
      ),
    ),
  shells: ({ assetAdministrationShells }: JsonRecord) => {
    const shells = listOf(assetAdministrationShells)
    if (shells.length === 0) return ['the environment has no shell']
    return shells.flatMap(({ id, assetInformation }) => [
      ...(typeof id === 'string' && id !== '' ? [] : [`a shell has the id ${shown(id)}`]),
      ...(isRecord(assetInformation) && KINDS.includes(String(assetInformation.assetKind))
        ? []
        : [`assetInformation is ${shown(assetInformation)}`]),
    ])
  },
  identifiables: (environment: JsonRecord) => {
    const ids = ['assetAdministrationShells', 'submodels', 'conceptDescriptions'].flatMap((name) =>
      listOf(environment[name]).map(({ id }) => id),
    )
    const missing = ids.filter((id) => typeof id !== 'string' || id === '').map((id) => `an id is ${shown(id)}`)
    return [...missing, ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `id ${shown(id)} occurs twice`)]
  },
  references: (environment: JsonRecord) => {
    const ids = listOf(environment.submodels).map(({ id }) => id)
    return listOf(environment.assetAdministrationShells).flatMap(({ submodels }) =>
      listOf(submodels).flatMap(({ keys }) => {
        const { value } = listOf(keys)[0] ?? {}
        return ids.includes(value) ? [] : [`submodel ${shown(value)} is not in the environment`]
      }),
    )
  },
  keys: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object: { type, keys } }) => {
      if (name !== 'reference') return []
      if (!['ModelReference', 'ExternalReference'].includes(String(type))) return [`type is ${shown(type)}`]
      const isFull = listOf(keys).length > 0 && listOf(keys).every((key) => key.value && key.type)
      return isFull ? [] : [`keys is ${shown(keys)}`]
    }),
  idShorts: (environment: JsonRecord) =>
    inObjects(environment, (found) => {
      const { idShort } = found.object
      if (idShort === undefined) return isSubmodelElement(found) && !found.isListItem ? ['idShort is missing'] : []
      const isFine = typeof idShort === 'string' && ID_SHORT.test(idShort) && idShort.length <= MAX_ID_SHORT
      return isFine ? [] : [`idShort ${shown(idShort)} is not valid`]
    }),
  uniqueIdShorts: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object }) => {
      const children =
        name === 'submodel' ? object.submodelElements : name === 'submodelElementCollection' ? object.value : []
      const names = listOf(children).flatMap(({ idShort }) => (idShort === undefined ? [] : [idShort]))
      return names.filter((one, at) => names.indexOf(one) !== at).map((one) => `idShort ${shown(one)} occurs twice`)
    }),
  values: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object: { valueType, value } }) => {
      if (name !== 'property') return []
      if (typeof valueType !== 'string' || !/^xs:[A-Za-z]+$/.test(valueType))
        return [`valueType is ${shown(valueType)}`]
      if (value === undefined) return []
      if (typeof value !== 'string') return [`value ${shown(value)} is not a text`]
      return isOfDataType(`xsd:${valueType.slice(3)}`, value) ? [] : [`${shown(value)} is not of type ${valueType}`]
    }),
  languages: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object: { language, text } }) => {
      if (!name.startsWith('langString')) return []
      return [
        ...(typeof language === 'string' && LANGUAGE.test(language) ? [] : [`language is ${shown(language)}`]),
        ...(typeof text === 'string' && text !== '' ? [] : [`text is ${shown(text)}`]),
      ]
    }),
  files: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object: { contentType } }) => {
      const isFine = contentType === undefined || /^[\w.+-]+\/[\w.+-]+/.test(String(contentType))
      return (name === 'file' || name === 'blob') && !isFine ? [`contentType is ${shown(contentType)}`] : []
    }),
  lists30: (environment: JsonRecord) =>
    inObjects(environment, ({ name, object: { typeValueListElement, value } }) => {
      if (name !== 'submodelElementList') return []
      const others = listOf(value).filter(({ modelType }) => modelType !== typeValueListElement)
      const isAny = typeValueListElement === 'SubmodelElement' || typeValueListElement === 'DataElement'
      return others.length === 0 || isAny ? [] : [`an item is not of type ${shown(typeValueListElement)}`]
    }),
  concepts: ({ conceptDescriptions }: JsonRecord) =>
    listOf(conceptDescriptions).flatMap(({ id, embeddedDataSpecifications }) =>
      listOf(embeddedDataSpecifications).flatMap(({ dataSpecificationContent: content }) =>
        isRecord(content) &&
        content.modelType === 'DataSpecificationIec61360' &&
        listOf(content.preferredName).length === 0
          ? [`${shown(id)} has no preferredName`]
          : [],
      ),
    ),
  assets: ({ assetAdministrationShells }: JsonRecord) =>
    listOf(assetAdministrationShells).flatMap(({ assetInformation }) => {
      const { globalAssetId, specificAssetIds } = isRecord(assetInformation) ? assetInformation : {}
      const isNamed = (typeof globalAssetId === 'string' && globalAssetId !== '') || listOf(specificAssetIds).length > 0
      return isNamed ? [] : ['an asset has neither globalAssetId nor specificAssetIds']
    }),
} as const

/** Elements of the submodel with the header of EN 18223 (IDTA 02099-1), by idShort in small letters. */
export function metadataSubmodel({ submodels }: JsonRecord): JsonRecord | undefined {
  return listOf(submodels).find(({ idShort, semanticId }) => {
    const ids = isRecord(semanticId) ? JSON.stringify(semanticId) : ''
    return /dppmetadata|DigitalProductPassportMetadata/i.test(ids) || /^dppmetadata$/i.test(String(idShort))
  })
}
