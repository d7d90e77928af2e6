import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCommandLine } from '../../src/command-line.ts'
import { startArguments } from './start-arguments.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Above the size of the contract as JSON. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

interface WatchedProcess {
  readonly process: ChildProcess
  output(): string
  printed(text: string | RegExp): Promise<string>
  /**
   * Sends a signal.
   * @returns the exit code
   */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface GatewayProcess extends WatchedProcess {
  readonly url: string
}

// Below the ephemeral ports, which could be taken before the gateway listens; a range for each process.
const FIRST_PORT = 12_000 + (process.pid % 100) * 200
const PORTS = 200
let nextPort = randomInt(PORTS)

/** A free port that this process has not returned lately. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < PORTS; attempt += 1) {
    const port = FIRST_PORT + (nextPort % PORTS)
    nextPort += 1
    if (await isFree(port)) return port
  }
  throw new Error(`No port from ${FIRST_PORT} on is free.`)
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * Starts a gateway as `npm start` does, with only PATH and HOME of the environment.
 * @param folder working folder; contains the default `DATA_DIR`
 */
export async function startProcess(env: Record<string, string>, folder = ROOT): Promise<GatewayProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const given = { LOG_LEVEL: 'warn', ...env, PORT: String(port) }
  return {
    ...watched(startArguments(folder), given, folder),
    url: `http://localhost:${port}`,
  }
}

/** Starts a command that runs until it is stopped. */
export const startDpp = async (args: readonly string[], env: Record<string, string>): Promise<WatchedProcess> =>
  watched(['src/dpp.js', ...args], env)

function watched(args: readonly string[], env: Record<string, string>, folder = ROOT): WatchedProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  /** Callbacks that wait for output, each with its rejection if the process ends first. */
  const watchers = new Map<() => void, (code: number | null) => void>()
  const add = (chunk: Buffer) => {
    output += chunk.toString()
    for (const watch of watchers.keys()) watch()
  }
  child.stdout.on('data', add)
  child.stderr.on('data', add)
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  exited.then((code) => {
    for (const fail of watchers.values()) fail(code)
  })
  const printed = (text: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const watch = () => {
        if (typeof text === 'string' ? !output.includes(text) : !text.test(output)) return
        watchers.delete(watch)
        resolve(output)
      }
      watchers.set(watch, (code) =>
        reject(new Error(`The process ended with ${code} before it printed ${text}:\n${output}`)),
      )
      watch()
      if (child.exitCode !== null || child.signalCode !== null) watchers.get(watch)?.(child.exitCode)
    })
  return {
    process: child,
    output: () => output,
    printed,
    end: (signal) => {
      child.kill(signal)
      return exited
    },
  }
}

export async function childrenOf(pid: number | undefined): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({
    stdout: '',
  }))
  // Without `ps` itself, for the children of this process.
  return stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0 && isAlive(child))
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the command line in this process, where it is already loaded, with only PATH and HOME of the environment. Use
 * {@link dppProcess} for standard input or binary output.
 */
export async function dpp(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const written: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] }
  const code = await runCommandLine(args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    isTerminal: false,
    print: (text) => written.stdout.push(`${text}\n`),
    tell: (text) => written.stderr.push(`${text}\n`),
  })
  return { code, stdout: written.stdout.join(''), stderr: written.stderr.join('') }
}

/** Runs the command line as a separate process with standard input. */
export async function dppProcess(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const running = promisify(execFile)(process.execPath, ['src/dpp.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  // The process may have closed an input it does not read.
  running.child.stdin?.on('error', () => {}).end(input)
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}

/** Runs a shell command as pasted. */
export async function paste(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout
}
