import type { EntityManager } from '@mikro-orm/postgresql'
import type { Database } from '../../src/storage/database.ts'

const TENANT = /(?<=\b(?:where|and) )(?:\w+\.)?tenant_id = (?:\?|\$\d+|app_tenant\(\))/g

/** What named statements run in, see `executeWithParameters`. */
interface Transaction {
  executeQuery(query: { readonly sql: string }): unknown
}

/**
 * Takes the workspace out of every query of the services, as a programmer who forgets it would: what is still hidden is
 * hidden by row-level security. Answers how many queries were weakened, and undoes it when called.
 */
export function withoutOwnFilters(database: Database): (() => void) & { readonly weakened: number } {
  const { forTenant } = database
  let weakened = 0
  const opened = (text: string): string => {
    const open = text.replace(TENANT, (condition) => `(${condition} or true)`)
    if (open !== text) weakened += 1
    return open
  }
  const weakTransaction = (transaction: Transaction): Transaction =>
    new Proxy(transaction, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name === 'executeQuery') {
          return (query: { readonly sql: string }) => target.executeQuery({ ...query, sql: opened(query.sql) })
        }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  const weak = (em: EntityManager): EntityManager =>
    new Proxy(em, {
      get(target, name) {
        const value = Reflect.get(target, name, target)
        if (name === 'execute') {
          return (text: string, ...rest: unknown[]) => {
            return value.call(target, opened(text), ...rest)
          }
        }
        if (name === 'getTransactionContext') {
          const transaction: Transaction | undefined = value.call(target)
          return () => transaction && weakTransaction(transaction)
        }
        if (name === 'transactional') {
          return (work: (tx: EntityManager) => unknown, ...rest: unknown[]) =>
            value.call(target, (tx: EntityManager) => work(weak(tx)), ...rest)
        }
        if (name === 'find' || name === 'findOne' || name === 'count') {
          return (entity: unknown, where: Record<string, unknown>, ...rest: unknown[]) => {
            const { tenantId, ...others } = where
            if (tenantId !== undefined) weakened += 1
            return value.call(target, entity, others, ...rest)
          }
        }
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  database.forTenant = (tenantId) => weak(forTenant.call(database, tenantId))
  const restore = () => {
    database.forTenant = forTenant
  }
  return Object.defineProperty(restore, 'weakened', { get: () => weakened }) as (() => void) & { weakened: number }
}
