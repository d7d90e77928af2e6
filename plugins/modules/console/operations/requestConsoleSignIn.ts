import type { PublicHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function requestConsoleSignIn({
  consoleSite,
}: Cradle): PublicHandler<'requestConsoleSignIn', operations> {
  return ({ ...request }) => consoleSite.act({ ...request, segments: ['sign-in'] })
}
