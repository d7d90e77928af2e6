import { AsyncLocalStorage } from 'node:async_hooks'
import type { Json, ModuleTransaction } from '../../../src/plugin/index.ts'
import { type Principal, recordAudit } from '../../../src/plugin/module.ts'
import type { Translate } from './site.ts'

export const STATUS_EXPLAINED = 'passport.status_explained'

interface Given {
  readonly by: Principal
  /** Text, or texts by language. */
  readonly reason: Json
  /** Version of the history that the change makes. */
  readonly version: number
}

const current = new AsyncLocalStorage<Given>()

/** Runs a change of status, whose contract has no reason; `recordReason` records it in the same transaction. */
export const withReason = <T>(given: Given, work: () => Promise<T>): Promise<T> => current.run(given, work)

/** Records the reason of the change in progress, if a person gave one. */
export function recordReason(tx: ModuleTransaction, ids: readonly string[]): void {
  const given = current.getStore()
  if (given === undefined) return
  const { by, reason, version } = given
  for (const id of ids) recordAudit(tx, by, STATUS_EXPLAINED, id, { reason, version })
}

/** Status change that the contract states as a reason (specification 2.1), in the language of the reader. */
export function statusMove(stated: string | null, t: Translate): string | undefined {
  const [, from, to] = /^Status changed: ([A-Z]+) → ([A-Z]+)$/.exec(stated ?? '') ?? []
  return from === undefined ? undefined : `${t(`status.${from}`)} → ${t(`status.${to}`)}`
}
