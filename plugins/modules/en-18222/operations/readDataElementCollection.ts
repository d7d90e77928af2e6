import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDataElementCollection({
  enReads,
}: Cradle): PublicHandler<'readDataElementCollection', operations> {
  return ({ path, query, ...caller }) =>
    enReads.collection(path.dppId, path.elementId, formOf(query.representation), caller)
}
