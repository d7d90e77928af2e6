interface Fault {
  readonly at: number
  readonly expected: string
}

/** Characters per slice of less than 1 ms. */
const GO_CHARACTERS = 32_768

const VALUE = 'a value'
const KEY = 'a key in double quotes'
const COLON = 'a colon'
const END = 'the end'
const ESCAPE = 'a JSON escape such as \\n'

const LITERALS = ['true', 'false', 'null']
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const HEXADECIMAL = /^[0-9A-Fa-f]{4}$/
const SPACE = ' \t\n\r'
const OF_NUMBERS = '0123456789+-.eE'

/** Finds the first JSON syntax error (RFC 8259) in slices. JSON.parse does not always report an offset. */
export function* faultIn(text: string): Generator<void, Fault | undefined> {
  const open: ('}' | ']')[] = []
  let expected = VALUE
  let isFresh = false
  let at = 0
  let pause = GO_CHARACTERS
  for (;;) {
    while (at < text.length && SPACE.includes(text.charAt(at))) at += 1
    if (at >= pause) {
      yield
      pause = at + GO_CHARACTERS
    }
    const close = open.at(-1)
    const isDone = expected === END && close !== undefined
    const expectedText = isDone ? `a comma or ${close}` : isFresh ? `${expected} or ${close}` : expected
    const character = text.charAt(at)
    if (character === '') return expected === END && close === undefined ? undefined : { at, expected: expectedText }
    if (character === close && (isDone || isFresh)) {
      open.pop()
      expected = END
      isFresh = false
      at += 1
    } else if (isDone && character === ',') {
      expected = close === '}' ? KEY : VALUE
      at += 1
    } else if (expected === COLON && character === ':') {
      expected = VALUE
      at += 1
    } else if ((expected === KEY || expected === VALUE) && character === '"') {
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      at = end
      expected = expected === KEY ? COLON : END
      isFresh = false
    } else if (expected === VALUE && (character === '{' || character === '[')) {
      open.push(character === '{' ? '}' : ']')
      expected = character === '{' ? KEY : VALUE
      isFresh = true
      at += 1
    } else {
      const end = expected === VALUE ? endOfScalar(text, at) : undefined
      if (typeof end !== 'number') return end ?? { at, expected: expectedText }
      at = end
      expected = END
      isFresh = false
    }
  }
}

function endOfString(text: string, start: number): number | Fault {
  for (let at = start + 1; ; at += 1) {
    const character = text.charAt(at)
    if (character === '') return { at, expected: 'a closing double quote' }
    if (character === '"') return at + 1
    if (character < ' ') return { at, expected: `in a string ${ESCAPE}` }
    if (character !== '\\') continue
    at += 1
    if (text.charAt(at) === 'u') {
      if (!HEXADECIMAL.test(text.slice(at + 1, at + 5))) return { at, expected: 'four hexadecimal digits after \\u' }
      at += 4
    } else if (text.charAt(at) === '' || !'"\\/bfnrt'.includes(text.charAt(at))) return { at, expected: ESCAPE }
  }
}

function endOfScalar(text: string, start: number): number | Fault | undefined {
  const literal = LITERALS.find((one) => text.startsWith(one, start))
  if (literal !== undefined) return start + literal.length
  let end = start
  while (end < text.length && OF_NUMBERS.includes(text.charAt(end))) end += 1
  if (end === start) return undefined
  return NUMBER.test(text.slice(start, end)) ? end : { at: start, expected: 'a JSON number such as 0.5' }
}

export function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line += 1
    start = end + 1
  }
  return { line, column: at - start + 1 }
}
