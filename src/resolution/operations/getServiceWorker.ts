import type { Cradle } from '../../cradle.ts'
import { SCRIPT_TYPE } from '../../http/default-headers.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getServiceWorker({ browserScripts }: Cradle): PublicHandler<'getServiceWorker'> {
  return () => ({ status: 200, contentType: SCRIPT_TYPE, body: browserScripts.serviceWorker })
}
