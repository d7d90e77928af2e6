import type { PublicHandler } from '../../../../src/plugin/module.ts'
import { SCRIPT_TYPE, SERVICE_WORKER } from '../browser-scripts.ts'
import type { operations } from '../generated.ts'

export default function getServiceWorker(): PublicHandler<'getServiceWorker', operations> {
  return () => ({ status: 200, contentType: SCRIPT_TYPE, body: SERVICE_WORKER })
}
