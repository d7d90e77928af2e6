import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function sealPassport({ seals }: Cradle): Handler<'sealPassport'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: await seals.seal(principal, path.id),
  })
}
