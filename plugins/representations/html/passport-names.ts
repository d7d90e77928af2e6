import type { Metadata, PassportView } from '../../../src/plugin/index.ts'
import { humanise } from './text.ts'
import type { Label, Texts } from './texts.ts'
import { type Entry, entryOf, wordsOf } from './value.ts'

/** Keys shown in the head of the page. */
export const HEAD_KEYS = [
  'category',
  'productName',
  'brand',
  'originCountry',
  'gtin',
  'grai',
  'modelIdentifier',
  'model',
  'legalBasis',
]

export function namesOf({ metadata, productId }: PassportView, texts: Texts) {
  const brand = wordsOf(metadata.brand, texts)?.text
  const model = (wordsOf(metadata.modelIdentifier, texts) ?? wordsOf(metadata.model, texts))?.text
  const { text: name, lang: nameLang } = wordsOf(metadata.productName, texts) ?? { text: model ?? productId }
  const byline = [brand, name === model ? undefined : model].filter((part) => part !== undefined)
  return { name, nameLang, brand, byline }
}

export function categoryOf({ category }: Metadata, texts: Texts): Label {
  if (typeof category !== 'string' || category === '') return { text: texts.t('head.noCategory'), foreign: false }
  const { name } = texts.category
  return name === undefined ? { text: humanise(category), foreign: true } : { text: name, foreign: false }
}

export function keyFactsOf({ metadata, identifier }: PassportView, texts: Texts): Entry[] {
  const { originCountry } = metadata
  const label: Label = { text: texts.t(`head.identifier.${identifier.scheme}`), foreign: false }
  return [
    ...(typeof originCountry === 'string' && originCountry !== ''
      ? [entryOf(originCountry, 'originCountry', texts)]
      : []),
    { label, value: { kind: 'text', text: identifier.value } },
  ]
}
