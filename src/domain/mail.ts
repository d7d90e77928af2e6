import { domainToASCII } from 'node:url'
import { beginningOf } from './text.ts'

/** Whom a message is from or to, by name and address. */
export interface Mailbox {
  readonly name: string
  /** As {@link mailAddress} gives it. */
  readonly address: string
}

const MAX_ADDRESS_CHARACTERS = 254 // RFC 5321, 4.5.3.1.3

/**
 * One address as far as mail is sent to it: letters, digits and a few signs before the one `@`, a host name of letters,
 * digits and hyphens behind it. What libraries and servers read more into is refused: quotes, comments, lists, routes (`%`,
 * `!`), control and invisible characters. Linear.
 */
const LOCAL = /^[A-Za-z0-9_+=&'*/?^{}~#$-]{1,64}(?:\.[A-Za-z0-9_+=&'*/?^{}~#$-]{1,64}){0,31}$/
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/

/**
 * The address as it is handed over: a domain of other scripts in Punycode (RFC 5891).
 * @returns undefined for what mail is not sent to
 */
export function mailAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_CHARACTERS) return undefined
  const at = text.indexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const given = text.slice(at + 1)
  // Nothing that the conversion would drop or turn into something else, such as a soft hyphen or another full stop.
  if (local.length > 64 || !LOCAL.test(local) || !/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(given)) return undefined
  const domain = domainToASCII(given)
  const address = `${local}@${domain}`
  return DOMAIN.test(domain) && address.length <= MAX_ADDRESS_CHARACTERS ? address : undefined
}

/** Reads `address` or `Name <address>`; undefined for anything else. */
export function parseMailbox(text: string): Mailbox | undefined {
  const begin = text.lastIndexOf('<')
  const isNamed = begin > 0 && text.endsWith('>')
  const address = mailAddress(isNamed ? text.slice(begin + 1, -1) : text)
  const name = isNamed
    ? text
        .slice(0, begin)
        .replace(/[\p{Cc}"]/gu, '')
        .trim()
    : ''
  return address === undefined || name.includes('<') ? undefined : { name, address }
}

/** What counts as the same mailbox where messages are counted: capitals and what follows a `+` make no other. */
export function mailboxOf(address: string): string {
  const [name = '', domain = ''] = address.toLowerCase().split('@')
  return `${name.split('+')[0]}@${domain}`
}

/**
 * A text that others wrote, for a message of ours: without control and invisible characters, and so that no reader makes a
 * link of it.
 */
export const withoutLinks = (text: string): string =>
  text
    // Lines stay; everything else that steers, joins or turns text around goes (UAX #9).
    .replace(/[\t\r]/g, ' ')
    .replace(/[\p{Cf}\u2028\u2029]|(?!\n)\p{Cc}/gu, '')
    .replaceAll('://', '[:]//')
    .replace(/\.(?=\p{L}{2})/gu, '[.]')

/** The same in one line of at most so many characters. */
export const oneLine = (text: string, most: number): string =>
  beginningOf(withoutLinks(text).replace(/\s+/g, ' ').trim(), most)
