import { createRequire } from 'node:module'

/**
 * express-openapi-validator 5.6.2 compiles the pattern of every route again on each request
 * (middlewares/openapi.metadata.js, `lookupRoute`), which is half of its cost. This keeps the compiled patterns. They
 * depend on the route and the options alone, and routes come from the contract, so the store is bounded by it.
 * @throws Error when the library no longer has the shape that this relies on
 */
export function memoiseRouteLookup(): void {
  const fromValidator = createRequire(createRequire(import.meta.url).resolve('express-openapi-validator'))
  const library = fromValidator('path-to-regexp')
  const compile = library.pathToRegexp
  if (compile?.isMemoised) return
  const sample = typeof compile === 'function' ? compile('/a/:b', { sensitive: true, strict: true }) : undefined
  if (!(sample?.regexp instanceof RegExp) || sample.regexp.global || sample.keys?.[0]?.name !== 'b') {
    throw new Error('express-openapi-validator finds routes in a new way; review src/http/validator-shim.ts.')
  }
  const compiled = new Map<string, unknown>()
  const memoised = (path: unknown, options: unknown) => {
    const { sensitive, strict } = (options ?? {}) as { sensitive?: boolean; strict?: boolean }
    if (typeof path !== 'string' || Object.keys(options ?? {}).some((key) => key !== 'sensitive' && key !== 'strict')) {
      return compile(path, options)
    }
    const key = `${sensitive} ${strict} ${path}`
    let result = compiled.get(key)
    if (result === undefined) {
      result = compile(path, options)
      if (compiled.size < 10_000) compiled.set(key, result)
    }
    return result
  }
  memoised.isMemoised = true
  library.pathToRegexp = memoised
  if (fromValidator('path-to-regexp').pathToRegexp !== memoised) {
    throw new Error(
      'express-openapi-validator does not let its route look-up be kept; review src/http/validator-shim.ts.',
    )
  }
}
