const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt\s]([0-9]{2}:[0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)$/

/**
 * Parses an EPCIS time (RFC 3339), rounded to ms; a leap second becomes the next second.
 * @throws RangeError for text that the schema rejects
 */
export function instantOf(text: string): Date {
  const [, day, minute, second = '', fraction = '', zone = ''] = TIME.exec(text) ?? []
  const hours = zone.slice(0, 3)
  const minutes = zone.slice(3).replace(':', '') || '00'
  const offset = /^z$/i.test(zone) ? 'Z' : `${hours}:${minutes}`
  const isLeap = second === '60'
  const time = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${offset}`)
  if (Number.isNaN(time)) throw new RangeError('Invalid RFC 3339 timestamp.')
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (/^...[5-9]/.test(fraction) ? 1 : 0)
  return new Date(time + milliseconds + (isLeap ? 1000 : 0))
}

/** Returns the zone offset; `+00:00` for UTC or invalid text. */
export function zoneOffsetOf(text: unknown): string {
  const [, , , , , zone = ''] = (typeof text === 'string' ? TIME.exec(text) : null) ?? []
  return /^[+-][0-9]{2}:[0-9]{2}$/.test(zone) ? zone : '+00:00'
}
