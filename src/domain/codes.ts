import type { components } from '../generated/openapi.ts'

/** A machine-stable code of an error; the document names them all. */
export type ErrorCode = components['schemas']['ErrorCode']

/** A machine-stable code of a remark that blocks nothing (specification 2.7). */
export type AdvisoryCode = components['schemas']['AdvisoryCode']

/** A code of the framework form (specification 7.1). */
export type FrameworkCode = components['schemas']['FrameworkCode']
