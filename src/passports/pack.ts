/** Texts to be unpacked by `convert_from(substr(bytes, start, length), 'UTF8')`. */
interface Packed {
  readonly bytes: Buffer
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
}

/** Avoids quoting and parsing of an array or JSON. */
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
