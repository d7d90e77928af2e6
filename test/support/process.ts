import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCommandLine } from '../../src/command-line.ts'
import { startArguments } from './start-arguments.ts'

const ROOT = join(import.meta.dirname, '../..')
/** More than the contract as JSON has. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/** A process, and what it prints. */
interface WatchedProcess {
  readonly process: ChildProcess
  /** Everything printed so far. */
  output(): string
  /** Waits until the output has `text`. */
  printed(text: string | RegExp): Promise<string>
  /** Sends a signal and answers the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** A gateway as its own process. */
export interface GatewayProcess extends WatchedProcess {
  readonly url: string
}

// Below the ports that systems give to connections, which could take one before it is listened on; a range for each process.
const FIRST_PORT = 12_000 + (process.pid % 100) * 200
const PORTS = 200
let nextPort = 0

/** A port that nobody listens on, and that this process has not given out lately. */
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
 * Starts a gateway as `npm start` does. Nothing of the caller's environment but PATH and HOME goes in.
 * @param folder where it is started; a `DATA_DIR` that is not given lies in it
 */
export async function startProcess(env: Record<string, string>, folder = ROOT): Promise<GatewayProcess> {
  const port = Number(env.PORT ?? (await freePort()))
  const given = { LOG_LEVEL: 'warn', ...env, PORT: String(port) }
  return {
    ...watched(startArguments(folder), given, folder),
    url: `http://localhost:${port}`,
  }
}

/** Starts a command that goes on until it is ended. */
export const startDpp = async (args: readonly string[], env: Record<string, string>): Promise<WatchedProcess> =>
  watched(['src/dpp.js', ...args], env)

function watched(args: readonly string[], env: Record<string, string>, folder = ROOT): WatchedProcess {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  /** Callbacks that wait for output, each with the one that fails if the process ends first. */
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

/** What a command ended with, and what it printed. */
interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs the command line in this process, where all of it is loaded already. Nothing of the caller's environment goes in
 * but PATH and HOME. What it reads from standard input, or writes as bytes, takes {@link dppProcess}.
 */
export async function dpp(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const said: Record<'stdout' | 'stderr', string[]> = { stdout: [], stderr: [] }
  const code = await runCommandLine(args, {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    isTerminal: false,
    print: (text) => said.stdout.push(`${text}\n`),
    tell: (text) => said.stderr.push(`${text}\n`),
  })
  return { code, stdout: said.stdout.join(''), stderr: said.stderr.join('') }
}

/** Runs the command line as a process of its own, with what is given to its standard input. */
export async function dppProcess(args: readonly string[], env: Record<string, string>, input = ''): Promise<Ended> {
  const running = promisify(execFile)(process.execPath, ['src/dpp.js', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  // Who does not read it may have closed it.
  running.child.stdin?.on('error', () => {}).end(input)
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: Ended) => ({ code, stdout, stderr }),
  )
}

/** Runs a shell command literally, as a person would paste it. */
export async function paste(command: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
  })
  return stdout
}
