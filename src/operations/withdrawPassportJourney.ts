import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function withdrawPassportJourney({ journeys }: Cradle): Handler<'withdrawPassportJourney'> {
  return async ({ path, principal }) => {
    await journeys.withdraw(principal, path.id)
    return { status: 200, body: { message: 'The journey is taken off the page.' } }
  }
}
