import { describe, expect, test } from 'vitest'
import { graph } from '../../../src/categories/vocabulary.ts'
import type { VocabularyView } from '../../../src/plugin/contracts.ts'

const view: VocabularyView = {
  namespace: 'https://dpp.example/ns/dpp#',
  terms: [['Facility', 'Where the product was made.']],
  categories: [
    { category: 'batteries', terms: [['chemistry', 'Chemistry of the cells.']] },
    { category: 'electronics', terms: [['chemistry', 'Of its battery.']] },
  ],
}
const nodesOf = (matches: Readonly<Record<string, string>>) => graph(view, matches)['@graph']

describe('terms of the semantic repository', () => {
  const iri = 'https://semantics.example/battery#chemistry'

  test('are next to the terms that they match', () => {
    const { '@context': context, '@graph': nodes } = graph(view, { chemistry: iri })
    expect(context).toMatchObject({
      exactMatch: { '@id': 'http://www.w3.org/2004/02/skos/core#exactMatch', '@type': '@id' },
    })
    expect(nodes).toEqual([
      expect.objectContaining({ '@id': 'https://dpp.example/ns/dpp#Facility', exactMatch: undefined }),
      expect.objectContaining({ '@id': 'https://dpp.example/ns/dpp#chemistry', exactMatch: iri }),
    ])
  })

  test('change nothing where there are none', () => {
    expect(JSON.stringify(nodesOf({}))).not.toContain('exactMatch')
  })

  test.each([
    [{ chemisty: iri }, 'term chemisty is missing'],
    [{ constructor: iri }, 'term constructor is missing'],
    [{ chemistry: 'chemistry' }, 'chemistry must have an IRI'],
  ])('are refused where they match nothing: %j', (matches, reason) => {
    expect(() => nodesOf(matches)).toThrow(reason)
  })
})
