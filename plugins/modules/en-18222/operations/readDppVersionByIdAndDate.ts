import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDppVersionByIdAndDate({
  enReads,
}: Cradle): PublicHandler<'readDppVersionByIdAndDate', operations> {
  return ({ path, query, ...caller }) =>
    enReads.byIdAndDate(path.dppId, query.date, formOf(query.representation), caller)
}
