import { expect, it } from 'vitest'
import { networkOf } from '../../../src/domain/ip-address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['::', '0:0:0:0::/64', '0:0:0::/48'],
  ['1:2:3:4:5::', '1:2:3:4::/64', '1:2:3::/48'],
  ['', undefined, undefined],
  ['nonsense', undefined, undefined],
  ['1:2:3', undefined, undefined],
])('%s belongs to %s and to %s', (address, narrow, wide) => {
  expect(networkOf(address, { v4: 32, v6: 64 })).toBe(narrow)
  expect(networkOf(address, { v4: 24, v6: 48 })).toBe(wide)
})
