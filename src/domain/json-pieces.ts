/** Pieces of less than 1 ms. */
const PIECE_CHARACTERS = 32_768

interface Open {
  readonly value: Readonly<Record<string | number, unknown>>
  readonly names: readonly string[] | undefined
  readonly length: number
  at: number
  isEmpty: boolean
}

/** Yields the text of `JSON.stringify(value)` in pieces. */
export function* jsonPieces(value: unknown): Generator<string, void, undefined> {
  const open: Open[] = []
  let piece = ''
  const write = (member: unknown) => {
    if (typeof member !== 'object' || member === null) piece += JSON.stringify(member) ?? 'null'
    else {
      const names = Array.isArray(member) ? undefined : Object.keys(member)
      const { length } = names ?? (member as readonly unknown[])
      piece += names === undefined ? '[' : '{'
      open.push({ value: member as Open['value'], names, length, at: 0, isEmpty: true })
    }
  }
  write(value)
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { value, names, length, at } = inner
    if (at === length) {
      piece += names === undefined ? ']' : '}'
      open.pop()
      continue
    }
    inner.at += 1
    const member = value[names?.[at] ?? at]
    if (names !== undefined && member === undefined) continue
    if (!inner.isEmpty) piece += ','
    inner.isEmpty = false
    if (names !== undefined) piece += `${JSON.stringify(names[at])}:`
    write(member)
    if (piece.length <= PIECE_CHARACTERS) continue
    yield piece
    piece = ''
  }
  yield piece
}
