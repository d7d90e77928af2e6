import type { Cradle } from '../../cradle.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function verifySeal({ sealAudit }: Cradle): PublicHandler<'verifySeal'> {
  return async ({ body, countSlowWork }) => ({ status: 200, body: await sealAudit.verify(body, countSlowWork) })
}
