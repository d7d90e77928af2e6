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
