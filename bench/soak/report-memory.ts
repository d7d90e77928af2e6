// Loaded into the gateway before its own code: tells the process that started it how much memory it has.

const EVERY_MS = 1000

/** What is told, in bytes. */
export type MemoryReport = Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed' | 'external'>

setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage()
  // Whoever listened may be gone.
  process.send?.({ rss, heapUsed, external } satisfies MemoryReport, undefined, undefined, () => {})
}, EVERY_MS).unref()
