import { expect, test } from 'vitest'
import type { EventType } from './event.ts'
import { itemsOf } from './event-items.ts'

const LIST = { epcList: ['urn:a:1'], quantityList: [{ epcClass: 'urn:epc:class:lgtin:4012345.012345.998877' }] }
const NEST = { parentID: 'urn:a:2', childEPCs: ['urn:a:3'], childQuantityList: [{ epcClass: 'urn:a:4' }] }
const MADE = {
  inputEPCList: ['urn:a:5'],
  inputQuantityList: [{ epcClass: 'urn:a:6' }],
  outputEPCList: ['urn:a:7'],
  outputQuantityList: [{ epcClass: 'urn:a:8' }],
}

const rolesOf = (type: EventType, event: object) =>
  itemsOf({ ...event }, type).map(
    ({ field, isInput, isOutput }) => `${field} ${isInput ? 'i' : ''}${isOutput ? 'o' : ''}`,
  )

test.each([
  ['ObjectEvent', { ...LIST, action: 'ADD' }, ['epcList o', 'quantityList o']],
  ['ObjectEvent', { ...LIST, action: 'OBSERVE' }, ['epcList io', 'quantityList io']],
  ['ObjectEvent', { ...LIST, action: 'DELETE' }, ['epcList io', 'quantityList io']],
  [
    'TransactionEvent',
    { ...LIST, parentID: 'urn:a:2', action: 'ADD' },
    ['epcList io', 'quantityList io', 'parentID io'],
  ],
  ['AggregationEvent', { ...NEST, action: 'ADD' }, ['parentID o', 'childEPCs i', 'childQuantityList i']],
  ['AggregationEvent', { ...NEST, action: 'DELETE' }, ['parentID i', 'childEPCs o', 'childQuantityList o']],
  ['AggregationEvent', { ...NEST, action: 'OBSERVE' }, ['parentID io', 'childEPCs io', 'childQuantityList io']],
  ['AssociationEvent', { ...NEST, action: 'ADD' }, ['parentID io', 'childEPCs i', 'childQuantityList i']],
  ['AssociationEvent', { ...NEST, action: 'DELETE' }, ['parentID io', 'childEPCs o', 'childQuantityList o']],
  ['AssociationEvent', { ...NEST, action: 'OBSERVE' }, ['parentID io', 'childEPCs io', 'childQuantityList io']],
  ['TransformationEvent', MADE, ['inputEPCList i', 'inputQuantityList i', 'outputEPCList o', 'outputQuantityList o']],
] as const)('roles of %s %o', (type, event, roles) => {
  expect(rolesOf(type, event)).toEqual(roles)
})

test('an item is there once for each field, by its key and with its level', () => {
  const epcList = ['urn:epc:id:sgtin:0614141.107346.2018', 'https://x.example/01/10614141073464/21/2018', 'urn:a:1']
  expect(itemsOf({ ...LIST, epcList, action: 'ADD' }, 'ObjectEvent')).toEqual([
    { field: 'epcList', key: '/01/10614141073464/21/2018', level: 'instance', isInput: false, isOutput: true },
    { field: 'epcList', key: 'urn:a:1', level: 'instance', isInput: false, isOutput: true },
    { field: 'quantityList', key: '/01/04012345123456/10/998877', level: 'lot', isInput: false, isOutput: true },
  ])
})
