import { beginningOf } from '../../../src/plugin/index.ts'

/** Ignores case and the part after `+`, to count messages per mailbox. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name.split('+')[0]}@${domain}`
}

/** Removes control and invisible characters, and disables links in untrusted text. */
export const withoutLinks = (text: string): string =>
  text
    // Removes direction marks (UAX #9) and control characters except line breaks.
    .replace(/[\t\r]/g, ' ')
    .replace(/[\p{Cf}\u2028\u2029]|(?!\n)\p{Cc}/gu, '')
    .replaceAll('://', '[:]//')
    .replace(/\.(?=\p{L}{2})/gu, '[.]')

export const oneLine = (text: string, maxCharacters: number): string =>
  beginningOf(withoutLinks(text).replace(/\s+/g, ' ').trim(), maxCharacters)
