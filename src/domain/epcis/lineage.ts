import type { EventItem } from './event.ts'

/** Levels above an event that are walked, and events in all (decisions, "Traceability"). */
export const MAX_LEVELS = 32
export const MAX_EVENTS_OF_LINEAGE = 1_000
/** Items that all of them name: an answer of more nobody could work with. */
export const MAX_ITEMS_OF_LINEAGE = 20_000

/** What an item or a lot is looked for as: itself, and then the class that its Digital Link names. */
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

/** Whether an event follows itself by what stands before it; edges lead from an event to its parents. */
export function hasCircle(parents: ReadonlyMap<string, readonly string[]>): boolean {
  const done = new Set<string>()
  const open = new Set<string>()
  for (const start of parents.keys()) {
    const path: { id: string; next: number }[] = [{ id: start, next: 0 }]
    // Not by calling itself: a lineage may be as deep as it has events.
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
