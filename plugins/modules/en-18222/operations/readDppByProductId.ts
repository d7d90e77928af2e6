import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDppByProductId({ enReads }: Cradle): PublicHandler<'readDppByProductId', operations> {
  return ({ path, query, ...caller }) => enReads.byProductId(path.productId, formOf(query.representation), caller)
}
