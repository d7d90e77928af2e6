import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listImports({ imports }: Cradle): Handler<'listImports'> {
  return async ({ principal }) => ({ status: 200, body: await imports.list(principal) })
}
