// Preloaded into the gateway: reports its memory to the parent process.

const EVERY_MS = 1000

/** Sizes in bytes. */
export type MemoryReport = Pick<NodeJS.MemoryUsage, 'rss' | 'heapUsed' | 'external'>

setInterval(() => {
  const { rss, heapUsed, external } = process.memoryUsage()
  // The parent may have ended.
  process.send?.({ rss, heapUsed, external } satisfies MemoryReport, undefined, undefined, () => {})
}, EVERY_MS).unref()
