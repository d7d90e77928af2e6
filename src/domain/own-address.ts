/** Hosts of this gateway. */
interface OwnHosts {
  readonly baseUrl: string
  /** Workspace hosts end with it. */
  readonly workspaceHostSuffix?: string | undefined
}

/**
 * True if a URL leads to this gateway. Host names are compared without case and final dot (RFC 1034, 3.1); scheme and port do not
 * matter, because a proxy may listen on others.
 */
export function isOwnAddress({ hostname }: URL, { baseUrl, workspaceHostSuffix }: OwnHosts): boolean {
  const host = withoutDot(hostname)
  if (host === withoutDot(new URL(baseUrl).hostname)) return true
  return workspaceHostSuffix !== undefined && host.endsWith(workspaceHostSuffix.toLowerCase())
}

const withoutDot = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '')
