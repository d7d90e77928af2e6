import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function showConsolePart({ consoleSite }: Cradle): PublicHandler<'showConsolePart', operations> {
  return ({ path, ...request }) => consoleSite.show({ ...request, segments: [path.page, path.id, path.part] })
}
