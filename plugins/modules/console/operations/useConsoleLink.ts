import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function useConsoleLink({ consoleSite }: Cradle): PublicHandler<'useConsoleLink', operations> {
  return ({ path, ...request }) => consoleSite.act({ ...request, segments: ['sign-in', path.secret] })
}
