/** Letters of a label, in points. */
const MAX_LETTERS = 10
const LEAST_LETTERS = 4.5
const STEP = 0.5

/** A room for text, in points. */
interface TextBox {
  readonly width: number
  readonly height: number
}

/** How a font measures. */
interface Measure {
  /** Width of a text in letters of one point. */
  widthOf(text: string): number
  /** Height of a line in letters of one point. */
  readonly lineHeight: number
}

/** Lines that fit into a room in letters of `size` points. */
interface FittedText {
  readonly size: number
  readonly lines: readonly string[]
}

/**
 * Fits paragraphs into a room, in letters as large as possible. At the least size words are broken too, and where that is
 * not enough the first paragraph, which is the longest by its nature, ends in an ellipsis.
 */
export function fitText(paragraphs: readonly string[], room: TextBox, { widthOf, lineHeight }: Measure): FittedText {
  const words = paragraphs.map((text) => text.split(' ').map((word) => ({ word, width: widthOf(word) })))
  const space = widthOf(' ')
  const most = (size: number) => Math.floor(room.height / (size * lineHeight))
  for (let size = MAX_LETTERS; size >= LEAST_LETTERS; size -= STEP) {
    const width = room.width / size
    if (words.some((paragraph) => paragraph.some((each) => each.width > width))) continue
    const lines = words.flatMap((paragraph) => wrapped(paragraph, width, space))
    if (lines.length <= most(size)) return { size, lines }
  }
  const size = LEAST_LETTERS
  const width = room.width / size
  const [first = [], ...others] = words.map((paragraph) =>
    wrapped(
      paragraph.flatMap(({ word }) => broken(word, width, widthOf)),
      width,
      space,
    ),
  )
  const rest = others.flat()
  const left = Math.max(0, most(size) - rest.length)
  return { size, lines: [...cut(first, left, width, widthOf), ...rest].slice(0, most(size)) }
}

interface Word {
  readonly word: string
  readonly width: number
}

/** A text in lines of at most `width`; a word that is wider has a line of its own. */
export const linesOf = (text: string, width: number, widthOf: Measure['widthOf']): string[] =>
  wrapped(
    text.split(' ').map((word) => ({ word, width: widthOf(word) })),
    width,
    widthOf(' '),
  )

/** Words in lines of at most `width`, each as full as possible. */
function wrapped(words: readonly Word[], width: number, space: number): string[] {
  const lines: string[] = []
  let line: string | undefined
  let taken = 0
  for (const { word, width: needed } of words) {
    if (line !== undefined && taken + space + needed <= width) {
      line += ` ${word}`
      taken += space + needed
    } else {
      if (line !== undefined) lines.push(line)
      line = word
      taken = needed
    }
  }
  return line === undefined ? lines : [...lines, line]
}

/** A word in parts of at most `width`; a part has one character at least. */
function broken(word: string, width: number, widthOf: Measure['widthOf']): Word[] {
  const parts: Word[] = []
  let part = ''
  let taken = 0
  for (const character of word) {
    const needed = widthOf(character)
    if (part !== '' && taken + needed > width) {
      parts.push({ word: part, width: taken })
      part = ''
      taken = 0
    }
    part += character
    taken += needed
  }
  return [...parts, { word: part, width: taken }]
}

/** The first `most` lines, with an ellipsis where there were more. */
function cut(lines: readonly string[], most: number, width: number, widthOf: Measure['widthOf']): string[] {
  if (lines.length <= most) return [...lines]
  const kept = lines.slice(0, most)
  const last = kept.pop()
  if (last === undefined) return []
  const characters = [...last]
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > width) characters.pop()
  return [...kept, `${characters.join('')}…`]
}
