import { isCountryCode } from './countries.ts'

/**
 * Why a passport cannot become a credential, which states the country of production (specification 4.1).
 * @param facility of the passport, with its country as two letters
 * @returns undefined for a passport that can
 */
export function credentialBlocker(facility: { readonly country: string } | null): string | undefined {
  if (facility === null) return 'Credentials state a country of production: link a manufacturing facility first.'
  if (isCountryCode(facility.country)) return undefined
  return `Credentials state a country of production, and “${facility.country}” is no country of ISO 3166-1: correct the country of the manufacturing facility.`
}
