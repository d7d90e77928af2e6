import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function downloadLabels({ labels }: Cradle): Handler<'downloadLabels'> {
  return async ({ path, principal }) => ({ status: 200, ...(await labels.file(principal, path.id)) })
}
