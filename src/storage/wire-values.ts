/**
 * Converts a parameter to a value that pg sends as it is. Objects become JSON; arrays become array literals, because pg searches every
 * element twice for characters to escape, a sixth of the CPU time of a bulk of 1,000 rows.
 * @throws the error of `toJSON`
 */
export function wireValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return arrayLiteral(value) ?? value
  return isJson(value) ? JSON.stringify(value) : value
}

/** Undefined if an element is an array, a date or bytes: pg converts these. */
function arrayLiteral(values: readonly unknown[]): string | undefined {
  const { length } = values
  const elements = new Array<string>(length)
  let element: string | undefined
  for (let index = 0; index < length; index += 1) {
    // Most columns of many rows repeat values.
    if (index === 0 || values[index] !== values[index - 1]) element = arrayElement(values[index])
    if (element === undefined) return undefined
    elements[index] = element
  }
  return `{${elements.join()}}`
}

function arrayElement(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'object') return isJson(value) ? quoted(JSON.stringify(value)) : undefined
  if (typeof value !== 'string') return String(value)
  return UNQUOTED.test(value) ? value : quoted(value)
}

/** Text such as an identifier or a time. An unquoted `NULL` would be a null. */
const UNQUOTED = /^(?!null$)[\w.:+-]+$/i

const quoted = (text: string): string =>
  text.includes('"') || text.includes('\\') ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`

const isJson = (value: object): boolean => !(Array.isArray(value) || value instanceof Date || ArrayBuffer.isView(value))
