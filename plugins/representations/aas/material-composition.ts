import type { Json, JsonRecord, PassportView } from '../../../src/plugin/index.ts'
import { isGroup } from '../../../src/plugin/index.ts'
import { collection, type Element, globalReference, list, property, type SubmodelContent } from './elements.ts'
import { groupsIn, numberIn, textIn } from './values.ts'

const SAMM = 'urn:samm:io.admin-shell.idta.batterypass.material_composition'
const concept = (name: string) => `${SAMM}:1.0.1#${name}`

const COMPONENTS = {
  cathodeMaterials: 'Cathode',
  anodeMaterials: 'Anode',
  electrolyteMaterials: 'Electrolyte',
} as const

/** Returns IDTA 02035-6 v1.0.1 for batteries, if the reader may see cathode, anode and electrolyte. All materials need a CAS number. */
export function materialComposition({ metadata }: PassportView): SubmodelContent | undefined {
  const { category, chemistry, circularityAndDisassembly: parts } = metadata
  if (category !== 'batteries' || !isGroup(chemistry) || !isGroup(parts)) return undefined
  const [shortName, clearName] = [textIn(chemistry, 'shortName'), textIn(chemistry, 'clearName')]
  const critical = criticalMaterials(metadata)
  const substances = groupsIn(metadata, 'hazardousSubstances')?.map(substanceOf)
  if (!shortName || !clearName || critical === undefined || substances === undefined) return undefined
  const materials = Object.entries(COMPONENTS).flatMap(([key, component]) =>
    (groupsIn(parts, key) ?? []).map((material) => materialOf(material, component, critical)),
  )
  const [first, ...others] = materials
  if (first === undefined || !isWhole([first, ...others]) || !isWhole(substances)) return undefined
  return {
    idShort: 'MaterialComposition',
    semanticId: globalReference(`${SAMM}:1.0.0#MaterialComposition`),
    submodelElements: [
      collection(
        'BatteryChemistry',
        [
          property('ShortName', 'xs:string', shortName, concept('shortName')),
          property('ClearName', 'xs:string', clearName, concept('clearName')),
        ],
        concept('batteryChemistry'),
      ),
      list('BatteryMaterials', [first, ...(others as Element[])], concept('batteryMaterials')),
      hazardousSubstances(substances),
    ],
  }
}

const isWhole = (elements: readonly (Element | undefined)[]): elements is readonly Element[] =>
  !elements.includes(undefined)

function criticalMaterials({ criticalRawMaterials: entries }: PassportView['metadata']): Set<string> | undefined {
  if (!Array.isArray(entries)) return undefined
  return new Set(
    entries
      .flatMap((entry) =>
        typeof entry === 'string'
          ? [entry]
          : [textIn(entry as JsonRecord<Json>, 'name'), textIn(entry as JsonRecord<Json>, 'casNumber')],
      )
      .filter((name) => name !== undefined),
  )
}

function materialOf(material: JsonRecord<Json>, component: string, critical: ReadonlySet<string>): Element | undefined {
  const [name, casNumber] = [textIn(material, 'name'), textIn(material, 'casNumber')]
  if (name === undefined || casNumber === undefined) return undefined
  const isCritical = critical.has(name) || critical.has(casNumber)
  return collection(
    undefined,
    [
      collection(
        'BatteryMaterialLocation',
        [property('ComponentName', 'xs:string', component, concept('componentName'))],
        concept('batteryMaterialLocation'),
      ),
      property('BatteryMaterialIdentifier', 'xs:string', casNumber, concept('batteryMaterialIdentifier')),
      property('BatteryMaterialName', 'xs:string', name, concept('batteryMaterialName')),
      property('IsCriticalRawMaterial', 'xs:boolean', String(isCritical), concept('isCriticalRawMaterial')),
    ],
    concept('BatteryMaterial'),
  )
}

function substanceOf(substance: JsonRecord<Json>): Element | undefined {
  const [name, casNumber] = [textIn(substance, 'name'), textIn(substance, 'casNumber')]
  const [concentration, location] = [numberIn(substance, 'concentrationPct'), textIn(substance, 'location')]
  const impact = textIn(substance, 'impact')
  if (name === undefined || casNumber === undefined) return undefined
  return collection(
    undefined,
    [
      property('HazardousSubstanceName', 'xs:string', name, concept('hazardousSubstanceName')),
      ...(concentration === undefined
        ? []
        : [
            property(
              'HazardousSubstanceConcentration',
              'xs:double',
              JSON.stringify(concentration),
              concept('hazardousSubstanceConcentration'),
            ),
          ]),
      ...(impact === undefined
        ? []
        : [
            list(
              'HazardousSubstanceImpact',
              [property(undefined, 'xs:string', impact, concept('Impact'))],
              concept('hazardousSubstanceImpact'),
            ),
          ]),
      ...(location === undefined
        ? []
        : [
            collection(
              'HazardousSubstanceLocation',
              [property('ComponentName', 'xs:string', location, concept('componentName'))],
              concept('hazardousSubstanceLocation'),
            ),
          ]),
      property('HazardousSubstanceIdentifier', 'xs:string', casNumber, concept('hazardousSubstanceIdentifier')),
    ],
    concept('HazardousSubstance'),
  )
}

function hazardousSubstances(substances: readonly Element[]): Element {
  const [first, ...others] = substances
  const semanticId = concept('hazardousSubstances')
  if (first !== undefined) return list('HazardousSubstances', [first, ...others], semanticId)
  return {
    modelType: 'SubmodelElementList',
    idShort: 'HazardousSubstances',
    semanticId: globalReference(semanticId),
    orderRelevant: false,
    typeValueListElement: 'SubmodelElementCollection',
  }
}
