/**
 * The beginning of a text: at most so many UTF-16 code units, and no half of a character at the end, which PostgreSQL
 * and others would replace. Whoever counts code points, as JSON Schema does, finds no more than that either.
 */
export const beginningOf = (text: string, most: number): string => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/** The text without surrounding space and at most `most` long; undefined for what is not a text, and for a blank one. */
export function usableText(value: unknown, most: number): string | undefined {
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' ? undefined : beginningOf(text, most)
}

// Linear, and bounded before it is asked. The last label has letters of any script, or is written in Punycode.
const EMAIL = /^[^\s@<>"(),:;]{1,64}@[^\s@<>"(),:;]{1,190}\.(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})$/iu

/** Whether the text has the form of an e-mail address, of at most 254 characters (RFC 5321). */
export const isEmail = (text: string): boolean => text.length <= 254 && EMAIL.test(text)

/** The bytes of texts, one after the other: to put long texts together first costs several times as much. */
export function bytesOf(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let length = 0
  for (const text of texts) length += bytes.write(text, length)
  return bytes
}
