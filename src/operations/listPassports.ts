import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function listPassports({ passports }: Cradle): Handler<'listPassports'> {
  return async ({ query, principal }) => ({
    status: 200,
    body: await passports.list(principal, query),
  })
}
