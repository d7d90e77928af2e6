import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function getPassport({ passports, resolution }: Cradle): Handler<'getPassport'> {
  return async ({ path, principal, accept, lang, ip }) => {
    const id = await passports.find(principal, path.id, 'bound')
    return resolution.answer(await resolution.byId(id), { principal, accept, lang, ip })
  }
}
