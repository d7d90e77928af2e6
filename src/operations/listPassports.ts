import type { Cradle } from '../cradle.ts'
import type { Handler, Result } from '../http/handler.ts'

export default function listPassports({ passports }: Cradle): Handler<'listPassports'> {
  return async ({ query, principal }) =>
    ({
      status: 200,
      body: { success: true, ...(await passports.list(principal, query)) },
    }) as Result<'listPassports'>
}
