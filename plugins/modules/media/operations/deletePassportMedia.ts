import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function deletePassportMedia({ media }: Cradle): Handler<'deletePassportMedia', operations> {
  return async ({ path, principal }) => {
    await media.remove(principal, path.id, path.mediaId)
    return { status: 200, body: { message: 'The picture or document is deleted.' } }
  }
}
