import type { PublicHandler } from '../../../../src/plugin/module.ts'
import { answer } from '../answer.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getApiReference({ apiReference }: Cradle): PublicHandler<'getApiReference', operations> {
  return ({ headers }) => answer(apiReference, '', headers)
}
