let last = 0

/** A number that is unique in the test file: for names, GTINs and GLNs. */
export function nextNumber(): number {
  last += 1
  return last
}

/** Restarts at 1. Called in each file, so that names do not depend on the files before. */
export function beginNumbers(): void {
  last = 0
}

/** Reproducible numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
