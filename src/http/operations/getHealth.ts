import type { Cradle } from '../../cradle.ts'
import { CONTRACT_VERSION, VERSION } from '../../root.ts'
import type { PublicHandler } from '../handler.ts'

export default function getHealth({ config, health }: Cradle): PublicHandler<'getHealth'> {
  return async () => {
    if (!(await health.isUp())) {
      return { status: 503, body: { error: 'Service Unavailable', message: 'The database does not respond.' } }
    }
    return {
      status: 200,
      body: {
        status: 'OK',
        service: 'dpp-gateway',
        timestamp: new Date().toISOString(),
        apiVersion: CONTRACT_VERSION,
        build: VERSION,
        commit: config.commit,
        builtAt: config.builtAt,
      },
    }
  }
}
