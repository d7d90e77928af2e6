import type { Block, Piece, ReferenceWords as Words } from '../../../src/plugin/index.ts'

export type Explained = (word: string) => string | undefined

export const plain = (text: string): Words => [{ text }]

export const between = (parts: readonly Words[], separator: string): Words =>
  parts.flatMap((part, index) => (index === 0 ? part : [{ text: separator }, ...part]))

export function wordOf(text: string, explained: Explained): Piece {
  const href = explained(text)
  return href === undefined ? { text, isCode: true } : { text, isCode: true, href }
}

/** Parses a sentence with code in back-ticks (CommonMark 0.31.2, 6.1). */
export function sentence(text: string, explained: Explained): Words {
  return text
    .split('`')
    .map((part, index): Piece => (index % 2 === 1 ? wordOf(part, explained) : { text: part }))
    .filter((piece) => piece.text !== '')
}

/** Parses the CommonMark subset of the contract: paragraphs, level-2 headings, flat lists and code. */
export function prose(text: string, explained: Explained): Block[] {
  const blocks: Block[] = []
  for (const part of text.split(/\n(?:[ \t]*\n)+/)) {
    const lines = part.split('\n').map((line) => line.trim())
    const first = lines.find((line) => line !== '')
    if (first === undefined) continue
    if (first.startsWith('## ')) {
      blocks.push(heading(first.slice(3)))
    } else if (first.startsWith('- ')) {
      blocks.push({ kind: 'list', items: itemsOf(lines).map((item) => sentence(item, explained)) })
    } else {
      blocks.push({ kind: 'text', words: sentence(lines.join(' ').trim(), explained) })
    }
  }
  return blocks
}

export const heading = (text: string): Block => ({
  kind: 'heading',
  id: text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, ''),
  text,
})

export function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = []
  for (const line of lines) {
    if (line.startsWith('- ')) items.push(line.slice(2))
    else if (items.length > 0) items.push(`${items.pop()} ${line}`.trim())
  }
  return items
}
