import fc from 'fast-check'

const SURROGATES = { first: 0xd800, count: 0x800 }

/** Any code point but surrogates. fast-check's unit `binary` builds a map of all 1.1 million in each process: 1.8 s. */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const point = typeof text === 'string' && text !== '' ? (text.codePointAt(0) as number) : -1
    if (point < 0 || text !== String.fromCodePoint(point)) throw new Error('Not one character.')
    return point < SURROGATES.first ? point : point - SURROGATES.count
  },
)

export const anyText = (lengths: { readonly minLength?: number; readonly maxLength?: number } = {}) =>
  fc.string({ unit: character, ...lengths })

/** Segments of a path (RFC 3986, 3.3). fast-check's own builds the same map. */
export const anySegment = fc.string({
  unit: fc.oneof(fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@"), character.map(encodeURIComponent)),
  maxLength: 10,
})
