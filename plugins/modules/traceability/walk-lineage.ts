import { Problem } from '../../../src/plugin/index.ts'
import type { Session } from '../../../src/plugin/module.ts'
import { hasCircle, MAX_EVENTS_OF_LINEAGE, MAX_ITEMS_OF_LINEAGE, MAX_LEVELS, widerKeys } from './epcis/lineage.ts'
import { type TraceEdge, type TraceRow, traceParents } from './trace-rows.ts'

/** An item with more events is a class, which tells little. */
const MAX_OF_ITEM = 200
const MAX_EDGES_OF_LEVEL = 20_000
export interface Lineage {
  readonly rows: ReadonlyMap<string, TraceRow>
  readonly edges: readonly TraceEdge[]
  readonly parents: ReadonlyMap<string, readonly string[]>
  readonly isTruncated: boolean
}

/**
 * One query per level.
 * @throws Problem 400 for a cycle
 */
export async function walkLineage(session: Session, roots: readonly TraceRow[]): Promise<Lineage> {
  const rows = new Map(roots.map((row) => [row.id, row]))
  const edges: TraceEdge[] = []
  let level = roots.map(childOf)
  let isTruncated = false
  let items = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    const {
      edges: found,
      rows: parents,
      isCut,
    } = await traceParents(session, level, {
      maxPerItem: MAX_OF_ITEM,
      maxEdges: MAX_EDGES_OF_LEVEL,
      maxEvents: MAX_EVENTS_OF_LINEAGE + 1,
      maxItems: MAX_ITEMS_OF_LINEAGE,
    })
    const isDeepest = depth === MAX_LEVELS
    const next: TraceRow[] = []
    isTruncated ||= isCut
    for (const row of parents) {
      if (rows.has(row.id)) continue
      items += row.items.length
      if (isDeepest || rows.size >= MAX_EVENTS_OF_LINEAGE || items > MAX_ITEMS_OF_LINEAGE) isTruncated = true
      else {
        rows.set(row.id, row)
        next.push(row)
      }
    }
    edges.push(...nearest(found, level).filter(({ parent }) => rows.has(parent)))
    level = next.map(childOf)
  }
  const parents = parentsIn(edges)
  if (hasCircle(parents)) throw circular()
  return { rows: reachable(roots, rows, parents), edges, parents, isTruncated }
}

const circular = () =>
  new Problem(400, 'Circular reference detected in lineage graph.', { title: 'Lineage Retrieval Failed' })

type Child = ReturnType<typeof childOf>

const childOf = ({ id, eventTime, place, items, transformationId }: TraceRow) => ({
  id,
  eventTime,
  place,
  inputs: keysTaken(items),
  transformationId: items.some(({ isOutput }) => isOutput) ? transformationId : null,
})

interface KeyTaken {
  readonly key: string
  readonly level: TraceRow['items'][number]['level']
  readonly items: number[]
}

function keysTaken(items: TraceRow['items']): KeyTaken[] {
  const taken = new Map<string, KeyTaken>()
  for (const [place, item] of items.entries()) {
    if (!item.isInput) continue
    for (const { key, level } of widerKeys(item)) {
      const known = taken.get(key) ?? { key, level, items: [] }
      known.items.push(place)
      taken.set(key, known)
    }
  }
  return [...taken.values()]
}

const LEVELS = ['instance', 'lot', 'class'] as const

/** Selects predecessors by item, else by lot, else by class. */
function nearest(edges: readonly TraceEdge[], children: readonly Child[]): TraceEdge[] {
  const found = new Set(edges.map(({ child, input }) => `${child} ${input}`))
  const selected = new Set<string>()
  for (const { id, inputs } of children) {
    const best = new Map<number, number>()
    const known = [...inputs.entries()].filter(([input]) => found.has(`${id} ${input}`))
    for (const [, { items, level }] of known) {
      for (const item of items) best.set(item, Math.min(best.get(item) ?? LEVELS.length, LEVELS.indexOf(level)))
    }
    for (const [input, { items, level }] of known) {
      if (items.some((item) => best.get(item) === LEVELS.indexOf(level))) selected.add(`${id} ${input}`)
    }
  }
  return edges.filter(({ child, input }) => input === null || selected.has(`${child} ${input}`))
}

function reachable(
  roots: readonly TraceRow[],
  rows: ReadonlyMap<string, TraceRow>,
  parents: Lineage['parents'],
): Map<string, TraceRow> {
  const reached = new Map(roots.map((row) => [row.id, row]))
  for (const id of reached.keys()) {
    for (const parent of parents.get(id) ?? []) reached.set(parent, rows.get(parent) as TraceRow)
  }
  return reached
}

function parentsIn(edges: readonly TraceEdge[]): Map<string, string[]> {
  const parents = new Map<string, string[]>()
  for (const { child, parent } of edges) {
    const known = parents.get(child) ?? []
    parents.set(child, known)
    if (!known.includes(parent)) known.push(parent)
  }
  return parents
}
