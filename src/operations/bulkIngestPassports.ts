import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { inOwnTransaction, REPLAYED, type WriteScope } from '../storage/idempotency.ts'

export default function bulkIngestPassports({
  passportIntake,
  idempotency,
  database,
}: Cradle): Handler<'bulkIngestPassports'> {
  return async ({ body, principal, lang, headers }) => {
    const ingest = (scope: WriteScope, preview: boolean) =>
      passportIntake.ingest(principal, body.passports, { lang, preview }, scope)
    if (body.dryRun === true) {
      // A preview is neither captured nor replayed (specification 4.1).
      const preview = await inOwnTransaction(database, principal.tenantId, (scope) => ingest(scope, true))
      return { status: 200, body: preview }
    }
    const { answer, isReplay } = await idempotency.once(
      principal,
      { endpoint: 'bulkIngestPassports', key: headers['idempotency-key'], request: body },
      async (scope) => ({ status: 201 as const, body: await ingest(scope, false) }),
    )
    return { ...answer, ...(isReplay ? { headers: REPLAYED } : {}) }
  }
}
