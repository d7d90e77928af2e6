import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function whoami({ workspaces }: Cradle): Handler<'whoami'> {
  return async ({ principal }) => ({
    status: 200,
    body: await workspaces.describe(principal),
  })
}
