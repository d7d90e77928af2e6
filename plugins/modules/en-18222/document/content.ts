import {
  type BatchView,
  type Json,
  type MediaView,
  type Metadata,
  type PassportView,
  type RenderContext,
  textFor,
  type UnitView,
} from '../../../../src/plugin/index.ts'
import { type Dictionary, dictionaryOf, type Element, elementOf, elementsOf, termsOf } from './element.ts'

/** Names that metadata cannot take: the header's, and `elements`, by which readers tell the full form. */
const RESERVED: ReadonlySet<string> = new Set([
  'digitalProductPassportId',
  'uniqueProductIdentifier',
  'granularity',
  'dppSchemaVersion',
  'dppStatus',
  'lastUpdated',
  'lastUpdate',
  'economicOperatorId',
  'facilityId',
  'contentSpecificationIds',
  'elements',
])

export const isReserved = (key: string): boolean => RESERVED.has(key) || key === '' || key.startsWith('@')

/** Names of elements that are not metadata; metadata of the same name takes precedence. */
export const DERIVED: ReadonlySet<string> = new Set([
  'economicOperator',
  'manufacturingFacility',
  'media',
  'recall',
  'serialNumber',
  'batchNumber',
  'manufacturedAt',
  'placedOnMarketAt',
  'modelPassportId',
  'batchPassportId',
  'currentState',
  'dynamicData',
  'batteryStatus',
  'condition',
  'valuesAtStatusChanges',
])

type Describe = RenderContext['describe']

/** Yields the elements of a passport: what its reader sees of the metadata, the operator, the facility, the files and a recall. */
export function* passportContent(view: PassportView, describe: Describe): Iterable<Element> {
  yield* metadataContent(view, view, describe)
  yield* furtherContent(view, view.metadata)
}

export function* unitContent(unit: UnitView, describe: Describe): Iterable<Element> {
  const { ofModel, ofBatch, telemetry, baseUrl } = unit
  const own: Readonly<Record<string, unknown>> = {
    serialNumber: unit.serialNumber,
    batchNumber: unit.batchNumber,
    manufacturedAt: unit.manufacturedAt,
    placedOnMarketAt: unit.placedOnMarketAt,
    modelPassportId: `${baseUrl}/passport/${ofModel.id}`,
    batchPassportId: ofBatch && `${baseUrl}/batch/${ofBatch.batchId}`,
    currentState: telemetry?.currentState,
    dynamicData: telemetry?.dynamicData,
    ...(ofModel.metadata.category === 'batteries' && telemetry !== undefined ? conditionOf(telemetry.kept) : {}),
  }
  yield* ownContent(own, termsOf(baseUrl))
  yield* without(passportContent(ofModel, describe), own)
}

/** Shows the differences of the batch and, for the rest, the values of its model. */
export function* batchContent(batch: BatchView, describe: Describe): Iterable<Element> {
  const { ofModel, baseUrl } = batch
  const own: Readonly<Record<string, unknown>> = {
    batchNumber: batch.batchNumber,
    manufacturedAt: batch.manufacturedAt,
    modelPassportId: `${baseUrl}/passport/${ofModel.id}`,
  }
  yield* ownContent(own, termsOf(baseUrl))
  yield* without(metadataContent(batch, ofModel, describe), own)
  // A value that the batch masks is not replaced by that of its model.
  yield* without(passportContent(ofModel, describe), { ...own, ...batch.metadata })
}

function* without(elements: Iterable<Element>, own: Readonly<Record<string, unknown>>): Iterable<Element> {
  for (const element of elements) if (own[element.id] === undefined || !Object.hasOwn(own, element.id)) yield element
}

function* metadataContent(
  { metadata, maskedKeys }: Pick<PassportView, 'metadata' | 'maskedKeys'>,
  { baseUrl, metadata: { category } }: PassportView,
  describe: Describe,
): Iterable<Element> {
  const masked = new Set(maskedKeys)
  const dictionary = dictionaryOf(baseUrl, describe(category))
  for (const [key, value] of Object.entries(metadata)) {
    const element = isReserved(key) || masked.has(key) ? undefined : elementOf(key, value, dictionary)
    if (element !== undefined) yield element
  }
}

function* furtherContent(view: PassportView, metadata: Metadata): Iterable<Element> {
  const { operator, facility, media, recall, baseUrl } = view
  const dictionary = termsOf(baseUrl)
  const hasRecallText = recall !== null && (recall.reason ?? recall.contact ?? recall.url) !== null
  const further = {
    economicOperator: { name: operator.name, role: operator.role, ...operator.contact },
    manufacturingFacility: facility && withoutId(facility),
    recall: hasRecallText ? recall : undefined,
  }
  for (const element of ownContent(further, dictionary)) if (!Object.hasOwn(metadata, element.id)) yield element
  if (media.length > 0 && !Object.hasOwn(metadata, 'media')) {
    yield {
      id: 'media',
      reference: dictionary('media'),
      kind: 'collection',
      elements: media.map(resource),
    }
  }
}

const ownContent = (own: Readonly<Record<string, unknown>>, dictionary: Dictionary): Element[] =>
  elementsOf(own as Metadata, dictionary)

const withoutId = ({ id: _, ...facility }: NonNullable<PassportView['facility']>): Json => facility as unknown as Json

const conditionOf = ({ batteryStatus, condition, statusChanges }: NonNullable<UnitView['telemetry']>['kept']) => ({
  batteryStatus,
  condition,
  valuesAtStatusChanges: statusChanges,
})

function resource({ id, mediaType, url, title, language }: MediaView): Element {
  const resourceTitle = textFor(title ?? undefined, [language])
  return {
    id,
    kind: 'resource',
    resource: {
      ...(resourceTitle === undefined ? {} : { resourceTitle }),
      contentType: mediaType,
      url,
      ...(language === undefined ? {} : { language }),
    },
  }
}
