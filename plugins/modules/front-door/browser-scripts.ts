import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const reader = dirname(createRequire(import.meta.url).resolve('qr/decode.js'))

export const CODE_READER: ReadonlyMap<string, string> = new Map(
  ['decode.js', 'index.js'].map((name) => [name, readFileSync(join(reader, name), 'utf8')]),
)

export const SERVICE_WORKER = readFileSync(new URL('browser/offline.js', import.meta.url), 'utf8')
