import { expect, test } from 'vitest'
import { inSequence, prepareBody, readBodyRules, refusalOf } from '../../../src/http/body-rules.ts'

const rulesOf = (properties: object, more: object = {}) =>
  readBodyRules({ type: 'object', properties, ...more }, 'minimal', (schema) => schema)

/** Result for the member `a` under these rules of the document. */
const parsed = (lenient: string[], a: unknown, more: object = {}) =>
  prepareBody(rulesOf({ a: { 'x-lenient': lenient, ...more } }), { a })

test.each([
  ['ignore', 5, {}],
  ['ignore', null, {}],
  ['ignore', 'x', { a: 'x' }],
  ['stringify', 5, { a: '5' }],
  ['stringify', { b: [1] }, { a: '{"b":[1]}' }],
  ['stringify', null, { a: null }],
  ['trim', ' x\t', { a: 'x' }],
  ['trim', 5, { a: 5 }],
  ['upper', 'ptß', { a: 'PTß' }],
  ['blank-is-absent', '', {}],
  ['blank-is-absent', null, {}],
  ['blank-is-absent', ' ', { a: ' ' }],
  ['blank-is-null', '', { a: null }],
])('%s makes %j into %j', (step, given, expected) => expect(parsed([step], given)).toEqual(expected))

test('a text is cut, and no half of a character stays', () => {
  expect(parsed(['cut'], '💩'.repeat(4), { maxLength: 3 })).toEqual({ a: '💩' })
  expect(parsed(['cut'], 'abc', { maxLength: 3 })).toEqual({ a: 'abc' })
})

test('steps are taken in their order, and a member that is absent stays absent', () => {
  expect(parsed(['trim', 'blank-is-absent'], '  ')).toEqual({})
  expect(parsed(['blank-is-absent', 'trim'], '  ')).toEqual({ a: '' })
  expect(prepareBody(rulesOf({ a: { 'x-lenient': ['stringify'] } }), { b: 1 })).toEqual({ b: 1 })
})

test('a step that there is not stops the start', () => {
  for (const step of ['lower', 'constructor']) expect(() => parsed([step], 'x')).toThrow(`unknown x-lenient "${step}"`)
})

test('an absent body is an empty object where the operation has a form for it, any other only where it is ignored', () => {
  expect(prepareBody(rulesOf({}), undefined)).toEqual({})
  expect(
    prepareBody(
      readBodyRules({}, undefined, (schema) => schema),
      undefined,
    ),
  ).toBeUndefined()
  expect(prepareBody(rulesOf({}), [])).toEqual([])
  for (const body of [[], 'x', null, 5]) expect(prepareBody(rulesOf({}, { 'x-lenient': ['ignore'] }), body)).toEqual({})
})

test('members are judged in turn', () => {
  expect(
    inSequence({ type: 'object', required: ['b'], properties: { a: { type: 'string' }, b: { type: 'null' } } }),
  ).toEqual({
    type: 'object',
    allOf: [{ properties: { a: { type: 'string' } } }, { required: ['b'], properties: { b: { type: 'null' } } }],
  })
})

test('a refusal says what the document says of the member and the keyword, in the form for it', () => {
  const rules = rulesOf(
    {
      a: {
        'x-error-form': 'standard',
        'x-error-code': 'FACILITY_NOT_FOUND',
        'x-error-message': { required: 'a is needed', type: 'a must be a text' },
      },
      b: {},
    },
    { 'x-error-message': 'not an object' },
  )
  const of = (path: string, keyword: string) => {
    const problem = refusalOf(rules, { path, errorCode: `${keyword}.openapi.validation` }, 'other')
    return problem && [problem.status, problem.message, problem.fields.title, problem.fields.code]
  }
  expect(of('/body/a', 'required')).toEqual([400, 'a is needed', undefined, undefined])
  expect(of('/body/a', 'type')).toEqual([400, 'a must be a text', 'Bad Request', 'FACILITY_NOT_FOUND'])
  expect(of('/body/a', 'maxLength')).toEqual([400, 'not an object', 'Bad Request', 'FACILITY_NOT_FOUND'])
  expect(of('/body', 'type')).toEqual([400, 'not an object', undefined, undefined])
  expect(of('/query/page', 'pattern')).toBeUndefined()
})
