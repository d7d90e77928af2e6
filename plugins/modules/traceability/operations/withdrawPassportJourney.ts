import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function withdrawPassportJourney({ journeys }: Cradle): Handler<'withdrawPassportJourney', operations> {
  return async ({ path, principal }) => {
    await journeys.withdraw(principal, path.id)
    return { status: 200, body: { message: 'The journey is removed from the page.' } }
  }
}
