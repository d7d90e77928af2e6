import { runCommandLine } from './command-line.ts'

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  print: (text) => console.log(text),
  tell: (text) => console.error(text),
})
