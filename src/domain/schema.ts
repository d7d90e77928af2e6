import type { components } from '../generated/openapi.ts'

/** What the document calls by this name. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name]

/** An answer as a service gives it: without `success`, which the operation adds. */
export type Content<Name extends keyof components['schemas']> = Omit<Schema<Name>, 'success'>
