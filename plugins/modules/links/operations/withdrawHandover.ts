import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function withdrawHandover({ handovers }: Cradle): Handler<'withdrawHandover', operations> {
  return async ({ path, principal }) => {
    await handovers.withdraw(principal, path.id)
    return { status: 200, body: { message: 'The offer is withdrawn.' } }
  }
}
