import {
  type CategoryDescription,
  dictionary,
  footprintFiguresOf,
  isGroup,
  type PassportView,
} from '../../../src/plugin/index.ts'
import { collection, decimal, type Element, globalReference, list, property, type SubmodelContent } from './elements.ts'
import { numberIn, textIn, textsIn } from './values.ts'

const PCF = 'https://admin-shell.io/idta/CarbonFootprint'
const BATTERY = 'urn:samm:io.admin-shell.idta.batterypass.carbon_footprint:1.0.0'

/** Life-cycle stages of Regulation (EU) 2023/1542, Article 7. */
const STAGES = dictionary<string>({
  rawMaterialExtraction: 'Raw material acquisition and pre-processing',
  mainProduction: 'Main product production',
  distribution: 'Distribution',
  recycling: 'End of life and recycling',
})

/**
 * Returns IDTA 02023-1-0-1, or 02035-3 for batteries. The template requires `calculationMethods`, `lifeCyclePhases` and `publicationDate`
 * of the footprint; without them our own concept is used.
 */
export function carbonFootprint(view: PassportView, category: CategoryDescription): SubmodelContent | undefined {
  const principal = principalFigure(view, category)
  if (principal === undefined) return undefined
  const { value, per } = principal
  const { carbonFootprint: stated } = view.metadata
  const details = isGroup(stated) ? stated : {}
  const methods = textsIn(details, 'calculationMethods')
  const stages = isGroup(details.stages) ? Object.keys(details.stages).filter((key) => key in STAGES) : []
  const phases = [...textsIn(details, 'lifeCyclePhases'), ...stages.map((key) => STAGES[key] as string)]
  const published = dateTime(textIn(details, 'publicationDate'))
  const performanceClass = textIn(details, 'performanceClass')
  const study = textIn(details, 'studyUrl')
  const isBattery = performanceClass !== undefined && study !== undefined && view.metadata.category === 'batteries'
  const isComplete = methods.length > 0 && phases.length > 0 && (published !== undefined || isBattery)
  const phase = `0173-1#02-ABG858#${isBattery ? '004' : '003'}`
  const elements: Element[] = [
    ...texts('PcfCalculationMethods', methods, `${PCF}/PcfCalculationMethods/1/0`, '0173-1#02-ABG854#003'),
    property('PcfCO2eq', 'xs:decimal', decimal(value), '0173-1#02-ABG855#003'),
    property('ReferenceImpactUnitForCalculation', 'xs:string', per, '0173-1#02-ABG856#003'),
    property('QuantityOfMeasureForCalculation', 'xs:double', '1', '0173-1#02-ABG857#003'),
    ...texts('LifeCyclePhases', phases, `${PCF}/LifeCyclePhases/1/0`, phase),
    ...(published === undefined
      ? []
      : [property('PublicationDate', 'xs:dateTime', published, `${PCF}/PublicationDate/1/0`)]),
    ...(isBattery
      ? [
          property('PerformanceClass', 'xs:string', performanceClass, `${BATTERY}#performanceClass`),
          ...texts(
            'WebLinkToPublicCarbonFootprintStudy',
            [study],
            `${BATTERY}#webLinkToPublicCarbonFootprintStudy`,
            'urn:samm:io.admin-shell.idta.handover_documentation:2.0.0#DocumentIdentifier',
          ),
        ]
      : []),
  ]
  return {
    idShort: 'CarbonFootprint',
    semanticId: globalReference(isComplete ? `${PCF}/CarbonFootprint/1/0` : `${view.baseUrl}/ns/dpp#carbonFootprint`),
    ...(isComplete && isBattery
      ? { supplementalSemanticIds: [globalReference(`${BATTERY}#CarbonFootprintBattery`)] }
      : {}),
    submodelElements: [
      list(
        'ProductCarbonFootprints',
        [collection(undefined, elements, `${PCF}/ProductCarbonFootprint/1/0`)],
        `${PCF}/ProductCarbonFootprints/1/0`,
      ),
    ],
  }
}

function principalFigure({ metadata }: PassportView, category: CategoryDescription) {
  const figures = footprintFiguresOf(metadata.carbonFootprint, category.field('carbonFootprint')?.unit)
  const perPiece = numberIn(metadata, 'carbonFootprintKgCo2e')
  const all = [...figures, ...(perPiece === undefined ? [] : [{ value: perPiece, per: 'piece' }])]
  return all.flatMap(({ value, per }) => (per === undefined ? [] : [{ value, per }]))[0]
}

function texts(idShort: string, values: readonly string[], semanticId: string, itemSemanticId: string): Element[] {
  const [first, ...others] = values.map((value) => property(undefined, 'xs:string', value, itemSemanticId))
  return first === undefined ? [] : [list(idShort, [first, ...others], semanticId)]
}

function dateTime(text: string | undefined): string | undefined {
  if (text === undefined || !/^[0-9]{4}-[0-9]{2}-[0-9]{2}(T|$)/.test(text)) return undefined
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString()
}
