import type { Cradle } from '../container.ts'
import type { Handler } from '../http/handler.ts'

export default function rotateTenantKeys({ issuers, seals }: Cradle): Handler<'rotateTenantKeys'> {
  return async ({ principal }) => {
    await issuers.assertRoomForKey(principal.tenantId)
    const publicKey = await seals.rotateKeys(principal.tenantId)
    return { status: 200, body: { success: true, message: 'The workspace has a new signing key.', publicKey } }
  }
}
