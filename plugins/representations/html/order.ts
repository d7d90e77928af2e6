import { dictionary } from '../../../src/plugin/index.ts'

const ABOUT = 'about'
const DOCUMENTS = 'documents'
const JOURNEY = 'journey'

const LAST: readonly string[] = [ABOUT, DOCUMENTS, JOURNEY, 'origin', 'further']

const USUAL: readonly string[] = ['composition', 'use', 'performance', 'footprint', 'safety']

const FIRST = dictionary<readonly string[]>({
  batteries: ['performance', 'use', 'safety', 'composition'],
  chemicals: ['safety', 'use'],
  construction: ['performance', 'footprint'],
  cosmetics: ['composition', 'safety', 'use'],
  electronics: ['use', 'performance'],
  textiles: ['use', 'composition', JOURNEY, 'origin'],
  toys: ['safety', 'use'],
})

/**
 * Sorts the sections for a category; own sections follow the common ones.
 * @param category unvalidated `metadata.category`
 */
export function inReadingOrder(sections: readonly string[], category: unknown): string[] {
  const first = (typeof category === 'string' ? FIRST[category] : undefined) ?? []
  const own = sections.filter((name) => !USUAL.includes(name) && !LAST.includes(name))
  const order = [...new Set([...first, ...USUAL, ...own, ...LAST])]
  return order.filter((name) => sections.includes(name))
}
