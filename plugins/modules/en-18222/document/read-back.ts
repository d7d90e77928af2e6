import { isGroup, type Json, type Metadata } from '../../../../src/plugin/index.ts'
import { badRequest } from '../../../../src/plugin/module.ts'

/**
 * Returns the compressed form of a document in either form (EN 18223, Annex A).
 * @throws Problem 400 for an element without an id or a known type
 */
export function compressedOf(document: Metadata): Metadata {
  const { elements, ...members } = document
  if (elements === undefined) return document
  return { ...members, ...membersIn(elements) }
}

function membersIn(elements: Json): Metadata {
  if (!Array.isArray(elements)) throw badRequest('elements must be a list of data elements.')
  const members = elements.map((element: Json): [string, Json] => {
    if (!isGroup(element) || typeof element.elementId !== 'string') {
      throw badRequest('Each data element needs an elementId.')
    }
    return [element.elementId, contentOf(element)]
  })
  const names = new Set(members.map(([name]) => name))
  if (names.size < members.length) throw badRequest('Each elementId must be unique at its level.')
  return Object.fromEntries(members)
}

/** Returns the content of an element of the full form; other values are returned as they are. */
export function contentOf(element: Json): Json {
  if (!isGroup(element) || typeof element.objectType !== 'string') return element
  const { objectType, value = null, elements } = element
  switch (objectType) {
    case 'SingleValuedDataElement':
    case 'MultiLanguageDataElement':
      return value
    case 'MultiValuedDataElement': {
      // Some implementers name the list `elements`.
      const items = element.value ?? elements ?? null
      return Array.isArray(items) ? items.map(contentOf) : items
    }
    case 'DataElementCollection':
      return membersIn(elements ?? [])
    case 'RelatedResource': {
      const { elementId: _, objectType: __, dictionaryReference: ___, ...resource } = element
      return resource
    }
    default:
      throw badRequest(`Unknown objectType "${objectType.slice(0, 60)}".`)
  }
}
