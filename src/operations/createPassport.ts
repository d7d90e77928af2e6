import type { Cradle } from '../container.ts'
import type { Handler, Result } from '../http/handler.ts'
import type { NewPassport } from '../services/passports.ts'

export default function createPassport({ passports }: Cradle): Handler<'createPassport'> {
  return async ({ body, principal, lang }) => {
    const created = await passports.create(principal, body as NewPassport, lang)
    return { status: 201, body: { success: true, ...created } } as Result<'createPassport'>
  }
}
