import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function rotateTenantKeys({ workspaces }: Cradle): Handler<'rotateTenantKeys'> {
  return async ({ principal }) => {
    const publicKey = await workspaces.rotateKeys(principal)
    return { status: 200, body: { message: 'The workspace has a new signing key.', publicKey } }
  }
}
