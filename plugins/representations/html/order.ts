import { dictionary } from '../../../src/plugin/index.ts'

/** What the page has beside the sections that the schemas name. */
const ABOUT = 'about'
const DOCUMENTS = 'documents'
const JOURNEY = 'journey'

/** What comes behind everything that a category says of itself. */
const LAST: readonly string[] = [ABOUT, DOCUMENTS, JOURNEY, 'origin', 'further']

const USUAL: readonly string[] = ['composition', 'use', 'performance', 'footprint', 'safety']

/** What people ask first of a product of this category; sections that are not named follow in their usual order. */
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
 * The sections of a page in the order for its category; a category's own stand behind those that all share.
 * @param category `metadata.category`, whatever stands there
 */
export function inReadingOrder(sections: readonly string[], category: unknown): string[] {
  const first = (typeof category === 'string' ? FIRST[category] : undefined) ?? []
  const own = sections.filter((name) => !USUAL.includes(name) && !LAST.includes(name))
  const order = [...new Set([...first, ...USUAL, ...own, ...LAST])]
  return order.filter((name) => sections.includes(name))
}
