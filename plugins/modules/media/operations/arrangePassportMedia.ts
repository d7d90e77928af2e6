import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function arrangePassportMedia({ media }: Cradle): Handler<'arrangePassportMedia', operations> {
  return async ({ path, body, principal }) => ({ status: 200, body: await media.arrange(principal, path.id, body) })
}
