import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function listPassportLinks({ links }: Cradle): Handler<'listPassportLinks', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await links.list(principal, path.id) })
}
