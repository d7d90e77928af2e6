import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getPassportJourney({ journeys }: Cradle): Handler<'getPassportJourney', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await journeys.read(principal, path.id) })
}
