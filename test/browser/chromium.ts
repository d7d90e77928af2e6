import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import { type Browser, type LaunchOptions, chromium as playwright } from 'playwright-core'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// Chromium talks to its maker on its own account; a test that counts requests must hear the page only.
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts a headless Chromium: the system's if there is one, else the one that an npm package carries. */
export async function launchChromium(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path))
  const options = installed === undefined ? await packaged() : { executablePath: installed }
  // Chromium refuses its sandbox to root, which is who runs the tests in a container.
  return playwright.launch({ ...options, args: process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET })
}

async function packaged(): Promise<LaunchOptions> {
  const bin = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')
  const { version } = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8')) as { version: string }
  const home = join(tmpdir(), `dpp-gateway-chromium-${version}`)
  if (!existsSync(home)) await unpack(bin, home)
  const env = { ...process.env } as Record<string, string>
  env.LD_LIBRARY_PATH = [process.env.LD_LIBRARY_PATH, join(home, 'al2023', 'lib')].filter(Boolean).join(':')
  // A container without any font would draw nothing at all.
  if (!existsSync('/etc/fonts')) env.FONTCONFIG_PATH ??= join(home, 'fonts')
  return { executablePath: join(home, 'chromium'), env }
}

// The package unpacks into the temporary folder file by file, and takes a file that exists for complete. Test files
// run side by side, so each unpacks into a folder of its own, and the first to finish gives it the final name.
async function unpack(bin: string, home: string): Promise<void> {
  const outer = process.env.TMPDIR
  const own = mkdtempSync(`${home}-`)
  process.env.TMPDIR = own
  try {
    // Unpacked by the package in a cloud function only: NSS and its kin, which a bare container lacks as well.
    await inflate(join(bin, 'al2023.tar.br'))
    await chromium.executablePath(bin)
  } finally {
    if (outer === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = outer
  }
  try {
    renameSync(own, home)
  } catch (error) {
    rmSync(own, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
