export interface DerElement {
  readonly tag: number
  readonly content: Buffer
  /** Empty for primitive elements. */
  readonly parts: readonly DerElement[]
  readonly raw: Buffer
}

/** A certificate has half as many levels. */
const MAX_LEVELS = 16
const IS_CONSTRUCTED = 0x20

/**
 * Parses consecutive elements strictly (X.690 §10.1): one-byte identifiers, shortest lengths, no trailing bytes. Linear.
 * @throws Error for anything else
 */
export function readDer(bytes: Buffer, levels = MAX_LEVELS): DerElement[] {
  if (levels === 0) throw malformed()
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number
    const { length, start } = lengthAt(bytes, at + 1)
    if ((tag & 0x1f) === 0x1f || start + length > bytes.length) throw malformed()
    const content = bytes.subarray(start, start + length)
    const parts = (tag & IS_CONSTRUCTED) === 0 ? [] : readDer(content, levels - 1)
    elements.push({ tag, content, parts, raw: bytes.subarray(at, start + length) })
    at = start + length
  }
  return elements
}

/** @throws Error unless a single SEQUENCE */
export function readDerSequence(bytes: Buffer, levels = MAX_LEVELS): readonly DerElement[] {
  const [element, ...rest] = readDer(bytes, levels)
  if (element?.tag !== SEQUENCE || rest.length > 0) throw malformed()
  return element.parts
}

/**
 * Returns the bytes of an INTEGER in shortest form (X.690 §8.3.2).
 * @throws Error for anything else
 */
export function integerBytes({ tag, content }: DerElement): Buffer {
  const [first = 0, second = 0] = content
  const isPadded = content.length > 1 && (first === 0 ? second < 0x80 : first === 0xff && second >= 0x80)
  if (tag !== INTEGER || content.length === 0 || isPadded) throw malformed()
  return content
}

function lengthAt(bytes: Buffer, at: number): { length: number; start: number } {
  const first = bytes[at]
  if (first === undefined || first === 0x80 || first > 0x83) throw malformed()
  if (first < 0x80) return { length: first, start: at + 1 }
  const start = at + 1 + (first & 0x7f)
  if (start > bytes.length) throw malformed()
  const length = bytes.readUIntBE(at + 1, first & 0x7f)
  if (length < 0x80 || bytes[at + 1] === 0) throw malformed()
  return { length, start }
}

const malformed = () => new Error('Malformed DER.')

export const SEQUENCE = 0x30
export const INTEGER = 0x02
