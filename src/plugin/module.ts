/** Published entry `dpp-gateway/plugin/module`. */

import type { Cradle } from '../cradle.ts'

export { takesBrotli } from '../http/encoding.ts'
export type { Handler, IdempotentHandler, PublicHandler } from '../http/handler.ts'
export { matches, pageHeaders } from '../http/rendition-response.ts'
export { etagOf } from '../publication/rendition.ts'

/** Parts of the gateway available to a module, to be extended. */
export type ModuleCradle = Pick<Cradle, 'config' | 'contract' | 'gatewayPages'>
