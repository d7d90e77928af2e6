import type { components } from './generated.ts'
import type { TraceRow } from './trace-rows.ts'
import type { Lineage } from './walk-lineage.ts'

type Node = components['schemas']['TraceNode']

/** Expands shared ancestors once. */
export function lineageTree(root: TraceRow, { rows, edges, parents }: Lineage): Node {
  const vias = new Map<string, Set<NonNullable<Node['via']>[number]>>()
  for (const { child, parent, level } of edges) {
    const pair = `${child} ${parent}`
    vias.set(pair, (vias.get(pair) ?? new Set()).add(level ?? 'transformation'))
  }
  const expanded = new Set<string>()
  const nodeOf = (row: TraceRow, child?: string): Node => {
    const via = child === undefined ? undefined : vias.get(`${child} ${row.id}`)
    const node = { ...shown(row), ...(via === undefined ? {} : { via: [...via] }) }
    const above = parents.get(row.id) ?? []
    if (expanded.has(row.id)) return { ...node, ...(above.length > 0 ? { isExpandedAbove: true } : {}), parents: [] }
    expanded.add(row.id)
    return { ...node, parents: above.map((id) => nodeOf(rows.get(id) as TraceRow, row.id)) }
  }
  return nodeOf(root)
}

const shown = (row: TraceRow) => ({
  eventId: row.id,
  eventType: row.type,
  bizStep: row.bizStep,
  disposition: row.disposition,
  eventTime: row.eventTime,
  epcs: [...new Set(row.items.map(({ key }) => key))],
  location: row.bizLocation,
  readPoint: row.readPoint,
  isUntpCompliant: row.isUntp,
  issuerDid: row.issuer,
})
