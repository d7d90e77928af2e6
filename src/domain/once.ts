/** `make`, called when its result is first asked for, and not again; what it throws is thrown by each call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
