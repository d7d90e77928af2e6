import type { Cradle } from '../cradle.ts'
import type { Handler, Result } from '../http/handler.ts'

export default function updatePassportStatus({ passports }: Cradle): Handler<'updatePassportStatus'> {
  return async ({ path, body, principal }) =>
    ({
      status: 200,
      body: { success: true, ...(await passports.setStatus(principal, path.id, body)) },
    }) as Result<'updatePassportStatus'>
}
