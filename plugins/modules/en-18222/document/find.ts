import { isGroup, type Json } from '../../../../src/plugin/index.ts'
import type { Segment } from '../element-path.ts'

/** Returns the value at a path; undefined if absent. Finds own members only. */
export function valueAt(document: Json, path: readonly Segment[]): Json | undefined {
  let found: Json | undefined = document
  for (const segment of path) {
    if (found === undefined) return undefined
    found = memberOf(found, segment)
  }
  return found
}

function memberOf(value: Json, segment: Segment): Json | undefined {
  if (Array.isArray(value)) return typeof segment === 'number' ? value.at(segment) : undefined
  if (!isGroup(value) || typeof segment !== 'string') return undefined
  return Object.hasOwn(value, segment) ? value[segment] : undefined
}

/** Returns the element of a full document whose ids are the path of the compressed form, else the value at the path itself. */
export function elementAt(document: Json, path: readonly Segment[]): Json | undefined {
  let found: Json | undefined = document
  for (const segment of path) found = found === undefined ? undefined : childOf(found, segment)
  return found ?? valueAt(document, path)
}

function childOf(element: Json, segment: Segment): Json | undefined {
  if (!isGroup(element)) return undefined
  const { elements, objectType, value } = element
  if (typeof segment === 'number') {
    const isList = objectType === 'MultiValuedDataElement' || objectType === 'MultiLanguageDataElement'
    return isList && value !== undefined ? memberOf(value, segment) : undefined
  }
  if (Array.isArray(elements)) return elements.find((one: Json) => isGroup(one) && one.elementId === segment)
  // Texts and related resources have members instead of elements.
  return objectType === undefined || objectType === 'RelatedResource' ? memberOf(element, segment) : undefined
}
