import type { Cradle } from '../../cradle.ts'
import { readIfMatch } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function deleteDraftPassport({ passports }: Cradle): Handler<'deleteDraftPassport'> {
  return async ({ path, headers, principal }) => {
    await passports.deleteDraft(principal, path.id, readIfMatch(headers['if-match']))
    return { status: 200, body: { message: 'The draft is deleted.' } }
  }
}
