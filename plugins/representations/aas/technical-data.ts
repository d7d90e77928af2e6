import type { CategoryDescription, Json, PassportView } from '../../../src/plugin/index.ts'
import { isGroup, localTextsOf } from '../../../src/plugin/index.ts'
import {
  collection,
  type Element,
  globalReference,
  isIdShort,
  isPlainTag,
  list,
  multiLanguage,
  property,
  type SubmodelContent,
  submodelReference,
} from './elements.ts'
import { textIn } from './values.ts'

/**
 * Returns IDTA 02003-2-0-1. Article number and order code come from `articleNumber` and `orderCode`; the former defaults to the operator's
 * own product ID. Top-level numbers are technical properties.
 */
export function technicalData(view: PassportView, category: CategoryDescription): SubmodelContent | undefined {
  const { metadata, operator, identifier } = view
  const manufacturer =
    (isGroup(metadata.manufacturer) ? textIn(metadata.manufacturer, 'name') : undefined) ??
    (operator.role === 'MANUFACTURER' ? operator.name : undefined)
  const articleNumber =
    textIn(metadata, 'articleNumber') ?? (identifier.scheme === 'sku' ? identifier.value : undefined)
  const orderCode = textIn(metadata, 'orderCode')
  const designation = designationOf(metadata)
  if (!manufacturer || !articleNumber || !orderCode || !designation) return undefined
  const properties = technicalProperties(view, category)
  return {
    idShort: 'TechnicalData',
    semanticId: submodelReference('0173-1#01-AHX837#002'),
    supplementalSemanticIds: [globalReference('https://api.eclass-cdp.com/0173-1-01-AHX837-002')],
    submodelElements: [
      collection(
        'GeneralInformation',
        [
          property('ManufacturerName', 'xs:string', manufacturer, '0173-1#02-AAO677#004'),
          designation,
          property('ManufacturerArticleNumber', 'xs:string', articleNumber, '0173-1#02-AAO676#005'),
          property('ManufacturerOrderCode', 'xs:string', orderCode, '0173-1#02-AAO227#004'),
        ],
        '0173-1#02-ABK161#002/0173-1#01-AHX838#002',
      ),
      ...(properties.length === 0
        ? []
        : [
            list(
              'TechnicalPropertyAreas',
              [collection(undefined, properties, '0173-1#02-ABL358#002/0173-1#01-AHX773#002')],
              '0173-1#02-ABK163#002',
            ),
          ]),
    ],
  }
}

function designationOf({ productName }: PassportView['metadata']): Element | undefined {
  const texts =
    typeof productName === 'string'
      ? // BCP 47 tag for an undetermined language.
        [{ language: 'und', text: productName }]
      : (localTextsOf(productName) ?? []).filter(({ language }) => isPlainTag(language))
  const stated = texts.filter(({ text }) => text.trim() !== '')
  const languages = new Set(stated.map(({ language }) => language.toLowerCase()))
  if (stated.length === 0 || languages.size < stated.length) return undefined
  return multiLanguage('ManufacturerProductDesignation', stated, '0173-1#02-AAW338#003')
}

function technicalProperties({ baseUrl, metadata }: PassportView, category: CategoryDescription): Element[] {
  return Object.entries(metadata)
    .filter((entry): entry is [string, Json & number] => typeof entry[1] === 'number')
    .filter(([key]) => isIdShort(key))
    .map(([key, value]) =>
      property(key, 'xs:double', JSON.stringify(value), category.field(key)?.concept ?? `${baseUrl}/ns/dpp#${key}`),
    )
}
