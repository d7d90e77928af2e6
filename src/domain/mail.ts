import { domainToASCII } from 'node:url'

const MAX_ADDRESS_CHARACTERS = 254 // RFC 5321, 4.5.3.1.3

/** Accepted syntax, in linear time. Excludes quotes, comments, lists, routes (`%`, `!`), control and invisible characters. */
const LOCAL = /^[A-Za-z0-9_+=&'*/?^{}~#$-]{1,64}(?:\.[A-Za-z0-9_+=&'*/?^{}~#$-]{1,64}){0,31}$/
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/

/** Normalizes an address, with its domain in Punycode (RFC 5891); undefined if rejected. */
export function mailAddress(text: string): string | undefined {
  if (text.length > MAX_ADDRESS_CHARACTERS) return undefined
  const at = text.indexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const given = text.slice(at + 1)
  // Rejects characters that the conversion changes, such as a soft hyphen.
  if (local.length > 64 || !LOCAL.test(local) || !/^[\p{L}\p{M}\p{Nd}.-]+$/u.test(given)) return undefined
  const domain = domainToASCII(given)
  const address = `${local}@${domain}`
  return DOMAIN.test(domain) && address.length <= MAX_ADDRESS_CHARACTERS ? address : undefined
}
