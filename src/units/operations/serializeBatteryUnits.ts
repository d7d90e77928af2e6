import type { Cradle } from '../../cradle.ts'
import type { IdempotentHandler } from '../../http/handler.ts'

export default function serializeBatteryUnits({ units }: Cradle): IdempotentHandler<'serializeBatteryUnits'> {
  return async ({ path, body, principal, lang, scope }) => ({
    status: 201,
    body: await units.serialise(principal, path.passportId, { ...body }, lang, scope),
  })
}
