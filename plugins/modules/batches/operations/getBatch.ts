import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getBatch({ batches }: Cradle): Handler<'getBatch', operations> {
  return async ({ path, principal }) => ({
    status: 200,
    body: JSON.stringify(await batches.read(principal, path.id)),
    contentType: 'application/ld+json',
  })
}
