import { badRequest } from '../../../src/plugin/module.ts'

export type Segment = string | number

const NAME_FIRST = /^[A-Za-z_\u0080-\u{10FFFF}]/u
const NAME = /^[A-Za-z_\u0080-\u{10FFFF}][A-Za-z0-9_\u0080-\u{10FFFF}]*/u
const BLANK = /^[ \t\n\r]+/
const INDEX = /^(?:0|-?[1-9][0-9]{0,14})(?![0-9])/
const MAX_SEGMENTS = 64

/**
 * Parses a path to one element: a singular query of RFC 9535 (2.3.5.1), such as the normalized path `$['materials'][0]`.
 * @throws Problem 400 for other texts, and for queries that may select several nodes
 */
export function readElementPath(path: string): readonly Segment[] {
  if (!path.startsWith('$')) throw notAPath(path)
  const segments: Segment[] = []
  let rest = path.slice(1)
  while (rest !== '') {
    rest = rest.replace(BLANK, '')
    const [segment, length] = (rest.startsWith('.') ? dotted(rest) : bracketed(rest)) ?? fail(path)
    segments.push(segment)
    rest = rest.slice(length)
  }
  if (segments.length === 0 || segments.length > MAX_SEGMENTS) throw notAPath(path)
  return segments
}

function fail(path: string): never {
  throw notAPath(path)
}

type Read = readonly [segment: Segment, length: number] | undefined

function dotted(text: string): Read {
  const [name] = (NAME_FIRST.test(text.slice(1)) && NAME.exec(text.slice(1))) || []
  return name === undefined ? undefined : [name, name.length + 1]
}

function bracketed(text: string): Read {
  if (!text.startsWith('[')) return undefined
  const start = 1 + (BLANK.exec(text.slice(1))?.[0].length ?? 0)
  const inner = text.slice(start)
  const [segment, length] = quoted(inner) ?? indexed(inner) ?? []
  if (segment === undefined || length === undefined) return undefined
  const behind = inner.slice(length)
  const blank = BLANK.exec(behind)?.[0].length ?? 0
  return behind[blank] === ']' ? [segment, start + length + blank + 1] : undefined
}

function indexed(text: string): Read {
  const [digits] = INDEX.exec(text) ?? []
  return digits === undefined ? undefined : [Number(digits), digits.length]
}

const ESCAPES = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['/', '/'],
  ['\\', '\\'],
])

/** RFC 9535, 2.3.1.1. */
function quoted(text: string): Read {
  const [quote] = text
  if (quote !== "'" && quote !== '"') return undefined
  let name = ''
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at] as string
    if (character === quote) return name.isWellFormed() ? [name, at + 1] : undefined
    if (character < ' ') return undefined
    if (character !== '\\') {
      name += character
      continue
    }
    at += 1
    const escaped = text[at] ?? ''
    const [hex] = escaped === 'u' ? (/^[0-9A-Fa-f]{4}/.exec(text.slice(at + 1)) ?? []) : []
    const meant =
      hex === undefined
        ? escaped === quote
          ? quote
          : ESCAPES.get(escaped)
        : String.fromCharCode(Number.parseInt(hex, 16))
    if (meant === undefined) return undefined
    name += meant
    if (hex !== undefined) at += 4
  }
  return undefined
}

const notAPath = (path: string) =>
  badRequest(
    `"${path.slice(0, 100)}" is not a path to one element. Send a singular JSONPath (RFC 9535), such as $['materials'][0].`,
  )
