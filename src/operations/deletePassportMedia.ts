import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'

export default function deletePassportMedia({ media }: Cradle): Handler<'deletePassportMedia'> {
  return async ({ path, principal }) => {
    await media.remove(principal, path.id, path.mediaId)
    return { status: 200, body: { message: 'The picture or document is deleted.' } }
  }
}
