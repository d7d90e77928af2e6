/** Passport, unit, or all units of a passport that are registered, or those of `units`; content is read when it is sent. */
export type RegistrationJob = { readonly tenantId: string } & (
  | { readonly passportId: string }
  | { readonly unitId: string }
  | { readonly unitsOf: string }
  | { readonly units: readonly string[] }
)

export const REGISTRATIONS = 'registration'
