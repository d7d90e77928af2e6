let last = 0

/** A number that nothing else of the test file has: for names, GTINs and GLNs. */
export function nextNumber(): number {
  last += 1
  return last
}

/** Begins with one again. Each file does, so that its names do not depend on the files before it. */
export function beginNumbers(): void {
  last = 0
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
