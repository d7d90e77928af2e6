import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deletePassportLink({ links }: Cradle): Handler<'deletePassportLink'> {
  return async ({ path, principal }) => {
    await links.remove(principal, path.id)
    return { status: 200, body: { message: 'The link is removed.' } }
  }
}
