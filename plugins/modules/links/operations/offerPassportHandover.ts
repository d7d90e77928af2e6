import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function offerPassportHandover({ handovers }: Cradle): Handler<'offerPassportHandover', operations> {
  return async ({ path, body, principal }) => ({
    status: 201,
    body: await handovers.offerPassport(principal, path.id, body),
  })
}
