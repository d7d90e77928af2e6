import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

declare module '../cradle.ts' {
  interface Cradle {
    browserScripts: ReturnType<typeof browserScripts>
  }
}

export default function browserScripts() {
  return {
    serviceWorker: own('offline.js'),
    codeReader: codeReader(),
  }
}

const own = (name: string) => readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8')

function codeReader(): ReadonlyMap<string, string> {
  const folder = dirname(createRequire(import.meta.url).resolve('qr/decode.js'))
  return new Map(['decode.js', 'index.js'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
