import pg from 'pg'
import { loginsIn, logsIn } from './database-roles.ts'
import { hostsIn, leaveHost, REQUIRED } from './hosts.ts'

/** Addresses of roles whose former password is no longer accepted. */
const replaced = new Set<string>()

/**
 * Client of a database role. While MASTER_KEY is being replaced, the password of the role can change at any time: each connection first
 * tries the former password. If the address lists several servers, it uses the one that connected last; after a failure, later clients
 * use the next.
 */
export class RoleClient extends pg.Client {
  readonly #url: string
  readonly #hosts: ReturnType<typeof hostsIn>

  constructor(config?: string | pg.ClientConfig) {
    const url = (typeof config === 'string' ? config : config?.connectionString) ?? ''
    const hosts = hostsIn(url)
    super(hosts.count === 1 ? config : { ...(typeof config === 'object' && config), connectionString: hosts.url })
    this.#url = url
    this.#hosts = hosts
    // Without a listener, a connection that ends right after it opened ends the process.
    this.on('error', () => {})
    const { now, next } = loginsIn(url)
    if (next === undefined) return
    const password = async () => {
      if (!replaced.has(url) && !(await logsIn(url, now))) replaced.add(url)
      return replaced.has(url) ? next.password : now.password
    }
    // The password of `connectionString` takes precedence over the option `password`.
    Object.assign(this, { password })
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = this.#hosts.count === 1 ? super.connect() : this.#connectToHost()
    if (callback === undefined) return connected as Promise<this>
    connected.then(() => callback(undefined as never), callback)
    return undefined
  }

  async #connectToHost(): Promise<this> {
    try {
      await super.connect()
      const required = REQUIRED[this.#hosts.attributes]
      if (required === undefined) return this
      const [setting, value] = required
      const { rows } = await this.query<{ value: string }>(`select current_setting('${setting}') as value`)
      if (rows[0]?.value === value) return this
      await this.end()
      throw Object.assign(new Error(`The server ${this.host}:${this.port} has ${setting}=${rows[0]?.value}.`), {
        code: READ_ONLY,
      })
    } catch (error) {
      leaveHost(this.#hosts, this.#url)
      throw error
    }
  }
}

/** SQLSTATE read_only_sql_transaction, a transient error. */
const READ_ONLY = '25006'
