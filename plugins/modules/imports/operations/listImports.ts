import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function listImports({ imports }: Cradle): Handler<'listImports', operations> {
  return async ({ principal }) => ({ status: 200, body: await imports.list(principal) })
}
