import { describe, expect, test } from 'vitest'
import { mailAddress } from '../../../src/domain/mail.ts'

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
