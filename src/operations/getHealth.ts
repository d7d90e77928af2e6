import { VERSION } from '../config.ts'
import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

/** How long an answer of the database counts: whoever asks more often costs nothing. */
const REMEMBERED_MS = 1000

export default function getHealth({ config, database }: Cradle): PublicHandler<'getHealth'> {
  let isUp: Promise<boolean> = Promise.resolve(false)
  let askedAt = Number.NEGATIVE_INFINITY
  const ask = () => {
    if (performance.now() - askedAt < REMEMBERED_MS) return isUp
    askedAt = performance.now()
    isUp = database.ping().then(
      () => true,
      () => false,
    )
    return isUp
  }
  return async () => {
    if (!(await ask())) {
      return { status: 503, body: { error: 'Service Unavailable', message: 'The database does not answer.' } }
    }
    return {
      status: 200,
      body: {
        status: 'OK',
        service: 'dpp-gateway',
        timestamp: new Date().toISOString(),
        apiVersion: VERSION,
        commit: config.commit,
        builtAt: config.builtAt,
      },
    }
  }
}
