import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function restoreOperator({ operators }: Cradle): Handler<'restoreOperator'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: { restoredPassports: await operators.restore(principal, path.id) },
  })
}
