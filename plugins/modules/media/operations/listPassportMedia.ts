import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function listPassportMedia({ media }: Cradle): Handler<'listPassportMedia', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await media.list(principal, path.id) })
}
