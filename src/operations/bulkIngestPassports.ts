import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { REPLAYED } from '../storage/idempotency.ts'
import { ownScope, type WriteScope } from '../storage/unit-of-work.ts'

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
      return { status: 200, body: await ingest(ownScope(database, principal.tenantId), true) }
    }
    const { answer, isReplay } = await idempotency.once(
      principal,
      { endpoint: 'bulkIngestPassports', key: headers['idempotency-key'], request: body },
      async (scope) => ({ status: 201 as const, body: await ingest(scope, false) }),
    )
    return { ...answer, ...(isReplay ? { headers: REPLAYED } : {}) }
  }
}
