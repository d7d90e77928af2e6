import pg from 'pg'
import { loginsIn, logsIn } from './database-roles.ts'

/** Addresses of roles whose former password is no longer accepted. */
const replaced = new Set<string>()

/**
 * Client of a database role. While MASTER_KEY is being replaced, the password of the role can change at any time: each connection first
 * tries the former password.
 */
export class RoleClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const url = typeof config === 'string' ? config : config?.connectionString
    const { now, next } = loginsIn(url ?? '')
    if (url === undefined || next === undefined) return
    const password = async () => {
      if (!replaced.has(url) && !(await logsIn(url, now))) replaced.add(url)
      return replaced.has(url) ? next.password : now.password
    }
    // The password of `connectionString` takes precedence over the option `password`.
    Object.assign(this, { password })
  }
}
