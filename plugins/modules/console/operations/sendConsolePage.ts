import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function sendConsolePage({ consoleSite }: Cradle): PublicHandler<'sendConsolePage', operations> {
  return ({ path, ...request }) => consoleSite.act({ ...request, segments: [path.page] })
}
