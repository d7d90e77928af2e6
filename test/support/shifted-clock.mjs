import { readFileSync } from 'node:fs'

// Shifts the clock of a process: on SIGUSR2 reads from CLOCK_FILE its offset and the step back per read, in
// milliseconds. Timers and `performance.now` are unaffected.
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
