import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getPassportHistory({ passportHistory }: Cradle): Handler<'getPassportHistory'> {
  return async ({ path, query, principal }) => ({
    status: 200,
    body: await passportHistory.read(principal, path.id, query),
  })
}
