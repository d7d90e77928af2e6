import { type Word, wrapWords } from '../../../src/plugin/thread.ts'

/** Font sizes in points. */
const MAX_LETTERS = 10
const LEAST_LETTERS = 4.5
const STEP = 0.5

/** Box for text, in points. */
interface TextBox {
  readonly width: number
  readonly height: number
}

interface Measure {
  /** At a font size of 1 pt. */
  widthOf(text: string): number
  /** At a font size of 1 pt. */
  readonly lineHeight: number
}

interface FittedText {
  readonly size: number
  readonly lines: readonly string[]
}

/** Fits paragraphs into a box at the largest font size. At the minimum size it breaks words, then truncates the first paragraph. */
export function fitText(paragraphs: readonly string[], box: TextBox, { widthOf, lineHeight }: Measure): FittedText {
  const words = paragraphs.map((text) => text.split(' ').map((word) => ({ word, width: widthOf(word) })))
  const space = widthOf(' ')
  const maxLines = (size: number) => Math.floor(box.height / (size * lineHeight))
  for (let size = MAX_LETTERS; size >= LEAST_LETTERS; size -= STEP) {
    const width = box.width / size
    if (words.some((paragraph) => paragraph.some((each) => each.width > width))) continue
    const lines = words.flatMap((paragraph) => wrapWords(paragraph, width, space))
    if (lines.length <= maxLines(size)) return { size, lines }
  }
  const size = LEAST_LETTERS
  const width = box.width / size
  const [first = [], ...others] = words.map((paragraph) =>
    wrapWords(
      paragraph.flatMap(({ word }) => broken(word, width, widthOf)),
      width,
      space,
    ),
  )
  const rest = others.flat()
  const left = Math.max(0, maxLines(size) - rest.length)
  return { size, lines: [...cut(first, left, width, widthOf), ...rest].slice(0, maxLines(size)) }
}

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

function cut(lines: readonly string[], maxLines: number, width: number, widthOf: Measure['widthOf']): string[] {
  if (lines.length <= maxLines) return [...lines]
  const shown = lines.slice(0, maxLines)
  const last = shown.pop()
  if (last === undefined) return []
  const characters = [...last]
  while (characters.length > 0 && widthOf(`${characters.join('')}…`) > width) characters.pop()
  return [...shown, `${characters.join('')}…`]
}
