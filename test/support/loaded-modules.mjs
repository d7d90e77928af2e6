import { registerHooks } from 'node:module'

// Prints loaded modules to standard error.
registerHooks({
  load(url, context, next) {
    console.error(`loaded ${url}`)
    return next(url, context)
  },
})
