#!/usr/bin/env node
// Starts the command line from the sources, or from `dist` where only the published package is.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

const source = new URL('./cli.ts', import.meta.url)
const built = new URL('../dist/src/cli.js', import.meta.url)
const program = fileURLToPath(existsSync(source) ? source : built)

if (Number(process.versions.node.split('.')[0]) >= 24) {
  // As `main.js` does. An older Node, which only says that it is too old, does not know it.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))
  await import(program)
} else {
  // `npm start` and `npm test` install Node 24 for an older machine (.ci/install.mjs).
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(`dpp needs Node 24 or newer; this is ${process.version}.`)
    process.exit(1)
  }
  process.exit(spawnSync(own, [program, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1)
}
