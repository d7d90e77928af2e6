import assigned from './countries.json' with { type: 'json' }

/** The 249 officially assigned alpha-2 codes of ISO 3166-1. */
export const COUNTRY_CODES: readonly string[] = assigned
const codes: ReadonlySet<string> = new Set(assigned)

/**
 * Whether `code` is officially assigned by ISO 3166-1. Codes that are only reserved or left to users
 * (`UK`, `EU`, `XK`, `ZZ`) are not.
 */
export const isCountryCode = (code: string): boolean => codes.has(code)
