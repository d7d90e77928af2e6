import type { Cradle } from '../cradle.ts'
import { isUuid } from '../domain/identifiers.ts'
import { assertOperatorScope, type Principal } from '../domain/principal.ts'
import type { Transaction } from '../storage/transaction.ts'
import { noPassport } from './absent.ts'
import type { PassportRow } from './passport-columns.ts'
import { holdPassports, lockPassport, lockPassportsOf, type Master } from './passport-writes.ts'

/** Own passports, or also those of bound operators. */
export type Scope = 'owned' | 'bound'

declare module '../cradle.ts' {
  interface Cradle {
    passportLocks: ReturnType<typeof passportLocks>
  }
}

/** Locks passports, and evicts them from the public cache after the commit. */
export default function passportLocks({ passportRows, publicCache }: Pick<Cradle, 'passportRows' | 'publicCache'>) {
  return { lock, hold: holdPassports, lockAllOf, evict, evictIdentifiers, evictAll }

  /** Locks a passport until the transaction ends. @throws Problem 404 if not visible in this scope, 403 for another operator's */
  async function lock(tx: Transaction, principal: Principal, id: string, scope: Scope): Promise<PassportRow> {
    if (!isUuid(id)) throw noPassport(id)
    // Only a statement after the lock sees the last holder's writes.
    const [locked, row] = await Promise.all([lockPassport(tx, id), passportRows.load(tx, id)])
    const isSeen = scope === 'owned' ? locked?.tenantId === principal.tenantId : locked?.isBound === true
    if (locked === undefined || row === undefined || !isSeen) throw noPassport(id)
    assertOperatorScope(principal, locked.operatorId)
    return row
  }

  /** Locks all passports of changing master data. The database updates them in any order, which could deadlock. */
  function lockAllOf(tx: Transaction, master: Master): void {
    lockPassportsOf(tx, master)
    evictAll(tx)
  }

  function evictAll(tx: Transaction): void {
    tx.afterCommit(() => publicCache.clear())
  }

  function evict(tx: Transaction, rows: readonly PassportRow[]): void {
    for (const { id } of rows) publicCache.evictAfter(tx, [id])
    evictIdentifiers(tx, rows)
  }

  /** Another passport may share the identifiers. */
  function evictIdentifiers(tx: Transaction, rows: readonly PassportRow[]): void {
    const names = rows.flatMap(({ productId, metadata: { gtin, grai } }) => [productId, gtin, grai])
    const texts = names.filter((name) => typeof name === 'string')
    publicCache.evictAfter(tx, texts)
  }
}
