import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function acceptHandover({ handovers }: Cradle): Handler<'acceptHandover', operations> {
  return async ({ body, principal }) => ({ status: 201, body: await handovers.accept(principal, body) })
}
