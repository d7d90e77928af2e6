import { createHash } from 'node:crypto'

/** Registers the service worker of the module `front-door`, which caches pages. */
export const OFFLINE_SCRIPT = `navigator.serviceWorker?.register('/sw.js').catch(()=>{})`

/** Returns the CSP source of a script or style sheet. */
export function hashOf(content: string): string {
  return `'sha256-${createHash('sha256').update(content).digest('base64')}'`
}

// CSP Level 3.
const CACHED = { scripts: [OFFLINE_SCRIPT], sources: `script-src ${hashOf(OFFLINE_SCRIPT)}; worker-src 'self'` }
const UNCACHED = { scripts: [], sources: "script-src 'none'" }

export const offlineOf = (
  modules: ReadonlySet<string>,
): { readonly scripts: readonly string[]; readonly sources: string } => (modules.has('front-door') ? CACHED : UNCACHED)
