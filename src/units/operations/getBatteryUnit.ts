import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function getBatteryUnit({ units }: Cradle): Handler<'getBatteryUnit'> {
  return async ({ path, principal }) => ({
    status: 200,
    body: JSON.stringify(await units.read(principal, path.id)),
    contentType: 'application/ld+json',
  })
}
