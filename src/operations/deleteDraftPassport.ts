import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deleteDraftPassport({ passports }: Cradle): Handler<'deleteDraftPassport'> {
  return async ({ path, principal }) => {
    await passports.deleteDraft(principal, path.id)
    return { status: 200, body: { message: 'The draft is deleted.' } }
  }
}
