// Preloaded into a gateway (`--import`). Measures the processor time of each event-loop tick; SIGUSR2 prints the
// longest tick since the last signal on standard error.

let longest = 0
let last = process.threadCpuUsage()
let signals = 0

function measure() {
  const now = process.threadCpuUsage()
  longest = Math.max(longest, now.user + now.system - last.user - last.system)
  last = now
  // Runs once per tick, in its one round of immediates.
  setImmediate(measure)
}
setImmediate(measure).unref()

process.on('SIGUSR2', () => {
  signals += 1
  process.stderr.write(`turn ${signals}: ${longest} microseconds\n`)
  longest = 0
})
