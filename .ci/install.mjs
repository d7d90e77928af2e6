// Installs the packages of the lockfile: `start` those of the gateway, `test` also those of tests. Runs on Node.js 18
// and later; if older than 24, installs Node 24 from npm in .ci/node.
import { spawn } from 'node:child_process'
import { existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'

const NODE_MAJOR = 24
const NODE_FOLDER = join('.ci', 'node')
const PROGRESS_MS = 5000
const isWindows = process.platform === 'win32'
/** A package that only tests need. */
const OF_TESTS = 'node_modules/vitest'

const [purpose] = process.argv.slice(2)
if (purpose !== 'start' && purpose !== 'test') {
  console.error('Usage: node .ci/install.mjs start|test')
  process.exit(2)
}

const isCurrent = isInstalled('.')
if (purpose === 'start' && !isCurrent) {
  // Optional peers include the TypeScript compiler, which nothing loads at run time.
  await npm('Installing the packages of the gateway', ['ci', '--omit=dev', '--legacy-peer-deps'])
}
if (purpose === 'test' && !(isCurrent && existsSync(OF_TESTS))) {
  // `npm ci` would remove the packages of a gateway that runs in another terminal.
  await npm('Installing the packages of the gateway and of its tests', isCurrent ? ['install', '--no-save'] : ['ci'])
}
// On a later call `node` may already be the one in this checkout, whose link `npm ci` has removed.
const isProvided = process.execPath.startsWith(resolve('.') + sep)
if (isProvided || Number(process.versions.node.split('.')[0]) < NODE_MAJOR) await provideNode()

/** True if `node_modules` in the folder is complete and not older than the lockfile. */
function isInstalled(folder) {
  const [installed, locked] = ['node_modules/.package-lock.json', 'package-lock.json'].map((file) => join(folder, file))
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs
}

/** Makes `node` in scripts of package.json mean Node 24. */
async function provideNode() {
  if (!isInstalled(NODE_FOLDER)) {
    await npm(`Installing Node ${NODE_MAJOR}, because this machine has ${process.version}`, ['ci'], NODE_FOLDER)
  }
  const program = join(NODE_FOLDER, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
  const link = join('node_modules', '.bin', isWindows ? 'node.cmd' : 'node')
  if (existsSync(link)) return
  rmSync(link, { force: true })
  if (isWindows) writeFileSync(link, `@"%~dp0..\\..\\${program}" %*\r\n`)
  else symlinkSync(join('..', '..', program), link)
}

/** Runs npm and ends the process if it fails. */
async function npm(what, words, cwd = '.') {
  console.log(`${what} (npm ${words.join(' ')}) …`)
  const startedAt = Date.now()
  // In a terminal npm shows its own progress.
  const progress = process.stdout.isTTY
    ? undefined
    : setInterval(() => console.log(`… ${Math.round((Date.now() - startedAt) / 1000)} s`), PROGRESS_MS)
  const child = spawn('npm', [...words, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd,
    stdio: 'inherit',
    shell: isWindows,
  })
  const status = await new Promise((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', resolve)
  })
  clearInterval(progress)
  if (status !== 0) process.exit(status ?? 1)
}
