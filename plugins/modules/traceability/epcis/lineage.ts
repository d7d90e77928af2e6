import type { EventItem } from './event.ts'

/** Limits of a lineage (decisions, "Traceability"). */
export const MAX_LEVELS = 32
export const MAX_EVENTS_OF_LINEAGE = 1_000
export const MAX_ITEMS_OF_LINEAGE = 20_000

export function widerKeys({ key, level }: Pick<EventItem, 'key' | 'level'>): Pick<EventItem, 'key' | 'level'>[] {
  const [product] = /^\/(?:01|8006)\/[^/]+/.exec(key) ?? []
  const isWidest = level === 'class' || product === undefined
  return isWidest
    ? [{ key, level }]
    : [
        { key, level },
        { key: product, level: 'class' },
      ]
}

export function hasCircle(parents: ReadonlyMap<string, readonly string[]>): boolean {
  const done = new Set<string>()
  const open = new Set<string>()
  for (const start of parents.keys()) {
    const path: { id: string; next: number }[] = [{ id: start, next: 0 }]
    // Iterative: lineages can be deep.
    while (path.length > 0) {
      const top = path.at(-1) as { id: string; next: number }
      if (top.next === 0) {
        if (done.has(top.id)) {
          path.pop()
          continue
        }
        open.add(top.id)
      }
      const parent = parents.get(top.id)?.[top.next]
      top.next += 1
      if (parent === undefined) {
        open.delete(top.id)
        done.add(top.id)
        path.pop()
      } else if (open.has(parent)) return true
      else path.push({ id: parent, next: 0 })
    }
  }
  return false
}
