import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function showConsoleSignIn({ consoleSite }: Cradle): PublicHandler<'showConsoleSignIn', operations> {
  return ({ ...request }) => consoleSite.show({ ...request, segments: ['sign-in'] })
}
