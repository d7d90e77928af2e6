import type { Config } from '../start/config.ts'

export interface ConnectionShares {
  readonly app: number
  readonly lookup: number
  readonly jobs: number
  readonly signer: number
  /** Connections of `app` that one workspace may use, so that it does not block the others. */
  readonly workspace: number
}

const LISTENER = 1

/** Divides DATABASE_CONNECTIONS among the workers, and the part of each among its pools: 33 are 16, 10, 4, 2 and the listener. */
export function connectionShares({
  databaseConnections,
  workers,
}: Pick<Config, 'databaseConnections' | 'workers'>): ConnectionShares {
  const total = Math.floor(databaseConnections / workers)
  const jobs = total >= 20 ? 4 : total >= 12 ? 2 : 1
  const signer = total >= 12 ? 2 : 1
  const queries = total - jobs - signer - LISTENER
  const app = Math.round((queries * 16) / 26)
  return { app, lookup: queries - app, jobs, signer, workspace: Math.max(1, Math.floor(app / 2)) }
}
