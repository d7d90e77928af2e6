import type { Cradle } from '../../cradle.ts'
import type { IdempotentHandler } from '../../http/handler.ts'

export default function createPassport({ passportIntake }: Cradle): IdempotentHandler<'createPassport'> {
  return async ({ body, principal, lang, scope }) => ({
    status: 201,
    body: await passportIntake.create(principal, body, lang, scope),
  })
}
