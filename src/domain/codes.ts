import type { components } from '../generated/openapi.ts'

export type ErrorCode = components['schemas']['ErrorCode']

/** Code of a non-blocking remark (specification 2.7). */
export type AdvisoryCode = components['schemas']['AdvisoryCode']

/** Code of an error before the operation (specification 7.1). */
export type FrameworkCode = components['schemas']['FrameworkCode']
