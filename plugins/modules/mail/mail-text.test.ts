import { describe, expect, test } from 'vitest'
import { mailboxOf, oneLine, withoutLinks } from './mail-text.ts'

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
