import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function showConsolePage({ consoleSite }: Cradle): PublicHandler<'showConsolePage', operations> {
  return ({ path, ...request }) => consoleSite.show({ ...request, segments: [path.page] })
}
