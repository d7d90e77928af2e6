import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function validatePassport({ passportRules }: Cradle): Handler<'validatePassport'> {
  return ({ body, lang }) => ({
    status: 200,
    body: passportRules.validate(body, lang),
  })
}
