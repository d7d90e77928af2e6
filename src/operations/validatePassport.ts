import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import type { NewPassport } from '../services/passport-intake.ts'

export default function validatePassport({ passportRules }: Cradle): Handler<'validatePassport'> {
  return ({ body, lang }) => ({
    status: 200,
    body: { success: true, ...passportRules.validate(body as NewPassport, lang) },
  })
}
