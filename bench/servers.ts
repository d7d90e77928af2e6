import type { Bench } from './bench.ts'
import { type Server, startGatewayProcess, startLimit } from './processes.ts'

export class Servers implements Pick<Bench, 'startGateway' | 'startLimit'> {
  readonly #databaseUrl: string
  readonly #flags: readonly string[]
  readonly #areShared: boolean
  #started: Promise<Server>[] = []
  readonly #shared = new Map<string, Promise<Server>>()
  #isStopped = false

  /** @param options `flags` of Node for gateways; `areShared`: cases with the same environment share a gateway */
  constructor(databaseUrl: string, options: { readonly flags: readonly string[]; readonly areShared: boolean }) {
    this.#databaseUrl = databaseUrl
    this.#flags = options.flags
    this.#areShared = options.areShared
  }

  async startGateway(env: Readonly<Record<string, string>> = {}): Promise<Server> {
    this.#assertRuns()
    const start = () => startGatewayProcess(this.#databaseUrl, { env, flags: this.#flags })
    if (!this.#areShared) return this.#keep(start())
    const name = JSON.stringify(env)
    const shared = this.#shared.get(name) ?? start()
    this.#shared.set(name, shared)
    return shared
  }

  async startLimit(name: string, options: object): Promise<Server> {
    this.#assertRuns()
    return this.#keep(startLimit(name, options))
  }

  /** Stops all servers that are not shared. */
  stopCase(): Promise<void> {
    return stopAll(this.#started.splice(0))
  }

  /** Stops all servers; later starts fail. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await stopAll([...this.#started.splice(0), ...this.#shared.values()])
  }

  #assertRuns(): void {
    if (this.#isStopped) throw new Error('The run is ending.')
  }

  #keep(server: Promise<Server>): Promise<Server> {
    this.#started.push(server)
    return server
  }
}

async function stopAll(servers: readonly Promise<Server>[]): Promise<void> {
  for (const server of await Promise.allSettled(servers)) {
    if (server.status === 'fulfilled') await server.value.stop()
  }
}
