/**
 * Returns a safe link address, or undefined. HTML escaping does not disarm `javascript:` and `data:` links, so only http and https pass.
 * Rejects user names: `https://bank.example@evil.example/` imitates the bank.
 */
export function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 2048 || !/^https?:\/\/[^/?#]/i.test(value)) return undefined
  const url = URL.parse(value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  return url.username === '' && url.password === '' ? url.href : undefined
}

/** Returns the host in Punycode, which exposes look-alike letters. */
export const hostOf = (href: string): string => new URL(href).host
