import type { Cradle } from '../../cradle.ts'
import { tagOf, versionOf } from '../../domain/precondition.ts'
import type { Handler } from '../../http/handler.ts'

export default function getFacility({ facilities }: Cradle): Handler<'getFacility'> {
  return async ({ path, principal }) => {
    const facility = await facilities.get(principal, path.id)
    return { status: 200, headers: { ETag: tagOf(versionOf(facility)) }, body: { facility } }
  }
}
