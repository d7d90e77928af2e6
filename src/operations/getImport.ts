import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getImport({ imports }: Cradle): Handler<'getImport'> {
  return async ({ path, principal }) => ({ status: 200, body: await imports.find(principal, path.id) })
}
