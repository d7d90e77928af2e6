import { expect, test } from 'vitest'
import { isOneWorkspace, selectServed } from '../../../src/resolution/served-passports.ts'

const of = (tenantId: string, isSealed = false, isClaimed = false) => ({ tenantId, isSealed, isClaimed })

test.each([
  ['the only one', [of('a')], ['a']],
  ['the holder of the prefix', [of('a', false, true), of('b', true)], ['a']],
  ['all of the holder', [of('a', true, true), of('a', false, true), of('b', true)], ['a', 'a']],
  ['the only sealed one, whatever its place', [of('a'), of('b', true), of('c')], ['b']],
  ['all if none is sealed', [of('a'), of('b')], ['a', 'b']],
  ['all if several are sealed', [of('a', true), of('b', true), of('c')], ['a', 'b', 'c']],
  ['none of none', [], []],
])('%s answers', (_, candidates, tenants) => {
  expect(selectServed(candidates).map(({ tenantId }) => tenantId)).toEqual(tenants)
})

test('one workspace is one, and none is', () => {
  expect([[], [of('a'), of('a')], [of('a'), of('b')]].map(isOneWorkspace)).toEqual([true, true, false])
})
