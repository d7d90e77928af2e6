/** Bounds of one request. */
export const WITHIN_MS = 15_000
export const MAX_BYTES = 4 * 1024 * 1024

/** Bounds of one run. */
export const MAX_REQUESTS = 1000
export const MAX_RUN_BYTES = 128 * 1024 * 1024
export const MAX_RUN_MS = 15 * 60_000
export const MAX_REDIRECTS = 5
/** Rate-limited requests are repeated after the time set by the service. */
export const MAX_WAIT_SECONDS = 65
export const MAX_ATTEMPTS = 4
