import { describe, expect, test } from 'vitest'
import { mailAddress, mailboxOf, oneLine, parseMailbox, withoutLinks } from '../../../src/domain/mail.ts'

describe('an address that mail is sent to', () => {
  test.each([
    ['ada@repair.example', 'ada@repair.example'],
    ["ada.o'neil+dpp@mail.repair.example", "ada.o'neil+dpp@mail.repair.example"],
    ['a_b-c@xn--grn-hoa.example', 'a_b-c@xn--grn-hoa.example'],
    ['ada@grüne-werke.example', 'ada@xn--grne-werke-beb.example'],
    ['ada@пример.рф', 'ada@xn--e1afmkfd.xn--p1ai'],
    ['Ada@Repair.Example', 'Ada@repair.example'],
    [`${'a'.repeat(64)}@b.eu`, `${'a'.repeat(64)}@b.eu`],
  ])('%j is %s', (text, address) => expect(mailAddress(text)).toBe(address))

  test.each([
    '',
    'ada',
    '@b.eu',
    'ada@',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@1.2.3.0x4',
    'a@b@c.eu',
    'ada@b..eu',
    '.ada@b.eu',
    'ada.@b.eu',
    'a..b@b.eu',
    'ada @b.eu',
    ' ada@b.eu',
    'ada@b.eu ',
    'ada@-b.eu',
    `${'a'.repeat(65)}@b.eu`,
    `a@${'b'.repeat(64)}.eu`,
    `a@${'b.'.repeat(126)}eu`,
    'ä@b.eu',
    '"ada"@b.eu',
    'ada(comment)@b.eu',
    'Ada <ada@b.eu>',
    'ada%evil.example@b.eu',
    'evil.example!ada@b.eu',
    'ada@b.eu, evil@evil.example',
    'ada@b.eu;evil@evil.example',
    'ada@b.eu\r\nBcc: evil@evil.example',
    'ada@b.eu\nRCPT TO:<evil@evil.example>',
    'ada@b\u00ad.eu',
    'ada@b\u3002eu',
    'ada@b.eu\u0000',
    'ada@b\u2024eu',
    'ada@b.eu\u200b',
  ])('%j is invalid', (text) => expect(mailAddress(text)).toBeUndefined())

  test('is validated in linear time, however long it is', () => {
    for (const text of ['a', '.', 'a.', '-', '@', 'a@b.', 'é'])
      expect(mailAddress(text.repeat(1_000_000))).toBeUndefined()
  })
})

test.each([
  ['passports@nordlicht.example', { name: '', address: 'passports@nordlicht.example' }],
  ['Nordlicht <passports@nordlicht.example>', { name: 'Nordlicht', address: 'passports@nordlicht.example' }],
  ['"Nordlicht GmbH" <p@n.example>', { name: 'Nordlicht GmbH', address: 'p@n.example' }],
  ['Nordlicht\r\nBcc: x <p@n.example>', { name: 'NordlichtBcc: x', address: 'p@n.example' }],
  ['Nordlicht', undefined],
  ['A <p@n.example>, B <q@n.example>', undefined],
  ['<p@n.example', undefined],
])('the mailbox %j', (text, mailbox) => expect(parseMailbox(text)).toEqual(mailbox))

test('capitals and what follows a plus make no other mailbox', () => {
  expect(mailboxOf('Ada+One+Two@B.eu')).toBe('ada@b.eu')
  expect(mailboxOf('ada@b.eu')).toBe('ada@b.eu')
})

describe('a text of others', () => {
  test.each([
    ['https://evil.example/x', 'https[:]//evil[.]example/x'],
    ['Write to bob@evil.example', 'Write to bob@evil[.]example'],
    ['www.evil.example', 'www[.]evil[.]example'],
    ['Repair of 3.5 kWh, e.g. cells.', 'Repair of 3.5 kWh, e.g. cells.'],
    ['one\r\ntwo\tthree', 'one \ntwo three'],
    ['a\u202eb\u0000c\u001b[31md\u200be', 'abc[31mde'],
  ])('%j becomes %j', (given, text) => expect(withoutLinks(given)).toBe(text))

  test('is one line with a maximum length, without half characters', () => {
    expect(oneLine(' a\r\n b  c ', 20)).toBe('a b c')
    expect(oneLine('😀😀', 3)).toBe('😀')
  })
})
