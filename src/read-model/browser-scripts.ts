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
    verifier: ['seal.js', 'credential.js'].map((name) => withoutModules(own(name))).join('\n'),
    serviceWorker: own('offline.js'),
    codeReader: codeReader(),
  }
}

const own = (name: string) => readFileSync(new URL(`../browser/${name}`, import.meta.url), 'utf8')

/** A page opened from a file cannot load modules. Modules must be in import order. */
function withoutModules(module: string): string {
  const lines: string[] = []
  let isImport = false
  for (const line of module.split('\n').map((one) => one.trim())) {
    isImport ||= line.startsWith('import ')
    if (!isImport && line !== '' && !isComment(line))
      lines.push(line.startsWith('export ') ? line.slice('export '.length) : line)
    if (isImport && line.includes(" from '")) isImport = false
  }
  return lines.join('\n')
}

const isComment = (line: string) => ['//', '/*', '* ', '*/'].some((mark) => line.startsWith(mark))

function codeReader(): ReadonlyMap<string, string> {
  const folder = dirname(createRequire(import.meta.url).resolve('qr/decode.js'))
  return new Map(['decode.js', 'index.js'].map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}
