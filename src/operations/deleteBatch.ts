import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deleteBatch({ batches }: Cradle): Handler<'deleteBatch'> {
  return async ({ path, principal }) => {
    await batches.remove(principal, path.id)
    return { status: 200, body: { message: 'The batch is deleted.' } }
  }
}
