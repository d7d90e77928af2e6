import { createHash } from 'node:crypto'

/** Optional script that stores pages for offline use. */
export const OFFLINE_SCRIPT = `navigator.serviceWorker?.register('/sw.js').catch(()=>{})`

/** CSP sources for this script (CSP Level 3). */
export const OFFLINE_POLICY = `script-src '${hashOf(OFFLINE_SCRIPT)}'; worker-src 'self'`

/** Returns the CSP hash. */
export function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
