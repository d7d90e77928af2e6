import pg from 'pg'
import { loginsIn, logsIn } from './database-roles.ts'

/** Ways in whose password has been replaced since they were found. */
const replaced = new Set<string>()

/**
 * A connection of a role. While MASTER_KEY is being replaced the role's password may be replaced at any moment, and whoever
 * is at work must get in before and after; then it is asked at each connection whether the password is still that of before.
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
    // An address with a password would win over one that is given beside it.
    Object.assign(this, { password })
  }
}
