import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listFacilities({ facilities }: Cradle): Handler<'listFacilities'> {
  return async ({ principal }) => {
    const list = await facilities.list(principal)
    return { status: 200, body: { count: list.length, facilities: list } }
  }
}
