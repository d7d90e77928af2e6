interface OwnHosts {
  readonly baseUrl: string
  readonly workspaceHostSuffix?: string | undefined
}

/** True for this gateway. Ignores case, final dot (RFC 1034, 3.1), scheme and port: a proxy may use others. */
export function isOwnAddress({ hostname }: URL, { baseUrl, workspaceHostSuffix }: OwnHosts): boolean {
  const host = withoutDot(hostname)
  if (host === withoutDot(new URL(baseUrl).hostname)) return true
  return workspaceHostSuffix !== undefined && host.endsWith(workspaceHostSuffix.toLowerCase())
}

const withoutDot = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, '')
