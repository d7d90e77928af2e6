/** The published entry `dpp-gateway/plugin/module`: what a module may import from the gateway beside `dpp-gateway/plugin`. */

import type { Cradle } from '../cradle.ts'

export { takesBrotli } from '../http/encoding.ts'
export type { Handler, IdempotentHandler, PublicHandler } from '../http/handler.ts'
export { matches, pageHeaders } from '../http/rendition-response.ts'
export { etagOf } from '../publication/rendition.ts'

/** Parts of the gateway that factories and handlers of a module may ask for, by name. A module adds its own by extending it. */
export type ModuleCradle = Pick<Cradle, 'config' | 'contract' | 'gatewayPages'>
