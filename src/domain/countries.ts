import assigned from './countries.json' with { type: 'json' }

/** ISO 3166-1 alpha-2. */
export const COUNTRY_CODES: readonly string[] = assigned
const codes: ReadonlySet<string> = new Set(assigned)

/** Excludes reserved and user-assigned ISO 3166-1 codes (`UK`, `EU`, `XK`, `ZZ`). */
export const isCountryCode = (code: string): boolean => codes.has(code)
