import type { Cradle } from '../cradle.ts'
import type { Handler, Result } from '../http/handler.ts'
import { REPLAYED } from '../storage/idempotency.ts'
import { ownScope, type WriteScope } from '../storage/unit-of-work.ts'

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
      return (await ingest(ownScope(database, principal.tenantId), true)) as Result<'bulkIngestPassports'>
    }
    const { answer, isReplay } = await idempotency.once(
      principal,
      { endpoint: 'bulkIngestPassports', key: headers['idempotency-key'], request: body },
      (scope) => ingest(scope, false),
    )
    return { ...answer, ...(isReplay ? { headers: REPLAYED } : {}) } as Result<'bulkIngestPassports'>
  }
}
