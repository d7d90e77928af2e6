import type { Cradle } from '../../cradle.ts'
import type { IdempotentHandler } from '../../http/handler.ts'

export default function recordBatteryUnitEvents({ unitEvents }: Cradle): IdempotentHandler<'recordBatteryUnitEvents'> {
  return async ({ body, principal, scope, lang }) => ({
    status: 201,
    body: await unitEvents.recordAll(principal, body.events, lang, scope),
  })
}
