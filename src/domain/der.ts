/** One element of DER (X.690). */
export interface DerElement {
  /** The identifier byte, such as 0x30 for SEQUENCE. */
  readonly tag: number
  readonly content: Buffer
  /** All of its bytes. */
  readonly raw: Buffer
}

/**
 * The elements that stand one after another in `bytes`, strictly: identifiers of one byte, definite lengths in their
 * shortest form (X.690 §10.1), nothing left over. It opens one level; its work is linear in the number of bytes.
 * @throws Error where this is not DER
 */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] as number
    const { length, start } = lengthAt(bytes, at + 1)
    if ((tag & 0x1f) === 0x1f || start + length > bytes.length) throw malformed()
    elements.push({ tag, content: bytes.subarray(start, start + length), raw: bytes.subarray(at, start + length) })
    at = start + length
  }
  return elements
}

/** The elements inside the one element of this tag that `bytes` are. Throws where they are something else. */
export function readDerIn(bytes: Buffer, tag: number): DerElement[] {
  const [element, ...rest] = readDer(bytes)
  if (element?.tag !== tag || rest.length > 0) throw malformed()
  return readDer(element.content)
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

const malformed = () => new Error('This is not DER.')

export const SEQUENCE = 0x30
export const INTEGER = 0x02
