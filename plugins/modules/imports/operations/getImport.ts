import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getImport({ imports }: Cradle): Handler<'getImport', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await imports.find(principal, path.id) })
}
