/** True if Brotli is accepted (RFC 9110, 12.5.3). */
export const takesBrotli = (accepted = ''): boolean =>
  accepted
    .slice(0, MAX_CHARACTERS)
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .some(([name, weight]) => name === 'br' && !/^q=0(\.0{0,3})?$/.test(weight ?? ''))

const MAX_CHARACTERS = 1024
