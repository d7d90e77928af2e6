import type { Cradle } from '../container.ts'
import type { Handler } from '../http/handler.ts'

export default function rotateTenantKeys({ seals }: Cradle): Handler<'rotateTenantKeys'> {
  return async ({ principal }) => {
    const publicKey = await seals.rotateKeys(principal.tenantId)
    return { status: 200, body: { success: true, message: 'The workspace has a new signing key.', publicKey } }
  }
}
