import type { Cradle } from '../cradle.ts'
import type { Handler, Result } from '../http/handler.ts'
import { inOwnTransaction, REPLAYED, type WriteScope } from '../storage/idempotency.ts'

export default function bulkIngestPassports({
  passportIntake,
  idempotency,
  database,
}: Cradle): Handler<'bulkIngestPassports'> {
  return async ({ body, principal, lang, headers }) => {
    const ingest = async (scope: WriteScope, preview: boolean) => ({
      status: preview ? 200 : 201,
      body: { success: true, ...(await passportIntake.ingest(principal, body.passports, { lang, preview }, scope)) },
    })
    if (body.dryRun === true) {
      // A preview is neither captured nor replayed (specification 4.1).
      return (await inOwnTransaction(database, principal.tenantId, (scope) =>
        ingest(scope, true),
      )) as Result<'bulkIngestPassports'>
    }
    const { answer, isReplay } = await idempotency.once(
      principal,
      { endpoint: 'bulkIngestPassports', key: headers['idempotency-key'], request: body },
      (scope) => ingest(scope, false),
    )
    return { ...answer, ...(isReplay ? { headers: REPLAYED } : {}) } as Result<'bulkIngestPassports'>
  }
}
