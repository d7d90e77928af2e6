import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getBatch({ batches }: Cradle): Handler<'getBatch'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: JSON.stringify(await batches.read(principal, path.id)),
    contentType: 'application/ld+json',
  })
}
