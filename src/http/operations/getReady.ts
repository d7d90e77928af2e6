import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../handler.ts'

export default function getReady({ health }: Cradle): PublicHandler<'getReady'> {
  return async ({ query }) => {
    const [reads, writes] = await Promise.all([health.obstacleOfReads(), health.obstacle()])
    const obstacle = query.for === 'read' ? reads : writes
    if (obstacle === undefined) {
      return { status: 200, body: { status: 'READY', reads: stateOf(reads), writes: stateOf(writes) } }
    }
    return {
      status: 503,
      headers: { 'Retry-After': '2' },
      body: { error: 'Service Unavailable', message: obstacle },
    }
  }
}

const stateOf = (obstacle: string | undefined) => (obstacle === undefined ? 'READY' : 'UNAVAILABLE')
