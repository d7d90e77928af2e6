import { readFileSync } from 'node:fs'

// The clock of a process that a test moves: SIGUSR2 has it read from CLOCK_FILE by how many milliseconds it is off. Timers and
// `performance.now` go on as the machine's do.
const RealDate = Date
let offset = 0
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offset)
    else super(...args)
  }
  static now() {
    return RealDate.now() + offset
  }
}
process.on('SIGUSR2', () => {
  offset = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'))
})
