import type { Cradle } from '../cradle.ts'
import { Problem } from '../domain/problem.ts'
import { ownScope } from '../storage/unit-of-work.ts'
import type { OperationHandler } from './handler.ts'

/** The header that tells a replay (specification 4.1). */
const REPLAYED: Readonly<Record<string, string>> = { 'idempotent-replayed': 'true' }

/**
 * The stage around handlers of operations with `x-idempotent`: each is given the scope to write in. Where the caller sent
 * an `Idempotency-Key`, what it writes and what it answers are one transaction, and the same key gets the same answer.
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
      // A preview is neither captured nor replayed (specification 4.1).
      if (key === undefined || body.dryRun === true) {
        return handler({ ...request, scope: ownScope(database, principal.tenantId) })
      }
      // The same operation on something else is another endpoint.
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
