import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDppVersionByProductIdAndDate({
  enReads,
}: Cradle): PublicHandler<'readDppVersionByProductIdAndDate', operations> {
  return ({ path, query, ...caller }) =>
    enReads.byProductIdAndDate(path.productId, query.date, formOf(query.representation), caller)
}
