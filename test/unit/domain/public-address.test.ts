import { expect, test } from 'vitest'
import { isMetadataAddress, isPublicAddress } from '../../../src/domain/public-address.ts'

test.each([
  '8.8.8.8',
  '93.184.216.34',
  '1.1.1.1',
  '2606:4700::1111',
  '2001:200::1',
  '2a00:1450:4001::1',
  '223.255.255.255',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

// First and last address of each block, and each way to embed one address in another.
test.each([
  ...[
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.1',
    '10.255.255.255',
    '100.64.0.1',
    '100.127.255.255',
    '127.0.0.1',
    '127.9.9.9',
  ],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.0.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '::ffff:0:8.8.8.8'],
  ...['64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '1fff::1', '2001::1', '2001:1ff::1', '2001:db8::1', '2002:7f00:1::'],
  ...[
    '2002:808:808::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
  ],
  ...['2606:4700::1111%eth0', '', 'localhost', '127.1', '0x7f.0.0.1', '017700000001', '8.8.8.8 ', '[::1]'],
])('%s is not', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  ...['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.0.1'],
  ...['::169.254.169.254', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', '100.100.100.200', '168.63.129.16'],
  ...['192.0.0.192', 'fd00:ec2::254', 'fd20:ce::254'],
])('%s is link-local or a metadata service', (address) => {
  expect(isMetadataAddress(address)).toBe(true)
})

test.each(['127.0.0.1', '10.0.0.1', '169.253.255.255', '169.255.0.0', '::1', 'fec0::1', 'fd00::1', 'localhost', ''])(
  '%s is neither',
  (address) => expect(isMetadataAddress(address)).toBe(false),
)
