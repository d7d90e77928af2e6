import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium, { inflate } from '@sparticuz/chromium'
import { type Browser, type LaunchOptions, chromium as playwright } from 'playwright-core'
import { afterAll } from 'vitest'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

// Suppresses Chromium's own requests, so that only the page's are counted.
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let shared: Promise<Browser> | undefined

/**
 * The Chromium of this process, shared by its test files: each start takes 2 s of processor time. Closes the contexts of
 * the file after its last test.
 */
export async function useChromium(): Promise<Browser> {
  if ((await shared)?.isConnected() !== true) shared = launchChromium()
  const browser = (await shared) as Browser
  afterAll(() => Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** Starts a headless Chromium: the system's, or else that of an npm package. */
export async function launchChromium(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path))
  const options = installed === undefined ? await packaged() : { executablePath: installed }
  // Chromium rejects its sandbox as root, the user of containers.
  return playwright.launch({ ...options, args: process.getuid?.() === 0 ? ['--no-sandbox', ...QUIET] : QUIET })
}

async function packaged(): Promise<LaunchOptions> {
  const bin = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')
  const { version } = JSON.parse(readFileSync(join(bin, '..', 'package.json'), 'utf8')) as { version: string }
  const home = join(tmpdir(), `dpp-gateway-chromium-${version}`)
  if (!existsSync(home)) await unpack(bin, home)
  const env = { ...process.env } as Record<string, string>
  env.LD_LIBRARY_PATH = [process.env.LD_LIBRARY_PATH, join(home, 'al2023', 'lib')].filter(Boolean).join(':')
  // Without any font nothing is drawn.
  if (!existsSync('/etc/fonts')) env.FONTCONFIG_PATH ??= join(home, 'fonts')
  return { executablePath: join(home, 'chromium'), env }
}

// The package unpacks file by file into the temporary folder and takes an existing file for complete. Test files run
// concurrently, so each unpacks into its own folder, and the first to finish renames it.
async function unpack(bin: string, home: string): Promise<void> {
  const outer = process.env.TMPDIR
  const own = mkdtempSync(`${home}-`)
  process.env.TMPDIR = own
  try {
    // The package unpacks these libraries (NSS and others) only in a cloud function; a bare container lacks them too.
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
