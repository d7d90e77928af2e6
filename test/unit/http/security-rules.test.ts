import { expect, test } from 'vitest'
import { assertSchemes, readSecurity } from '../../../src/http/security-rules.ts'

const bearer = { type: 'http', scheme: 'bearer', description: 'Text.' }
const cookie = { type: 'apiKey', in: 'cookie', name: 'dpp_session' }

test('each requirement is a way in, with its own permissions', () => {
  const { isPublic, permissions } = readSecurity('x', [{ bearer: ['a'] }, { cookie: [] }])
  expect([isPublic, [...permissions]]).toEqual([
    false,
    [
      ['bearer', ['a']],
      ['cookie', []],
    ],
  ])
})

test('an absent or empty requirement admits every caller', () => {
  const open: (Record<string, string[]>[] | undefined)[] = [undefined, [], [{}], [{}, { bearer: ['a'] }]]
  for (const security of open) {
    expect(readSecurity('x', security).isPublic).toBe(true)
  }
  expect(readSecurity('x', [{}, { bearer: ['a'] }]).permissions.get('bearer')).toEqual(['a'])
})

test.each([
  ['two credentials at once', [{ bearer: [], cookie: [] }]],
  ['another scheme', [{ oauth: [] }]],
  ['what objects inherit', [{ constructor: [] }]],
  ['a scheme twice', [{ bearer: ['a'] }, { bearer: ['b'] }]],
])('a requirement that would not be enforced is refused at start: %s', (_, security) => {
  expect(() => readSecurity('someOperation', security)).toThrow(/openapi\.yaml: someOperation/)
})

test('the schemes of the document are those that the security stage reads', () => {
  const check = (securitySchemes: Record<string, object>, more = {}) =>
    assertSchemes({ components: { securitySchemes }, ...more })
  check({ bearer, cookie })
  const others: Record<string, object>[] = [
    { bearer },
    { bearer, cookie: { ...cookie, name: 'sid' } },
    { bearer, cookie, oauth: {} },
  ]
  for (const other of others) {
    expect(() => check(other)).toThrow(/security\.ts/)
  }
  // It would apply to operations without `security`, which are public here.
  expect(() => check({ bearer, cookie }, { security: [{ bearer: [] }] })).toThrow(/security\.ts/)
})
