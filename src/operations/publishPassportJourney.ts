import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function publishPassportJourney({ journeys }: Cradle): Handler<'publishPassportJourney'> {
  return async ({ path, body, principal }) => ({ status: 200, body: await journeys.publish(principal, path.id, body) })
}
