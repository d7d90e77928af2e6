import type { Cradle } from '../container.ts'
import type { Handler } from '../http/handler.ts'
import type { NewPassport } from '../services/passports.ts'

export default function validatePassport({ passports }: Cradle): Handler<'validatePassport'> {
  return ({ body, lang }) => ({
    status: 200,
    body: { success: true, ...passports.validate(body as NewPassport, lang) },
  })
}
