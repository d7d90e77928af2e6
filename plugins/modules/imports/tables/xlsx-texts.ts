import { type Parts, readPart } from './package.ts'
import { MAX_CELL_CHARACTERS, TableError } from './table.ts'
import { NAMESPACES } from './xlsx-namespaces.ts'

const MAX_SHARED_CHARACTERS = 32 * 1024 * 1024
const MAX_SHARED_TEXTS = 1_000_000
const MAX_SHARED_BYTES = 512 * 1024 * 1024

export async function readSharedTexts(parts: Parts, path: string | undefined): Promise<string[]> {
  const texts: string[] = []
  if (path === undefined) return texts
  let characters = 0
  let text = ''
  const gather = textGatherer((piece) => {
    text += piece
    if (text.length > MAX_CELL_CHARACTERS) throw longCell(`Text ${texts.length + 1}`)
  })
  const handler = {
    namespaces: NAMESPACES,
    open(name: string) {
      if (name === 'si') text = ''
      gather.open(name)
    },
    text: gather.text,
    close(name: string) {
      gather.close(name)
      if (name !== 'si') return
      characters += text.length
      if (characters > MAX_SHARED_CHARACTERS || texts.length === MAX_SHARED_TEXTS) {
        throw new TableError('The workbook has too much text. Send it in parts, or as CSV.')
      }
      // Copies the text: a slice would retain its source.
      texts.push(Buffer.from(unescaped(text)).toString())
    },
  }
  await readPart(parts, path, handler, MAX_SHARED_BYTES)
  return texts
}

/** Collects `t` runs and skips phonetic text. */
export function textGatherer(take: (text: string) => void) {
  let isText = false
  let isPronounced = false
  return {
    open(name: string) {
      if (name === 't') isText = true
      if (name === 'rPh') isPronounced = true
    },
    text(piece: string) {
      if (isText && !isPronounced) take(piece)
    },
    close(name: string) {
      if (name === 't') isText = false
      if (name === 'rPh') isPronounced = false
    },
  }
}

/** ISO/IEC 29500-1, 22.9.2.19. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

export const longCell = (place: string) => new TableError(`${place} has more than ${MAX_CELL_CHARACTERS} characters.`)
