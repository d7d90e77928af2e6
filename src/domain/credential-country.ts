import { isCountryCode } from './countries.ts'

/** Credentials require a production country (specification 4.1). */
export function credentialBlocker(facility: { readonly country: string } | null): string | undefined {
  if (facility === null) return 'Credentials state a country of production: link a manufacturing facility first.'
  if (isCountryCode(facility.country)) return undefined
  return `Credentials state a country of production, but “${facility.country}” is not an ISO 3166-1 country: correct the country of the manufacturing facility.`
}
