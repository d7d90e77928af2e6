import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getPassportJourney({ journeys }: Cradle): Handler<'getPassportJourney'> {
  return async ({ path, principal }) => ({ status: 200, body: await journeys.read(principal, path.id) })
}
