import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function updateDataElement({ enReads, enWrites }: Cradle): Handler<'updateDataElement', operations> {
  return async ({ path: { dppId, elementIdPath }, query, body, ...caller }) => {
    await enWrites.updateElement(caller.principal, dppId, elementIdPath, body, caller.lang)
    if (body === null) return { status: 204 }
    const { rendition } = await enReads.element(dppId, elementIdPath, formOf(query.representation), caller)
    return { status: 200, body: rendition.body, contentType: rendition.contentType }
  }
}
