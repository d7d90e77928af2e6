import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDataElement({ enReads }: Cradle): PublicHandler<'readDataElement', operations> {
  return ({ path, query, ...caller }) =>
    enReads.element(path.dppId, path.elementIdPath, formOf(query.representation), caller)
}
