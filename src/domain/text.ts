/** Truncates to UTF-16 code units without half a surrogate pair, which PostgreSQL would replace. */
export const beginningOf = (text: string, maxCharacters: number): string =>
  text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')

export function usableText(value: unknown, maxCharacters: number): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : beginningOf(text, maxCharacters)
}

// Linear; bound the length first.
const EMAIL = /^[^\s@<>"(),:;]{1,64}@[^\s@<>"(),:;]{1,190}\.(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})$/iu

/** RFC 5321. */
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text)

/** Encodes individually: concatenating long texts costs several times as much. */
export function bytesOf(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let length = 0
  for (const text of texts) length += bytes.write(text, length)
  return bytes
}
