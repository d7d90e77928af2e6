import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../src/root.ts'
import { startArguments } from '../test/support/start-arguments.ts'
import type { LoadReply, Slice, SliceResult } from './load.ts'

/** A server in a process of its own. */
export interface Server {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** What every link in the gateway's answers begins with. */
export const BASE_URL = 'https://dpp.example.test'
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

const STARTS_WITHIN_MS = 60_000
const STOPS_WITHIN_MS = 8000

/** What was started and has not ended. */
const living = new Set<ChildProcess>()
// The last resort: whoever ends in good order has stopped them before.
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL')
})

/** The child, which does not outlive this process. */
export function keepInSight<T extends ChildProcess>(child: T): T {
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}

interface GatewayOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Flags for Node, beside those of `npm start`. */
  readonly flags?: readonly string[]
  /** Is given what the process says of itself, which a module of `flags` may make it do. */
  readonly onMessage?: (message: unknown) => void
}

/** Starts the gateway as `npm start` does, with the rate limits off unless `env` says otherwise, and waits for its health. */
export async function startGatewayProcess(
  databaseUrl: string,
  { env = {}, flags = [], onMessage }: GatewayOptions = {},
): Promise<Server & { readonly secondsToHealth: number }> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, ...startArguments()], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit', onMessage === undefined ? 'ignore' : 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      MASTER_KEY,
      BASE_URL,
      PORT: String(port),
      RATE_LIMITS: 'off',
      // Gateways on one database share its deliveries: each must be able to make those of the case about webhooks.
      WEBHOOK_ALLOW_PRIVATE: 'on',
      LOG_LEVEL: 'warn',
      DEMO: 'off',
      ...env,
    },
  })
  keepInSight(child)
  if (onMessage !== undefined) child.on('message', onMessage)
  const stop = () => end(child)
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The gateway ended with ${child.exitCode ?? child.signalCode}.`)
    if (performance.now() - started > STARTS_WITHIN_MS) {
      await stop()
      throw new Error('The gateway did not become healthy.')
    }
    await sleep(10)
  }
  return { pid: pidOf(child), port, stop, secondsToHealth: (performance.now() - started) / 1000 }
}

/** Starts a server of `bench/limits`, each of which is the least that could give the same answers. */
export async function startLimit(name: string, options: object): Promise<Server> {
  const file = join(import.meta.dirname, 'limits', `${name}.ts`)
  const child = keepInSight(fork(file, { serialization: 'advanced', cwd: ROOT }))
  child.send(options)
  const { port } = await reply<{ port: number }>(child, STARTS_WITHIN_MS)
  return { pid: pidOf(child), port, stop: () => end(child) }
}

/** The load generator. */
export class Load {
  readonly #child: ChildProcess
  #counter = 0

  constructor() {
    this.#child = keepInSight(fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' }))
  }

  /** Runs one slice; the counter goes on where the last slice left off. */
  async run(slice: Omit<Slice, 'counter' | 'first'> & { readonly first?: number }): Promise<SliceResult> {
    this.#child.send({ first: 0, ...slice, counter: this.#counter } satisfies Slice)
    const answer = await reply<LoadReply>(this.#child, slice.seconds * 1000 + 60_000)
    if ('error' in answer) throw new Error(`Under load: ${answer.error}`)
    this.#counter += answer.result.requests + slice.connections
    return answer.result
  }

  stop(): Promise<void> {
    return end(this.#child)
  }
}

/** CPU seconds that a process has used, user and system, all its threads; undefined where the system does not say. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

/** Resident memory of a process in MB; undefined where the system does not say. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
  } catch {
    return undefined
  }
}

function reply<T>(child: ChildProcess, withinMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage)
      child.off('exit', onExit)
      act()
    }
    const onMessage = (message: unknown) => settle(() => resolve(message as T))
    const onExit = (code: number | null) => settle(() => reject(new Error(`A child process ended with code ${code}.`)))
    const timer = setTimeout(() => settle(() => reject(new Error('A child process does not answer.'))), withinMs)
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('A process could not be started.')
  return child.pid
}

/** Asks a process to stop, then makes it. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const impatient = setTimeout(() => child.kill('SIGKILL'), STOPS_WITHIN_MS)
  await gone
  clearTimeout(impatient)
}

function isHealthy(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/health', agent: false, timeout: 2000 }, (res) => {
      res.resume()
      resolve(res.statusCode === 200)
    })
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false))
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
