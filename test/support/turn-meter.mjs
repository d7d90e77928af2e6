// Preloaded into a gateway (`--import`). Measures the processor time of each turn of its event loop; SIGUSR2 prints the longest turn
// since the last signal on standard error.

let longest = 0
let last = process.threadCpuUsage()
let signals = 0

function measure() {
  const now = process.threadCpuUsage()
  longest = Math.max(longest, now.user + now.system - last.user - last.system)
  last = now
  // A turn has one round of immediates, so that this runs once in each.
  setImmediate(measure)
}
setImmediate(measure).unref()

process.on('SIGUSR2', () => {
  signals += 1
  process.stderr.write(`turn ${signals}: ${longest} microseconds\n`)
  longest = 0
})
