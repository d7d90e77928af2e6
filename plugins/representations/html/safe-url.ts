/**
 * The address of a link, or undefined for anything that must not become one. Escaping a value makes it inert as text,
 * not as a link: `javascript:` and `data:` addresses pass every HTML escaper. So only http and https are let through,
 * and no address with a user name, because `https://bank.example@evil.example/` reads like the bank's.
 */
export function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !/^https?:\/\/[^/?#]/i.test(value)) return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}

/** Host of a safe address. The parser answers Punycode, so a look-alike letter shows. */
export const hostOf = (href: string): string => new URL(href).host
