import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getLabelJob({ labels }: Cradle): Handler<'getLabelJob'> {
  return async ({ path, principal }) => ({ status: 200, body: await labels.job(principal, path.id) })
}
