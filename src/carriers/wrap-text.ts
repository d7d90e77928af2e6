export interface Word {
  readonly word: string
  readonly width: number
}

export const linesOf = (text: string, width: number, widthOf: (text: string) => number): string[] =>
  wrapWords(
    text.split(' ').map((word) => ({ word, width: widthOf(word) })),
    width,
    widthOf(' '),
  )

export function wrapWords(words: readonly Word[], width: number, space: number): string[] {
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
