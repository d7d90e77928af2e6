import { isRecord } from '../../../src/plugin/command.ts'

/** Product numbers and hosts that one installation serves. */
export interface CellEntries {
  readonly cell: string
  /** Load balancer of the cell, as `host:port`. */
  readonly address: string
  readonly baseUrl: string
  readonly prefixes: readonly Entry[]
  readonly hosts: readonly Entry[]
}

/** A GS1 company prefix or a host, of a workspace. */
interface Entry {
  readonly name: string
  readonly workspaceId: string
}

interface DirectoryFiles {
  readonly 'cells.cfg': string
  readonly 'cell-prefixes.map': string
  readonly 'cell-hosts.map': string
}

const CELL = /^[a-z][a-z0-9-]{0,30}$/
const ADDRESS = /^[\w.-]+:\d{1,5}$/
const PREFIX = /^\d{4,12}$/
const HOST = /^[a-z0-9.-]+$/

/** @throws Error for an invalid value */
export function checkedCell(cell: string, address: string): void {
  if (!CELL.test(cell)) throw new Error(`Invalid cell "${cell}": use a letter, then letters, digits and hyphens.`)
  if (!ADDRESS.test(address)) throw new Error(`Invalid address "${address}": use host:port.`)
}

/** @throws Error that names the file, if it is not a list of `dpp cells entries --json` */
export function parseEntries(document: Record<string, unknown>, file: string): CellEntries {
  const { cell, address, baseUrl, prefixes, hosts } = document
  if (typeof cell !== 'string' || typeof address !== 'string' || typeof baseUrl !== 'string') {
    throw new Error(`${file} is not a list of \`dpp cells entries --json\`.`)
  }
  checkedCell(cell, address)
  if (!URL.canParse(baseUrl) || /\s/.test(baseUrl)) throw new Error(`${file}: baseUrl is not an address.`)
  return {
    cell,
    address,
    baseUrl,
    prefixes: parsedNames(prefixes, PREFIX, `${file}: prefixes`),
    hosts: parsedNames(hosts, HOST, `${file}: hosts`),
  }
}

function parsedNames(list: unknown, pattern: RegExp, place: string): Entry[] {
  if (!Array.isArray(list)) throw new Error(`${place} is not a list.`)
  return list.map((entry, index) => {
    const { name, workspaceId } = isRecord(entry) ? entry : {}
    if (typeof name !== 'string' || typeof workspaceId !== 'string' || !pattern.test(name)) {
      throw new Error(`${place}: entry ${index + 1} is invalid.`)
    }
    return { name, workspaceId }
  })
}

/** Reasons why the lists do not form a directory: each number, host and workspace has one cell. */
export function conflictsOf(cells: readonly CellEntries[]): string[] {
  const found: string[] = []
  const claim = (owners: Map<string, string>, what: string, name: string, cell: string) => {
    const owner = owners.get(name)
    if (owner !== undefined && owner !== cell) found.push(`${what} ${name} is in the cells ${owner} and ${cell}.`)
    owners.set(name, cell)
  }
  const [names, hosts, workspaces] = [new Set<string>(), new Map<string, string>(), new Map<string, string>()]
  for (const { cell, prefixes, hosts: own } of cells) {
    if (names.has(cell)) found.push(`Two lists are of the cell ${cell}.`)
    names.add(cell)
    for (const { name } of own) claim(hosts, 'Host', name, cell)
    for (const workspaceId of new Set([...prefixes, ...own].map((entry) => entry.workspaceId))) {
      claim(workspaces, 'Workspace', workspaceId, cell)
    }
  }
  // Sorted, a prefix is next to those that begin with it.
  const sorted = cells
    .flatMap(({ cell, prefixes }) => prefixes.map(({ name }) => ({ name, cell })))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  let shorter = sorted[0]
  for (const prefix of sorted.slice(1)) {
    if (shorter !== undefined && prefix.name.startsWith(shorter.name)) {
      if (prefix.cell !== shorter.cell) {
        found.push(`Prefix ${prefix.name} of the cell ${prefix.cell} overlaps ${shorter.name} of ${shorter.cell}.`)
      }
    } else shorter = prefix
  }
  return found
}

/** Files of HAProxy. @param redirects redirects to `BASE_URL` of the cell instead of forwarding */
export function directoryFiles(cells: readonly CellEntries[], { redirects = false } = {}): DirectoryFiles {
  const target = ({ cell, baseUrl }: CellEntries) => (redirects ? baseUrl : `cell-${cell}`)
  const map = (list: 'prefixes' | 'hosts') =>
    cells
      .flatMap((cell) => cell[list].map(({ name }) => `${name} ${target(cell)}\n`))
      .sort()
      .join('')
  return {
    'cell-prefixes.map': map('prefixes'),
    'cell-hosts.map': map('hosts'),
    'cells.cfg': `${head}${redirects ? REDIRECT : `${FORWARD}${cells.map(backendOf).join('')}`}`,
  }
}

/** After the indicator digit of a GTIN and the filler of a GRAI, a key begins with the company prefix (GS1 General Specifications 3.3.2). */
const head = `# Written by dpp cells directory: generate it again if a workspace or a prefix moves, and reload HAProxy.
defaults cells
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
frontend cells from cells
  bind "\${CELLS_BIND}"
  option forwardfor
  acl is_gs1_key path_reg ^/(01|8003)/[0-9]{14}
  http-request set-var(txn.cell) hdr(host),field(1,:),lower,map_str(cell-hosts.map)
  http-request set-var(txn.cell) path,field(3,/),bytes(1),map_beg(cell-prefixes.map) if is_gs1_key !{ var(txn.cell) -m found }
  http-request return status 404 content-type text/plain string "No cell serves this address." if !{ var(txn.cell) -m found }
`
const REDIRECT = '  http-request redirect prefix %[var(txn.cell)] code 307\n'
const FORWARD = '  use_backend %[var(txn.cell)]\n'

const backendOf = ({ cell, address }: CellEntries) => `backend cell-${cell} from cells
  option httpchk GET /ready?for=read
  server ${cell} ${address} check
`
