/** Texts as parameters of one statement, taken apart by `convert_from(substr(bytes, start, length), 'UTF8')`. */
interface Packed {
  readonly bytes: Buffer
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

/** Many texts as one value that goes over the wire as it is: an array or JSON would be quoted here and parsed there. */
export function pack(texts: readonly (string | Buffer)[]): Packed {
  const buffers = texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text))
  const lengths = buffers.map(({ length }) => length)
  let next = 1
  const starts = lengths.map((length) => {
    const start = next
    next += length
    return start
  })
  return { bytes: Buffer.concat(buffers), starts, lengths }
}
