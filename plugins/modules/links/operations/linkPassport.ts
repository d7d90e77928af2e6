import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function linkPassport({ links }: Cradle): Handler<'linkPassport', operations> {
  return async ({ path, body, principal }) => ({ status: 201, body: await links.add(principal, path.id, body) })
}
