import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function deleteBatch({ batches }: Cradle): Handler<'deleteBatch', operations> {
  return async ({ path, principal }) => {
    await batches.remove(principal, path.id)
    return { status: 200, body: { message: 'The batch is deleted.' } }
  }
}
