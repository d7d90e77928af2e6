import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function publishPassportJourney({ journeys }: Cradle): Handler<'publishPassportJourney', operations> {
  return async ({ path, body, principal }) => ({ status: 200, body: await journeys.publish(principal, path.id, body) })
}
