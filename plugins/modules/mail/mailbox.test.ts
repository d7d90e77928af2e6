import { expect, test } from 'vitest'
import { parseMailbox } from './mailbox.ts'

test.each([
  ['passports@nordlicht.example', { name: '', address: 'passports@nordlicht.example' }],
  ['Nordlicht <passports@nordlicht.example>', { name: 'Nordlicht', address: 'passports@nordlicht.example' }],
  ['"Nordlicht GmbH" <p@n.example>', { name: 'Nordlicht GmbH', address: 'p@n.example' }],
  ['Nordlicht\r\nBcc: x <p@n.example>', { name: 'NordlichtBcc: x', address: 'p@n.example' }],
  ['Nordlicht', undefined],
  ['A <p@n.example>, B <q@n.example>', undefined],
  ['<p@n.example', undefined],
])('the mailbox %j', (text, mailbox) => expect(parseMailbox(text)).toEqual(mailbox))
