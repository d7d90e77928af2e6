import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertCleanText,
  BODY_LIMITS,
  JsonGuardError,
  JsonSyntaxError,
  MAX_KEY_CHARACTERS,
  MAX_KEYS,
  MAX_LEVELS,
  parseGuardedJson,
  parseGuardedJsonYielding,
} from '../../../src/domain/json-guard.ts'

const encoder = new TextEncoder()
const parse = (text: string) => parseGuardedJson(encoder.encode(text))
const messageOf = (text: string) => {
  try {
    parse(text)
  } catch (error) {
    expect(error).toBeInstanceOf(JsonGuardError)
    return (error as Error).message
  }
  throw new Error('accepted')
}
const nested = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`

describe('parseGuardedJson', () => {
  it('returns what JSON.parse returns', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        let result: unknown
        try {
          result = parse(text)
        } catch (error) {
          // The generator also makes the names and characters that are refused.
          expect(text).toMatch(/__proto__|constructor|prototype|\\u0000/)
          expect(error).toBeInstanceOf(JsonGuardError)
          return
        }
        expect(JSON.stringify(result)).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 500 },
    )
  })

  it.each(['null', '"x"', '1.5e-3', '-0', '[]', '{}', ' { "a" : [ 1 , { } ] } ', '{"":1}'])('accepts %j', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text))
  })

  it('agrees with JSON.parse about the syntax of damaged documents', () => {
    const sample = '{"a":[1,-2.5e3,{"b\\u0041":"\\"\\\\\\ud83d\\ude00"}],"c":null,"d":true}'
    const isJson = (text: string) => {
      try {
        JSON.parse(text)
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(fc.nat(sample.length), fc.nat(3), fc.constantFrom(...'{}[],:"\\u0e-1 \n', ''), (at, cut, insert) => {
        const text = sample.slice(0, at) + insert + sample.slice(at + cut)
        if (isJson(text)) {
          try {
            expect(parse(text)).toEqual(JSON.parse(text))
          } catch (error) {
            expect(error).toBeInstanceOf(JsonGuardError)
          }
        } else expect(() => parse(text)).toThrow(JsonSyntaxError)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    '[1 2]',
    "{'a':1}",
    'NaN',
    '"\n"',
    '{"a" 1}',
    '"\\u00zz"',
    '{"\\x":1}',
    '"abc',
    '"\\',
  ])('reports %j as malformed', (text) => {
    expect(() => parse(text)).toThrow(JsonSyntaxError)
  })

  it.each([
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a truncated character', [0x22, 0xc3, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x22, 0, 0x22, 0]],
  ])('reports %s as malformed', (_, bytes) => {
    expect(() => parseGuardedJson(new Uint8Array(bytes))).toThrow(JsonSyntaxError)
  })

  it('drops a byte order mark', () => {
    expect(parse('\ufeff{"a":1}')).toEqual({ a: 1 })
    expect(parse('{"a":"\ufeff"}')).toEqual({ a: '\ufeff' })
  })

  it('names the place of a finding', () => {
    expect(messageOf('{"metadata":{"a":{"b":[0,1,2,"\\u0000"]}}}')).toBe(
      'metadata.a.b[3] contains the character U+0000.',
    )
    expect(messageOf('{"a":{"x":1},"a":2}')).toBe('a is a duplicate key.')
    expect(messageOf('[[],[{"odd key":{"1":1e999}}]]')).toBe(
      '[1][0]["odd key"]["1"] is a number beyond the range of a double.',
    )
    expect(messageOf('"\\ud800"')).toBe('The document contains a lone surrogate.')
  })

  it('reports the first finding', () => {
    expect(messageOf('{"a":"\\u0000","b":1,"b":2}')).toMatch(/^a contains/)
  })

  it('prefers malformed syntax to a finding', () => {
    expect(() => parse('{"a":1,"a":2')).toThrow(JsonSyntaxError)
  })

  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"\\u0061":2}',
    '{"x":{"k":1,"l":2,"k":3}}',
    '{"":1,"":2}',
    '[{"é":1,"\\u00e9":1}]',
  ])('refuses the duplicate key in %s', (text) => {
    expect(messageOf(text)).toMatch(/is a duplicate key\.$/)
  })

  it('accepts the same key in different objects, and keys that differ by Unicode form', () => {
    expect(parse('{"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}}')).toBeDefined()
    expect(parse('{"é":1,"e\u0301":2}')).toBeDefined()
    expect(parse('{"toString":1,"hasOwnProperty":2}')).toBeDefined()
  })

  it.each(['__proto__', 'constructor', 'prototype', '\\u005f_proto__', 'constructo\\u0072'])(
    'refuses the key %s at any depth',
    (key) => {
      expect(messageOf(`{"${key}":1}`)).toMatch(/is a forbidden key\.$/)
      expect(messageOf(`{"a":[{"b":{"${key}":{}}}]}`)).toMatch(/^a\[0\]\.b\..* is a forbidden key\.$/)
    },
  )

  it('accepts the forbidden names as values', () => {
    expect(parse('["__proto__",{"a":"constructor"}]')).toEqual(['__proto__', { a: 'constructor' }])
  })

  it.each(['"\\u0000"', '["a\\u0000b"]', '{"a\\u0000":1}', '{"a":"\\\\\\u0000"}'])('refuses U+0000 in %s', (text) => {
    expect(messageOf(text)).toMatch(/contains the character U\+0000\.$/)
  })

  it.each([
    '"\\ud800"',
    '"\\udc00"',
    '"\\ud800x"',
    '"\\ude00\\ud83d"',
    '"\\ud83d\\ud83d\\ude00"',
    '"\\ud83d\\n"',
    '"\\ud83d😀"',
    '"😀\\ude00"',
    '{"\\uDFFF":1}',
  ])('refuses the lone surrogate in %s', (text) => {
    expect(messageOf(text)).toMatch(/contains a lone surrogate\.$/)
  })

  it('accepts pairs of surrogates and an escaped backslash before u0000', () => {
    expect(parse('["\\ud83d\\ude00","😀","\\\\u0000","\\\\ud800"]')).toEqual(['😀', '😀', '\\u0000', '\\ud800'])
  })

  it.each(['1e400', '-1e400', '{"a":[1,1e309]}', '9'.repeat(400), `1${'0'.repeat(309)}.5`])('refuses %s', (text) => {
    expect(messageOf(text)).toMatch(/is a number beyond the range of a double\.$/)
  })

  it.each([
    '1.7976931348623157e308',
    '1e-400',
    '0e999',
    '9007199254740992',
    '-123456789012345680000',
    '0.1000000000000000055',
  ])('accepts %s', (text) => {
    expect(parse(text)).toBe(Number(text))
  })

  it.each(['9007199254740993', '-9007199254740993', '123456789012345678901234567890', `{"a":[1,1${'1'.repeat(300)}]}`])(
    'refuses %s, which would be read as another number',
    (text) => {
      expect(messageOf(text)).toMatch(
        /is a number that would be rounded to .*; send it as a string to preserve every digit\.$/,
      )
    },
  )

  it('refuses every number that would be read as another one, where the caller asks for it', () => {
    const exact = (text: string) => parseGuardedJson(Buffer.from(text), { depth: 2, keys: 2, exact: 'all' })
    for (const text of ['1.0', '1e2', '1E+2', '0.10', '-0', '0e999999999', '5e-324', '-1.50e-3', '1e21', '100e-2']) {
      expect(exact(text), text).toBe(Number(text))
    }
    for (const text of ['0.1000000000000000055', '1e-400', '4.9e-324', '0.10000000000000001', '9007199254740993.0']) {
      expect(() => exact(text), text).toThrow('would be rounded to')
    }
    expect(exact(`0.${'0'.repeat(300)}1`)).toBe(1e-301)
    expect(() => exact('[[[1]]]')).toThrow('nested more than 2 levels')
    expect(() => exact('{"a":1,"b":2,"c":3}')).toThrow('more than 2 keys')
  })

  it('bounds the depth', () => {
    expect(parse(nested(MAX_LEVELS))).toBeDefined()
    expect(messageOf(nested(MAX_LEVELS + 1))).toMatch(/is nested more than 64 levels deep\.$/)
    expect(messageOf(`${'{"a":'.repeat(MAX_LEVELS + 1)}1${'}'.repeat(MAX_LEVELS + 1)}`)).toMatch(/^a\.a\.a/)
    expect(parse(`[${Array(100).fill(nested(MAX_LEVELS - 1))}]`)).toBeDefined()
  })

  it('bounds the number of keys in the document', () => {
    const objects = (count: number) => `[${Array.from({ length: count }, () => '{"a":1}')}]`
    expect(parse(objects(MAX_KEYS))).toBeDefined()
    expect(messageOf(objects(MAX_KEYS + 1))).toBe('The document has more than 20000 keys.')
  })

  it('bounds the length of a key, not of a value', () => {
    expect(parse(`{"${'k'.repeat(MAX_KEY_CHARACTERS)}":"${'v'.repeat(10_000)}"}`)).toBeDefined()
    expect(parse(`{"${'\\u0041'.repeat(MAX_KEY_CHARACTERS)}":1}`)).toBeDefined()
    expect(messageOf(`{"${'k'.repeat(MAX_KEY_CHARACTERS + 1)}":1}`)).toMatch(/is a key of more than 256 characters\.$/)
  })

  it('keeps its message short and well-formed, whatever the keys', () => {
    const key = '😀'.repeat(125)
    const message = messageOf(`${`{"${key}":`.repeat(60)}"\\u0000"${'}'.repeat(60)}`)
    expect(message.length).toBeLessThan(600)
    expect(message.isWellFormed()).toBe(true)
  })

  const mebibyte = 2 ** 20
  it.each([
    ['nested arrays', '['.repeat(mebibyte / 2) + ']'.repeat(mebibyte / 2)],
    ['nested objects', `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`],
    ['unclosed arrays', '['.repeat(mebibyte)],
    ['20,000 keys', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":"${'x'.repeat(38)}"`)}}`],
    ['20,000 escaped keys', `{${Array.from({ length: 20_000 }, (_, index) => `"${'\\u006b'.repeat(6)}${index}":1`)}}`],
    ['90,000 keys', `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`)}}`],
    ['one key of 1 MiB', `{"${'k'.repeat(mebibyte)}":1}`],
    ['one string of escapes', `"${'\\u0041'.repeat(mebibyte / 6)}"`],
    ['one string of surrogate pairs', `"${'\\ud83d\\ude00'.repeat(mebibyte / 12)}"`],
    ['100,000 escaped strings', `[${Array(100_000).fill('"\\u0041"')}]`],
    ['empty objects', `[${Array(349_000).fill('{}')}]`],
    ['empty strings', `[${Array(349_000).fill('""')}]`],
    ['one number', '1'.repeat(mebibyte)],
    ['many numbers', `[${Array(500_000).fill('1')}]`],
    ['quotes', '"'.repeat(mebibyte)],
    ['backslashes', `"${'\\'.repeat(mebibyte)}`],
  ])('needs no more than linear time for 1 MiB of %s', (_, text) => {
    const bytes = encoder.encode(text)
    let fastest = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run += 1) {
      const start = process.cpuUsage()
      try {
        parseGuardedJson(bytes)
      } catch {
        // The verdict is the subject of other tests.
      }
      fastest = Math.min(fastest, process.cpuUsage(start).user / 1000)
    }
    // Measured: at most 25 ms. Quadratic work would take seconds.
    expect(fastest).toBeLessThan(250)
  })
})

describe('parseGuardedJsonYielding', () => {
  const limits = { ...BODY_LIMITS, keys: 30, depth: 6 }
  type Outcome = { value: string } | { error: string; message: string }
  const toOutcome = ({ name, message }: Error): Outcome => ({ error: name, message })
  /** Both answer the same, or refuse it with the same words. */
  const compare = async (text: string): Promise<Outcome> => {
    const bytes = encoder.encode(text)
    const [runYielding, inPieces] = await Promise.all(
      [undefined, 3].map((pieceCharacters) =>
        parseGuardedJsonYielding(bytes, limits, pieceCharacters).then(
          (value): Outcome => ({ value: JSON.stringify(value) }),
          toOutcome,
        ),
      ),
    )
    let atOnce: Outcome
    try {
      atOnce = { value: JSON.stringify(parseGuardedJson(bytes, limits)) }
    } catch (error) {
      atOnce = toOutcome(error as Error)
    }
    expect([runYielding, inPieces], text).toEqual([atOnce, atOnce])
    return atOnce
  }
  const value = fc.jsonValue({ stringUnit: 'grapheme', maxDepth: 4 })
  const member = fc.tuple(
    fc.constantFrom('a', 'b', '', 'ä"\\', '7'),
    fc.oneof(fc.array(value, { maxLength: 4 }), value),
  )
  const document = fc.oneof(
    value,
    fc.array(member, { maxLength: 4 }).map((members) => Object.fromEntries(members)),
  )

  it('answers and refuses as the parser that goes straight through', async () => {
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(document, fc.constantFrom(0, 2), async (given, indent) => {
        if ('value' in (await compare(JSON.stringify(given, null, indent)))) accepted += 1
      }),
      { numRuns: 1000 },
    )
    expect(accepted).toBeGreaterThan(500)
  })

  it('rejects malformed JSON', async () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      ' ',
      'null',
      '\\',
      '"',
      '{}',
      '[]',
      '1,2',
      '"a":[',
      ']}',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (parts) => {
        await compare(parts.join(''))
      }),
      { numRuns: 5000 },
    )
    await fc.assert(
      fc.asyncProperty(document, pieces, fc.nat(), fc.nat({ max: 3 }), async (given, piece, place, cut) => {
        const text = JSON.stringify(given)
        const at = place % (text.length + 1)
        await compare(`${text.slice(0, at)}${piece}${text.slice(at + cut)}`)
      }),
      { numRuns: 5000 },
    )
  })

  it.each([
    '{"a":[1 2]}',
    '{"a":[1,]}',
    '{"a":[,]}',
    '{"a":[1}',
    '{"a":[{"x":1],2]}',
    '{"a":[1]]}',
    '{"a":[1]}}',
    '{"a":[1],"a":[2]}',
    '{"__proto__":[1]}',
    '{"a":[ ]}',
    '{"a":[\u00a0]}',
    '{"a":{"b":[1,2]},"c":{}}',
    '{"a":{"b":1}"c":2}',
    '{"a":{"b":1} 2}',
    '{"a" 1{"b":1}}',
    '{"a":1{"b":1}}',
    '{"a":[]{"b":1}}',
    '{{"b":1}}',
    '[1{"b":1}]',
    '[{"b":1},,{"b":2}]',
    '{"a":1,,"b":2}',
    '{"a":{"b":1},}',
    '{"aaaa":1,"bbbb":2,}',
    '{"a":1}x',
    'x{"a":1}',
    '{"a":1}{"b":1}',
    '{"7":1,"b":2,"3":3}',
    '{"a":[[1,2],[3]],"b":[{"c":[4]}]}',
    '{"a":[1',
    '[[1,2],[3]]',
  ])('%s', async (text) => {
    await compare(text)
  })

  it('decodes in goes what it would decode in one', async () => {
    const outcomeOf = async (bytes: Uint8Array) => {
      const toText = ({ name, message }: Error) => `${name}: ${message}`
      const runYielding = await parseGuardedJsonYielding(bytes, BODY_LIMITS).catch(toText)
      let atOnce: unknown
      try {
        atOnce = parseGuardedJson(bytes)
      } catch (error) {
        atOnce = toText(error as Error)
      }
      expect(runYielding).toEqual(atOnce)
      return runYielding
    }
    const bytesOf = (text: string) => encoder.encode(text)
    for (let shift = 0; shift < 4; shift += 1) {
      // Characters of four bytes lie across the ends of all goes but one in four.
      const text = `${'x'.repeat(shift)}${'😀'.repeat(50_000)}`
      const bytes = bytesOf(JSON.stringify({ text }))
      expect(await outcomeOf(bytes)).toEqual({ text })
      expect(await outcomeOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toEqual({ text })
      for (const length of [65_535, 65_536, 65_537, 131_072]) {
        const cut = await outcomeOf(bytes.subarray(0, length + shift))
        expect(cut).toMatch(/^JsonSyntaxError: The body is not valid /)
      }
      for (const at of [20, 65_535, 65_536, 65_537, bytes.length - 1]) {
        const broken = Uint8Array.from(bytes)
        broken[at] = 0xff
        expect(await outcomeOf(broken)).toBe('JsonSyntaxError: The body is not valid UTF-8.')
      }
    }
  })

  it('lets others have their turn', async () => {
    const rows = Array.from({ length: 400 }, (_, index) => ({ index, text: 'x'.repeat(20_000) }))
    let turns = 0
    let isDone = false
    const count = () => {
      turns += 1
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    const bytes = encoder.encode(JSON.stringify({ rows }))
    expect(await parseGuardedJsonYielding(bytes, BODY_LIMITS)).toEqual({ rows })
    isDone = true
    expect(turns).toBeGreaterThan(1)
  })
})

describe('assertCleanText', () => {
  it('accepts well-formed text', () => {
    expect(() => assertCleanText('Größe 😀', 'query.category')).not.toThrow()
    expect(() => assertCleanText('', 'x')).not.toThrow()
  })

  it.each([
    ['a\0b', 'query.category contains the character U+0000.'],
    ['\ud800', 'query.category contains a lone surrogate.'],
  ])('refuses %j', (text, message) => {
    expect(() => assertCleanText(text, 'query.category')).toThrow(
      new JsonGuardError('query.category', message.slice(15, -1)),
    )
    expect(() => assertCleanText(text, 'query.category')).toThrow(message)
  })
})
