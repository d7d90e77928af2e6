import type { components } from '../generated/openapi.ts'

export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** Response without `success`, which the operation adds. */
export type Content<Name extends keyof components['schemas']> = Omit<Schema<Name>, 'success'>
