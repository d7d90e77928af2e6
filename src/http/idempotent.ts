import type { Cradle } from '../cradle.ts'
import { Problem } from '../domain/problem.ts'
import { ownScope } from '../storage/unit-of-work.ts'
import type { OperationHandler } from './handler.ts'

/** Marks a replay (specification 4.1). */
const REPLAYED: Readonly<Record<string, string>> = { 'idempotent-replayed': 'true' }

/**
 * Passes a write scope to handlers with `x-idempotent`. With an `Idempotency-Key`, writes and response are one transaction, and the same
 * key replays the response.
 */
export function idempotent(
  { contract, database, idempotency }: Cradle,
  handlers: ReadonlyMap<string, OperationHandler>,
): ReadonlyMap<string, OperationHandler> {
  const isIdempotent = (id: string) => contract.operations.get(id)?.isIdempotent === true
  return new Map([...handlers].map(([id, handler]) => [id, isIdempotent(id) ? once(id, handler) : handler]))

  function once(operationId: string, handler: OperationHandler): OperationHandler {
    return async (request) => {
      const { principal, headers, body, path } = request
      const key: string | undefined = headers['idempotency-key']
      // Previews are not captured (specification 4.1).
      if (key === undefined || body.dryRun === true) {
        return handler({ ...request, scope: ownScope(database, principal.tenantId) })
      }
      // The key applies to one operation on one resource.
      const endpoint = [operationId, ...Object.values(path)].join(' ')
      const { outcome, isReplay } = await idempotency.once(principal, { endpoint, key, request: body }, (scope) =>
        handler({ ...request, scope }),
      )
      const replayed = isReplay ? REPLAYED : {}
      if ('answer' in outcome) {
        return { ...outcome.answer, headers: { ...outcome.answer.headers, ...replayed } }
      }
      const { status, message, fields } = outcome.refusal
      throw new Problem(status, message, { ...fields, headers: { ...fields.headers, ...replayed } })
    }
  }
}
