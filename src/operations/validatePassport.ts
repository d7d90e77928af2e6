import type { Cradle } from '../container.ts'
import type { Handler } from '../http/handler.ts'
import type { NewPassport } from '../services/passport-intake.ts'

export default function validatePassport({ rules }: Cradle): Handler<'validatePassport'> {
  return ({ body, lang }) => ({
    status: 200,
    body: { success: true, ...rules.validate(body as NewPassport, lang) },
  })
}
