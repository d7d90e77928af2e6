import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../handler.ts'

export default function getReady({ health }: Cradle): PublicHandler<'getReady'> {
  return async () => {
    const obstacle = await health.obstacle()
    if (obstacle === undefined) return { status: 200, body: { status: 'READY' } }
    return {
      status: 503,
      headers: { 'Retry-After': '2' },
      body: { error: 'Service Unavailable', message: obstacle },
    }
  }
}
