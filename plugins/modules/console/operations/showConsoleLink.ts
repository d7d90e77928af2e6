import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function showConsoleLink({ consoleSite }: Cradle): PublicHandler<'showConsoleLink', operations> {
  return ({ path, ...request }) => consoleSite.show({ ...request, segments: ['sign-in', path.secret] })
}
