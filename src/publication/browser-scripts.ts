import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

declare module '../cradle.ts' {
  interface Cradle {
    browserScripts: ReturnType<typeof browserScripts>
  }
}

/** What runs in the reader's browser, as it is sent; read once. */
export default function browserScripts() {
  return {
    /** Defines `verifySeal` and `verifyCredential`, for a page that contains it. */
    verifier: ['seal.js', 'credential.js'].map((name) => withoutModules(own(name))).join('\n'),
    serviceWorker: own('offline.js'),
    codeReader: codeReader(),
  }
}

const own = (name: string) => readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8')

/** Modules as one script: a page from a file can load no module. They stand in the order in which they import each other. */
const withoutModules = (module: string) =>
  module
    .split('\n')
    .filter((line) => !line.startsWith('import '))
    .map((line) => (line.startsWith('export ') ? line.slice('export '.length) : line))
    .join('\n')

/** The modules of npm's `qr` that read codes, under the names by which they import each other. */
function codeReader(): ReadonlyMap<string, string> {
  const folder = dirname(createRequire(import.meta.url).resolve('qr/decode.js'))
  return new Map(['decode.js', 'index.js'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
