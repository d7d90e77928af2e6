import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function listAuditLog({ auditTrail }: Cradle): Handler<'listAuditLog'> {
  return async ({ principal, query }) => ({ status: 200, body: await auditTrail.log(principal, query) })
}
