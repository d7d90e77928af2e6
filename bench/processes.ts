import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../src/root.ts'
import { startArguments } from '../test/support/start-arguments.ts'
import type { LoadReply, LoadTask, Probe, ProbeResult, Slice, SliceResult } from './load.ts'

/** Server in a separate process. */
export interface Server {
  readonly pid: number
  readonly port: number
  stop(): Promise<void>
}

/** Base of every link in the gateway's responses. */
export const BASE_URL = 'https://dpp.example.test'
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

const STARTS_WITHIN_MS = 60_000
const STOPS_WITHIN_MS = 8000
const LOADS_WITHIN_MS = 120_000

const running = new Set<ChildProcess>()
// Empty after an orderly end.
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Makes the child end with this process. */
export function keepInSight<T extends ChildProcess>(child: T): T {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

interface GatewayOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Flags for Node, in addition to those of `npm start`. */
  readonly flags?: readonly string[]
  /** Receives messages of the process, which a module in `flags` may send. */
  readonly onMessage?: (message: unknown) => void
}

/** Starts the gateway as `npm start` does, without rate limits unless `env` sets them, and waits until `/health` returns 200. */
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
      // Gateways on one database share its deliveries; the receiver of the webhook case is on loopback.
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
      throw new Error(`The gateway exited with ${child.exitCode ?? child.signalCode}.`)
    if (performance.now() - started > STARTS_WITHIN_MS) {
      await stop()
      throw new Error('The gateway did not become healthy.')
    }
    await sleep(10)
  }
  return { pid: pidOf(child), port, stop, secondsToHealth: (performance.now() - started) / 1000 }
}

/** Starts a server of `bench/limits`: the least work for the same responses. */
export async function startLimit(name: string, options: object): Promise<Server> {
  const file = join(import.meta.dirname, 'limits', `${name}.ts`)
  const child = keepInSight(fork(file, { serialization: 'advanced', cwd: ROOT }))
  child.send(options)
  const { port } = await reply<{ port: number }>(child, STARTS_WITHIN_MS)
  return { pid: pidOf(child), port, stop: () => end(child) }
}

/** Load generator in a separate process. */
export class Load {
  readonly #child: ChildProcess

  constructor() {
    this.#child = keepInSight(fork(join(import.meta.dirname, 'load.ts'), { serialization: 'advanced' }))
  }

  /** @throws Error for connection errors and for responses with another status */
  run(slice: Omit<Slice, 'first'> & { readonly first?: number }): Promise<SliceResult> {
    return this.#send({ slice: { first: 0, ...slice } })
  }

  /** @throws Error for connection errors and for responses with another status */
  probe(probe: Probe): Promise<ProbeResult> {
    return this.#send({ probe })
  }

  stop(): Promise<void> {
    return end(this.#child)
  }

  async #send<Result extends SliceResult | ProbeResult>(task: LoadTask): Promise<Result> {
    this.#child.send(task)
    const answer = await reply<LoadReply>(this.#child, LOADS_WITHIN_MS)
    if ('error' in answer) throw new Error(`Under load: ${answer.error}`)
    return answer.result as Result
  }
}

/** Returns the processor time of a process in seconds, user and system; undefined if unknown. */
export function cpuSeconds(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return undefined
  }
}

/** Returns the resident memory of a process in MiB; undefined if unknown. */
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
    const onExit = (code: number | null) => settle(() => reject(new Error(`A child process exited with code ${code}.`)))
    const timer = setTimeout(() => settle(() => reject(new Error('A child process did not respond.'))), withinMs)
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('A process could not be started.')
  return child.pid
}

/** Sends SIGTERM, and SIGKILL if the process does not exit in time. */
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
