import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { formOf } from '../representations.ts'

export default function readDppById({ enReads }: Cradle): PublicHandler<'readDppById', operations> {
  return ({ path, query, ...caller }) => enReads.byId(path.dppId, formOf(query.representation), caller)
}
