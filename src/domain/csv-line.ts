type Cell = string | number | boolean | undefined

/** Formula prefixes, also after blanks (OWASP ASVS 5.0, 1.2.10). */
const DANGEROUS = /^'*[\s\u00a0\ufeff]*[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20]/
const PLAIN_NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/
const isDangerous = (text: string) => DANGEROUS.test(text)

/** Prevents formula injection. */
export const disarmed = (text: string): string => (isDangerous(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text)

export const rearmed = (text: string): string => (text.startsWith("'") && isDangerous(text) ? text.slice(1) : text)

/** RFC 4180. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(cell: Cell): string {
  if (cell === undefined) return ''
  const text = typeof cell === 'string' ? disarmed(cell) : String(cell)
  return /[",\r\n;\t|]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
