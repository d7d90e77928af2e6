import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function declinePassportLink({ links }: Cradle): Handler<'declinePassportLink', operations> {
  return async ({ path, principal }) => {
    await links.decline(principal, path.id)
    return { status: 200, body: { message: 'The link is declined.' } }
  }
}
