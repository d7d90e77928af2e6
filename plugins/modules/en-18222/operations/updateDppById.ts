import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function updateDppById({ enReads, enWrites }: Cradle): Handler<'updateDppById', operations> {
  return async ({ path, query, body, ...caller }) => {
    await enWrites.update(caller.principal, path.dppId, body, caller.lang)
    const { rendition } = await enReads.byId(path.dppId, formOf(query.representation), caller)
    return { status: 200, body: rendition.body, contentType: rendition.contentType }
  }
}
