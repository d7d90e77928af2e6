import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function acceptPassportLink({ links }: Cradle): Handler<'acceptPassportLink', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await links.accept(principal, path.id) })
}
