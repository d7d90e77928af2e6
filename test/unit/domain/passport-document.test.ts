import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json, Metadata } from '../../../src/domain/metadata.ts'
import {
  isRepeatable,
  OWN_MEMBERS,
  passportDocument,
  passportDocumentText,
  passportListItem,
} from '../../../src/domain/passport-document.ts'
import passportViews from '../../../src/renditions/passport-views.ts'
import { anyText } from '../../support/any-text.ts'
import { plugins } from '../../support/categories.ts'
import { passport } from '../../support/passport-row.ts'

// Documents are assembled from texts, which must match JSON.stringify.

const { view } = passportViews({ config: { baseUrl: 'https://dpp.example.test' }, plugins } as never)

const key = fc.oneof(
  fc.constantFrom(...OWN_MEMBERS, '@graph', '0', '7', '007', '1.5', '-1', 'a:b', '"', 'proof ', 'Status'),
  anyText({ maxLength: 6 }),
)
const names = new Set(['__proto__', 'constructor', 'prototype'])
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    anyText(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
  ),
}))
const metadata = fc
  .dictionary(key, value, { maxKeys: 6 })
  .map((members): Metadata => Object.fromEntries(Object.entries(members).filter(([name]) => !names.has(name))))

test('a document as text is the document', () => {
  let repeatable = 0
  fc.assert(
    fc.property(metadata, (members) => {
      const shown = view(passport({ a: 1 }, { metadata: members, seal: null }), 'owner')
      if (isRepeatable(members)) repeatable += 1
      expect(passportDocumentText(shown)).toBe(JSON.stringify(passportDocument(shown)))
    }),
    { numRuns: 2000, examples: [[{}], [{ b: 1, a: { '1': 2 } }], [{ '2': 'x', a: 1 }], [{ status: 'forged' }]] },
  )
  expect(repeatable).toBeGreaterThan(200)
})

test('a list item from stored text is the item that the metadata itself makes', () => {
  fc.assert(
    fc.property(metadata.filter(isRepeatable), (members) => {
      const shown = view(passport({ a: 1 }, { metadata: members, seal: null }), 'owner')
      const text = passportListItem(shown, JSON.stringify(members)).join('')
      expect(text).toBe(passportListItem(shown, members).join(''))
      expect(JSON.parse(text)).toMatchObject({
        ...members,
        metadata: members,
        manufacturingFacility: null,
        proof: null,
      })
    }),
    { numRuns: 1000 },
  )
})

test.each<[string, Metadata]>([
  ['a member of the document', { status: 'ACTIVE' }],
  ['a keyword of JSON-LD', { '@id': 'https://example.org' }],
  ['a keyword inside', { parts: [{ '@type': 'x' }] }],
  ['a name that is moved to the front', { a: 1, '10': 2 }],
])('%s cannot be repeated as it stands', (_, members) => {
  expect(isRepeatable(members)).toBe(false)
  expect(isRepeatable({ a: 1, b: { status: 1, '1': 2 } })).toBe(true)
})
