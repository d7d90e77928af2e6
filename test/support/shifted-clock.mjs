import { readFileSync } from 'node:fs'

// The clock of a process that a test moves: SIGUSR2 has it read from CLOCK_FILE by how many milliseconds it is off, and by how many
// it is set back each time that somebody looks. Timers and `performance.now` go on as the machine's do.
const RealDate = Date
let offset = 0
let back = 0
const now = () => {
  offset -= back
  return RealDate.now() + offset
}
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now())
    else super(...args)
  }
  static now() {
    return now()
  }
}
process.on('SIGUSR2', () => {
  const [ahead, backEachTime = 0] = readFileSync(process.env.CLOCK_FILE, 'utf8').split(' ')
  offset = Number(ahead)
  back = Number(backEachTime)
})
