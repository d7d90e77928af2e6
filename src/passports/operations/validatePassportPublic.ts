import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function validatePassportPublic({ passportRules }: Cradle): Handler<'validatePassportPublic'> {
  return ({ body, lang }) => ({
    status: 200,
    body: passportRules.validate(body, lang),
  })
}
