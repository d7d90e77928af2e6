import type { Cradle } from '../container.ts'
import type { Handler } from '../http/handler.ts'
import type { Result } from '../http/handler.ts'

export default function listPassports({ passports }: Cradle): Handler<'listPassports'> {
  return async ({ query, principal }) => ({
    status: 200,
    body: { success: true, ...(await passports.list(principal, query)) },
  }) as Result<'listPassports'>
}
