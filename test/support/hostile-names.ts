/** Product names that attack programs which print them. */
export const HOSTILE_NAMES: readonly string[] = [
  '<script>alert(1)</script>',
  ') Tj ET /JS (app.alert(1)) BT (',
  'endstream endobj %%EOF',
  '../../../etc/passwd',
  'a\u0000b\u0007c\u001bd\r\ne\tf',
  '\u202egnp.exe\u2066\u2069\u200b\u00ad',
  'W'.repeat(20_000),
  'word '.repeat(4_000),
  '😀 👩‍👩‍👧 漢字 العربية עברית',
  'Z\u0300\u0301\u0302\u0303'.repeat(60),
  '\ud83d broken \udc00',
  ' \u00a0\u2028\u2029 ',
  '…',
  '=HYPERLINK("https://evil.example")',
]
