import { createHash } from 'node:crypto'

/**
 * The one script that any page may carry: it asks the browser to keep a copy for when there is no network. Nothing on a
 * page needs it, and a browser that has no workers passes it over.
 */
export const OFFLINE_SCRIPT = `navigator.serviceWorker?.register('/sw.js').catch(()=>{})`

/** What a page that carries it must allow (CSP Level 3). */
export const OFFLINE_POLICY = `script-src '${hashOf(OFFLINE_SCRIPT)}'; worker-src 'self'`

/** A script or a style sheet as a policy names it. */
export function hashOf(content: string): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`
}
