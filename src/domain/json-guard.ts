import { faultIn, lineAndColumn } from './json-fault.ts'
import { beginningOf } from './text.ts'
import { runYielding } from './yielding.ts'

/** Invalid JSON (RFC 8259) or UTF-8. */
export class JsonSyntaxError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'JsonSyntaxError'
  }
}

/** Well-formed JSON that the gateway cannot store, seal or compare. */
export class JsonGuardError extends Error {
  /** Path such as `metadata.parts[3].name`; empty for the document. */
  readonly place: string

  constructor(place: string, finding: string) {
    super(place === '' ? `The document ${finding}.` : `${place} ${finding}.`)
    this.name = 'JsonGuardError'
    this.place = place
  }
}

/** Nesting limit, below those of JSON.stringify, structuredClone and PostgreSQL. */
export const MAX_LEVELS = 64
export const MAX_KEYS = 20_000
export const MAX_KEY_CHARACTERS = 256

export interface JsonLimits {
  readonly depth: number
  readonly keys: number
  /** Numbers that a double must represent exactly: those without fraction and exponent, or all. */
  readonly exact: 'integers' | 'all'
}

export const BODY_LIMITS: JsonLimits = { depth: MAX_LEVELS, keys: MAX_KEYS, exact: 'integers' }

const UTF8 = new TextDecoder('utf-8', { fatal: true })

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * Parses a JSON body. Rejects duplicate keys (RFC 8259 §4), U+0000 and lone surrogates (invalid in PostgreSQL), numbers that a double
 * rounds or cannot hold, prototype names, and excessive depth or key counts.
 * @throws JsonSyntaxError, JsonGuardError
 */
export function parseGuardedJson(bytes: Uint8Array, limits: JsonLimits = BODY_LIMITS): unknown {
  const text = decode(bytes)
  // Depth and keys are limited before parsing: JSON.parse needs 85 ms for 1 MiB of brackets. Other findings require valid JSON.
  const { finding } = atOnce(scanning(text, limits))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw atOnce(syntaxError(text, cause))
  }
  if (finding) throw finding
  return value
}

function atOnce<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** @param pieceCharacters length from which containers are parsed in pieces */
export function parseGuardedJsonYielding(
  bytes: Uint8Array,
  limits: JsonLimits,
  pieceCharacters = GO_CHARACTERS,
): Promise<unknown> {
  return runYielding(parsing(bytes, limits, pieceCharacters))
}

function* parsing(bytes: Uint8Array, limits: JsonLimits, pieceCharacters: number): Generator<void, unknown> {
  const text = yield* decoding(bytes)
  const { finding, root } = yield* scanning(text, limits, pieceCharacters)
  let value: unknown
  try {
    value = yield* inPieces(text, root, pieceCharacters)
  } catch (cause) {
    throw yield* syntaxError(text, cause)
  }
  if (finding) throw finding
  return value
}

/** @throws SyntaxError if the text is not JSON */
function* inPieces(text: string, root: Container | undefined, pieceCharacters: number): Generator<void, unknown> {
  if (root === undefined) {
    if ((yield* faultIn(text)) !== undefined) throw new SyntaxError('Invalid JSON.')
    return JSON.parse(text)
  }
  assertBlank(text.slice(0, root.start - 1) + text.slice(root.end + 1))
  return yield* containerOf(text, root, pieceCharacters)
}

/** Parses pieces between commas as JSON (RFC 8259, sections 4 and 5). */
function* containerOf(
  text: string,
  { isObject, start, end, commas, large }: Container,
  pieceCharacters: number,
): Generator<void, unknown> {
  const members: Record<string, unknown> = {}
  const elements: unknown[] = []
  const add = (from: number, to: number) => {
    const piece = text.slice(from, to)
    if (BLANK.test(piece)) throw new SyntaxError('A value is missing.')
    if (isObject) Object.assign(members, JSON.parse(`{${piece}}`))
    else elements.push(...JSON.parse(`[${piece}]`))
  }
  const boundaries = commas.length > 0 || !BLANK.test(text.slice(start, end)) ? [...commas, end] : []
  let [added, from] = [start, start]
  for (const boundary of boundaries) {
    const [child] = large
    if (child !== undefined && child.start <= boundary) {
      large.shift()
      if (added < from) add(added, from - 1)
      const before = text.slice(from, child.start - 1)
      assertBlank(text.slice(child.end + 1, boundary))
      const value = yield* containerOf(text, child, pieceCharacters)
      if (isObject) for (const name in JSON.parse(`{${before}[]}`)) members[name] = value
      else {
        assertBlank(before)
        elements.push(value)
      }
      added = boundary + 1
    } else if (boundary === end || boundary - added > pieceCharacters) {
      add(added, boundary)
      added = boundary + 1
      yield
    }
    from = boundary + 1
  }
  return isObject ? members : elements
}

/** White space (RFC 8259, section 2). */
const BLANK = /^[ \t\n\r]*$/

function assertBlank(text: string): void {
  if (!BLANK.test(text)) throw new SyntaxError('A comma is missing.')
}

function decode(bytes: Uint8Array): string {
  try {
    // RFC 8259 §8.1 permits dropping a byte order mark.
    return UTF8.decode(bytes)
  } catch (cause) {
    throw notUtf8(cause)
  }
}

/** Decodes in slices: 1 MiB takes up to 12 ms (docs/reference/measurements.md). */
function* decoding(bytes: Uint8Array): Generator<void, string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const pieces: string[] = []
  try {
    for (let at = 0; at < bytes.length; at += GO_BYTES) {
      pieces.push(decoder.decode(bytes.subarray(at, at + GO_BYTES), { stream: true }))
      yield
    }
    pieces.push(decoder.decode())
  } catch (cause) {
    throw notUtf8(cause)
  }
  return pieces.join('')
}

const notUtf8 = (cause: unknown) => new JsonSyntaxError('The body is not valid UTF-8.', cause)

function* syntaxError(text: string, cause: unknown): Generator<void, JsonSyntaxError> {
  const fault = yield* faultIn(text)
  if (fault === undefined) return new JsonSyntaxError('The body is not valid JSON.', cause)
  const { line, column } = lineAndColumn(text, fault.at)
  const place = `line ${line}, column ${column}`
  return new JsonSyntaxError(`The body is not valid JSON: at ${place}, ${fault.expected} was expected.`, cause)
}

/** Rejects U+0000 and lone surrogates in a query, path or header value. */
export function assertCleanText(value: string, place: string): void {
  if (value.includes('\0')) throw new JsonGuardError(place, NUL)
  if (!value.isWellFormed()) throw new JsonGuardError(place, LONE_SURROGATE)
}

const NUL = 'contains the character U+0000'
const LONE_SURROGATE = 'contains a lone surrogate'

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const BACKSLASH = 0x5c
const CLOSE_ARRAY = 0x5d
const LOWER_U = 0x75
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

interface Frame extends Omit<Container, 'end'> {
  /** Array while small: a Set per object is too expensive. */
  keys: string[] | Set<string> | undefined
  key: string | undefined
  index: number
  expectsKey: boolean
}

/** Text offsets: after the opening bracket, of the closing bracket, of direct commas. */
interface Container {
  readonly isObject: boolean
  readonly start: number
  readonly end: number
  readonly commas: number[]
  readonly large: Container[]
}

interface Scan {
  /** Meaningless if the text is not JSON. */
  readonly finding: JsonGuardError | undefined
  readonly root?: Container | undefined
}

/** Slices of less than 1 ms. */
const GO_CHARACTERS = 32_768
const GO_BYTES = 65_536

/**
 * Scans the text once, in slices. Stops at a syntax error.
 * @throws JsonGuardError for depth and key count
 */
function* scanning(text: string, limits: JsonLimits, pieceCharacters = GO_CHARACTERS): Generator<void, Scan> {
  const stack: Frame[] = []
  let root: Container | undefined
  let frame: Frame | undefined
  let keyCount = 0
  let finding: JsonGuardError | undefined
  let at = 0
  let pause = GO_CHARACTERS

  const report = (what: string) => {
    finding ??= new JsonGuardError(placeOf(stack), what)
  }

  while (at < text.length) {
    if (at >= pause) {
      yield
      pause = at + GO_CHARACTERS
    }
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      const start = at
      let isEscaped = false
      let bad: string | undefined
      // True after a high surrogate. Raw text is valid UTF-8: only escapes can be invalid.
      let isHalf = false
      for (at += 1; ; ) {
        if (at >= text.length) return { finding }
        const inside = text.charCodeAt(at)
        const isEscape = inside === BACKSLASH
        const isUnicodeEscape = isEscape && text.charCodeAt(at + 1) === LOWER_U
        const unit = isUnicodeEscape ? Number.parseInt(text.slice(at + 2, at + 6), 16) : -1
        const isLow = unit >= 0xdc00 && unit <= 0xdfff
        if (isHalf !== isLow) bad ??= LONE_SURROGATE
        isHalf = unit >= 0xd800 && unit <= 0xdbff
        if (unit === 0) bad ??= NUL
        if (inside === QUOTE) break
        isEscaped ||= isEscape
        if (isUnicodeEscape) at += 6
        else if (isEscape) at += 2
        else at += 1
      }
      at += 1
      if (frame?.isObject && frame.expectsKey) {
        const key = isEscaped ? decodeString(text.slice(start, at)) : text.slice(start + 1, at - 1)
        if (key === undefined) return { finding }
        frame.expectsKey = false
        frame.key = key
        keyCount += 1
        if (keyCount > limits.keys) throw new JsonGuardError('', `has more than ${limits.keys} keys`)
        const isNew = addKey(frame, key)
        if (key.length > MAX_KEY_CHARACTERS) report(`is a key of more than ${MAX_KEY_CHARACTERS} characters`)
        else if (!isNew) report('is a duplicate key')
        else if (FORBIDDEN_KEYS.has(key)) report('is a forbidden key')
      }
      if (bad) report(bad)
      continue
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (stack.length === limits.depth) {
        throw new JsonGuardError(placeOf(stack), `is nested more than ${limits.depth} levels deep`)
      }
      const isObject = code === OPEN_OBJECT
      const [start, commas, large] = [at + 1, [], []]
      frame = { isObject, start, commas, large, keys: undefined, key: undefined, index: 0, expectsKey: isObject }
      stack.push(frame)
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      const closed = stack.pop()
      if (closed?.isObject !== (code === CLOSE_OBJECT) || root !== undefined) return { finding }
      frame = stack.at(-1)
      if (frame === undefined) root = { ...closed, end: at }
      else if (at - closed.start > pieceCharacters) frame.large.push({ ...closed, end: at })
    } else if (code === COMMA) {
      if (frame) {
        frame.index += 1
        frame.expectsKey = frame.isObject
        frame.commas.push(at)
      }
    } else if (code !== COLON && isNumberStart(code)) {
      const start = at
      while (at < text.length && isNumberPart(text.charCodeAt(at))) at += 1
      const problem = numberProblem(text.slice(start, at), limits)
      if (problem) report(problem)
      continue
    }
    at += 1
  }
  return { finding, root: stack.length === 0 ? root : undefined }
}

const FEW_KEYS = 8

function addKey(frame: Frame, key: string): boolean {
  const keys = frame.keys ?? []
  frame.keys = keys
  if (Array.isArray(keys)) {
    if (keys.includes(key)) return false
    if (keys.length < FEW_KEYS) keys.push(key)
    else frame.keys = new Set([...keys, key])
    return true
  }
  const before = keys.size
  return keys.add(key).size > before
}

function decodeString(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}

/** True if an integer is exact in a double. Fractions and exponents may be rounded. */
export const isExactNumber = (literal: string): boolean => numberProblem(literal, BODY_LIMITS) === undefined

function numberProblem(literal: string, { exact }: JsonLimits): string | undefined {
  const value = Number(literal)
  if (Number.isNaN(value)) return undefined
  if (!Number.isFinite(value)) return 'is a number beyond the range of a double'
  // Doubles distinguish all decimals of up to 15 digits.
  if (literal.length <= 15 && exact === 'integers') return undefined
  if (exact === 'integers' && /[.eE]/.test(literal)) return undefined
  if (decimalOf(literal) === decimalOf(String(value))) return undefined
  return `is a number that would be rounded to ${value}; send it as a string to preserve every digit`
}

/** Normalizes to digits and exponent; zero has no sign. */
function decimalOf(literal: string): string {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = whole + fraction
  let start = 0
  while (digits[start] === '0') start += 1
  if (start === digits.length) return '0'
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  const exponent = Number(power) - fraction.length + (digits.length - end)
  return `${mantissa[0] === '-' ? '-' : ''}${digits.slice(start, end)}e${exponent}`
}

const isNumberStart = (code: number) => (code >= 0x30 && code <= 0x39) || code === 0x2d
const isNumberPart = (code: number) =>
  isNumberStart(code) || code === 0x2e || code === 0x65 || code === 0x45 || code === 0x2b

const SHOWN_KEY_LENGTH = 64
const SHOWN_PLACE_LENGTH = 512

function placeOf(stack: readonly Frame[]): string {
  let place = ''
  for (const frame of stack) {
    if (!frame.isObject) place += `[${frame.index}]`
    else if (frame.key !== undefined) {
      const key = frame.key.length > SHOWN_KEY_LENGTH ? `${beginningOf(frame.key, SHOWN_KEY_LENGTH)}…` : frame.key
      if (/^[A-Za-z_$][\w$]*…?$/.test(key)) place += place === '' ? key : `.${key}`
      else place += `[${JSON.stringify(key)}]`
    }
    if (place.length > SHOWN_PLACE_LENGTH) return `${beginningOf(place, SHOWN_PLACE_LENGTH)}…`
  }
  return place
}
