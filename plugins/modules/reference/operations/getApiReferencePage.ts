import type { PublicHandler } from '../../../../src/plugin/module.ts'
import { answer } from '../answer.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getApiReferencePage({
  apiReference,
}: Cradle): PublicHandler<'getApiReferencePage', operations> {
  return ({ path, headers }) => answer(apiReference, path.page, headers)
}
