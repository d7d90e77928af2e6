/** Minimum processor time of five runs in milliseconds: other work may interfere, and the first run compiles. */
export function leastProcessorTime(work: () => unknown): number {
  const once = () => {
    const start = process.threadCpuUsage()
    work()
    return process.threadCpuUsage(start).user / 1000
  }
  return Math.min(...Array.from({ length: 5 }, once))
}
