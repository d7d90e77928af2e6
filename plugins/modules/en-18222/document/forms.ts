import type { Json } from '../../../../src/plugin/index.ts'
import { type Element, isElement, typeOf } from './element.ts'

/** Compressed form (EN 18223, 5.2.5 to 5.2.9): the dictionary has types and references. */
export function compressed(element: Element): Json {
  switch (element.kind) {
    case 'single':
      return element.value
    case 'multi':
      return element.items.map((item) => (isElement(item) ? compressed(item) : item))
    case 'texts':
      return element.texts
    case 'collection':
      return members(element.elements)
    case 'resource':
      return { ...element.resource }
  }
}

export const members = (elements: readonly Element[]): { readonly [id: string]: Json } =>
  Object.fromEntries(elements.map((element) => [element.id, compressed(element)]))

/** Full form (EN 18223, Annex A). */
export function full(element: Element): Json {
  const { id, reference } = element
  const described = { elementId: id, ...(reference === undefined ? {} : { dictionaryReference: reference }) }
  switch (element.kind) {
    case 'single': {
      const { value } = element
      return { ...described, objectType: 'SingleValuedDataElement', valueDataType: typeOf(value), value }
    }
    case 'multi':
      return {
        ...described,
        objectType: 'MultiValuedDataElement',
        ...(element.type === undefined ? {} : { valueDataType: element.type }),
        value: element.items.map((item) => (isElement(item) ? full(item) : item)),
      }
    case 'texts':
      return { ...described, objectType: 'MultiLanguageDataElement', value: element.texts }
    case 'collection':
      return { ...described, objectType: 'DataElementCollection', elements: element.elements.map(full) }
    case 'resource':
      return { ...described, objectType: 'RelatedResource', ...element.resource }
  }
}
