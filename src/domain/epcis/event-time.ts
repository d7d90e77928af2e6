const TIME =
  /^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt\s]([0-9]{2}:[0-9]{2}):([0-9]{2})(?:\.([0-9]+))?(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)$/

/**
 * The moment that a time of EPCIS names (RFC 3339), rounded to the millisecond; a leap second is the second behind it.
 * @throws RangeError for a text that the schema would have refused
 */
export function instantOf(text: string): Date {
  const [, day, minute, second = '', fraction = '', zone = ''] = TIME.exec(text) ?? []
  const hours = zone.slice(0, 3)
  const minutes = zone.slice(3).replace(':', '') || '00'
  const offset = /^z$/i.test(zone) ? 'Z' : `${hours}:${minutes}`
  const isLeap = second === '60'
  const time = Date.parse(`${day}T${minute}:${isLeap ? '59' : second}${offset}`)
  if (Number.isNaN(time)) throw new RangeError('This is no time of RFC 3339.')
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0')) + (/^...[5-9]/.test(fraction) ? 1 : 0)
  return new Date(time + milliseconds + (isLeap ? 1000 : 0))
}

/** The offset of the zone that a time is written in; a time that is not one, or in UTC, is in `+00:00`. */
export function zoneOffsetOf(text: unknown): string {
  const [, , , , , zone = ''] = (typeof text === 'string' ? TIME.exec(text) : null) ?? []
  return /^[+-][0-9]{2}:[0-9]{2}$/.test(zone) ? zone : '+00:00'
}
