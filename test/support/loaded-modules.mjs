import { registerHooks } from 'node:module'

// Says on standard error which modules are loaded.
registerHooks({
  load(url, context, next) {
    console.error(`loaded ${url}`)
    return next(url, context)
  },
})
