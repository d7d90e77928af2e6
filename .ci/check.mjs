// Style, generated types, and types with source rules, side by side. Prints the output of each when it ends, and fails if one fails.
import { spawn } from 'node:child_process'

const STEPS = [
  ['biome', 'check', '--error-on-warnings', '.'],
  ['node', '.ci/types.mjs', '--check'],
  ['node', 'test/support/source-rules.ts'],
]

/** Runs a step. @returns its exit code */
function run([program, ...words]) {
  return new Promise((resolve) => {
    const child = spawn(program, words, { shell: process.platform === 'win32' })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => output.push(bytes))
    child.on('error', (error) => output.push(Buffer.from(`${program}: ${error.message}\n`)))
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output))
      resolve(code ?? 1)
    })
  })
}

const codes = await Promise.all(STEPS.map(run))
process.exitCode = codes.find((code) => code !== 0) ?? 0
