// Processes of the cluster: each is started once, writes a log, and is ended by its own id.
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A loaded machine takes ten times as long as an idle one. */
const READY_WITHIN_MS = 300_000
const PROGRESS_MS = 5000
const STOPS_WITHIN_MS = 15_000

/** Different for a later process with the same id. */
const startOf = (pid) => {
  try {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

export const identify = (pid) => ({ pid, start: startOf(pid) })
export const isRunning = (one) => one !== undefined && one.start !== undefined && startOf(one.pid) === one.start

/** Starts a service that outlives this process. */
export function launch({ command, env, user, folder, cwd, name }) {
  const log = openSync(join(folder, 'logs', `${name}.log`), 'a')
  const [program, ...words] = command
  const child = spawn(program, words, {
    cwd,
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...env },
    ...user,
  })
  child.on('error', () => {})
  child.unref()
  if (child.pid === undefined) throw new Error(`${program} is not installed.`)
  return identify(child.pid)
}

export function signal(one, name) {
  if (isRunning(one)) process.kill(one.pid, name)
}

/** Ends a process; kills it if it does not stop in time. */
export async function end(one) {
  signal(one, 'SIGTERM')
  for (const until = Date.now() + STOPS_WITHIN_MS; isRunning(one) && Date.now() < until; ) await sleep(50)
  signal(one, 'SIGKILL')
}

/** Waits until `isReady` returns true, with progress. @throws if it takes too long or `failure` returns a text */
export async function until(what, isReady, failure = () => undefined) {
  const began = Date.now()
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1)
  const progress = setInterval(() => console.log(`  … ${what}, ${seconds()} s`), PROGRESS_MS)
  try {
    while (!(await isReady().catch(() => false))) {
      const failed = failure() ?? (Date.now() - began > READY_WITHIN_MS ? `not after ${seconds()} s` : undefined)
      if (failed !== undefined) throw new Error(`${what}: ${failed}`)
      await sleep(100)
    }
  } finally {
    clearInterval(progress)
  }
  return seconds()
}

export const lastLines = (folder, name) =>
  readFileSync(join(folder, 'logs', `${name}.log`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(-8)
    .join('\n')

/** Runs a command to its end. @throws with its output if it fails */
export async function run(command, { env = {}, user = {}, folder, input, isShown = false } = {}) {
  const [program, ...words] = command
  const child = spawn(program, words, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, LANG: 'C.UTF-8', ...env },
    stdio: [input === undefined ? 'ignore' : 'pipe', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
    ...user,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  child.stdin?.end(input)
  const code = await new Promise((resolve, reject) => {
    child.once('error', () => reject(new Error(`${program} is not installed.`)))
    child.once('close', resolve)
  })
  if (code !== 0) throw Object.assign(new Error(`${program} failed with code ${code}.\n${output.trimEnd()}`), { code })
  return output.trim()
}

const isFree = (port) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/** Free ports by name, below those that the kernel gives to clients. */
export async function freePorts(names) {
  let port = 14_000 + Math.floor(Math.random() * 17_000)
  const ports = {}
  for (const name of names) {
    do port += 1
    while (!(await isFree(port)))
    ports[name] = port
  }
  return ports
}

/** Creates folders that only their user may enter. */
export function makeFolder(path, user = {}, mode = 0o700) {
  mkdirSync(path, { recursive: true, mode })
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}

export function writeFor(path, text, user = {}) {
  writeFileSync(path, text, { mode: 0o600 })
  if (user.uid !== undefined) chownSync(path, user.uid, user.gid)
}
