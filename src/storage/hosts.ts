/** `any` accepts each server; the others ask it, as in libpq (PostgreSQL 18, 32.1.2). */
const ATTRIBUTES = ['any', 'read-write', 'primary', 'read-only', 'standby'] as const
type Attributes = (typeof ATTRIBUTES)[number]

/** Index of the server in use, by list of servers. */
const inUse = new Map<string, number>()

interface Hosts {
  /** Part of the address between credentials and path. */
  readonly list: string
  readonly count: number
  /** Address of the server in use. */
  readonly url: string
  readonly attributes: Attributes
}

/** Parses `postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write`. */
export function hostsIn(url: string): Hosts {
  const [address = '', query = ''] = url.split(/\?(.*)/s)
  const [, scheme = '', credentials = '', list = '', path = ''] =
    /^(\w+:\/\/)([^/]*@)?([^/@]*)(.*)$/s.exec(address) ?? []
  const hosts = list.split(',')
  if (hosts.length === 1) return { list, count: 1, url, attributes: 'any' }
  const parameters = new URLSearchParams(query)
  const attributes = (parameters.get('target_session_attrs') ?? 'read-write') as Attributes
  parameters.delete('target_session_attrs')
  const host = hosts[(inUse.get(list) ?? 0) % hosts.length]
  return {
    list,
    count: hosts.length,
    url: `${scheme}${credentials}${host}${path}${parameters.size > 0 ? `?${parameters}` : ''}`,
    attributes,
  }
}

/** Makes later connections use the next server, unless another connection already did. */
export function leaveHost({ list, url }: Hosts, whole: string): void {
  if (hostsIn(whole).url === url) inUse.set(list, (inUse.get(list) ?? 0) + 1)
}

/** Repeats `connect` until each server has failed once. */
export async function onSomeHost<T>(url: string, connect: (url: string) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const hosts = hostsIn(url)
    try {
      return await connect(hosts.url)
    } catch (error) {
      leaveHost(hosts, url)
      if (attempt >= hosts.count) throw error
    }
  }
}

/** @returns the fault of a list of servers as the end of a sentence */
export function hostsFault(url: string): string | undefined {
  const attributes = /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1]
  if (attributes === undefined || ATTRIBUTES.some((known) => known === attributes)) return undefined
  return `target_session_attrs=${attributes} is unknown: set one of ${ATTRIBUTES.join(', ')}`
}

/** Setting that a server must report, and its value. */
export const REQUIRED: Readonly<Record<Attributes, readonly [setting: string, value: string] | undefined>> = {
  any: undefined,
  'read-write': ['transaction_read_only', 'off'],
  primary: ['in_hot_standby', 'off'],
  'read-only': ['transaction_read_only', 'on'],
  standby: ['in_hot_standby', 'on'],
}
