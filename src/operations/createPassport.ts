import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { REPLAYED } from '../storage/idempotency.ts'

export default function createPassport({ passportIntake, idempotency }: Cradle): Handler<'createPassport'> {
  return async ({ body, principal, lang, headers }) => {
    const { answer, isReplay } = await idempotency.once(
      principal,
      { endpoint: 'createPassport', key: headers['idempotency-key'], request: body },
      async (scope) => ({
        status: 201 as const,
        body: await passportIntake.create(principal, body, lang, scope),
      }),
    )
    return { ...answer, ...(isReplay ? { headers: REPLAYED } : {}) }
  }
}
