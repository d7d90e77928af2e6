import type { Journey, JourneyPlace, JourneyStep, Stage } from '../../../../src/plugin/module.ts'
import type { CapturedEvent } from './event.ts'

export interface TracedEvent
  extends Pick<CapturedEvent, 'type' | 'action' | 'eventTime' | 'bizStep' | 'bizLocation' | 'readPoint'> {
  readonly id: string
  readonly parents: readonly string[]
}

export const MAX_STEPS = 40

/** Least important first. */
const MINOR: readonly Stage[] = ['inspection', 'other', 'packing', 'transport', 'sale', 'repair']

/** CBV 2.0, 7.1. */
const STAGE_OF_STEP: ReadonlyMap<string, Stage> = new Map(
  Object.entries({
    making: ['assembling', 'creating_class_instance'],
    packing: ['packing', 'unpacking', 'picking', 'stocking', 'storing'],
    transport: [
      'shipping',
      'receiving',
      'departing',
      'arriving',
      'loading',
      'unloading',
      'transporting',
      'accepting',
      'staging_outbound',
      'entering_exiting',
    ],
    inspection: ['inspecting', 'sampling', 'sensor_reporting', 'cycle_counting', 'holding'],
    sale: ['retail_selling', 'dispensing'],
    repair: ['repairing', 'refurbishing', 'removing', 'replacing'],
  } satisfies Partial<Record<Stage, string[]>>).flatMap(([stage, steps]) =>
    steps.map((step) => [step, stage as Stage] as const),
  ),
)

/**
 * Sorts events by time, assigns stages, and drops the least important above {@link MAX_STEPS}; links then skip dropped steps.
 * @param places names by URI
 * @param isTruncated true if the lineage is incomplete
 */
export function journeyOf(
  events: readonly TracedEvent[],
  places: ReadonlyMap<string, Pick<JourneyPlace, 'name' | 'country'>>,
  isTruncated = false,
): Journey {
  const byId = new Map(events.map((event) => [event.id, event]))
  const ordered = inOrder(events)
  const used = usedUp(ordered)
  const stages = new Map(events.map((event) => [event.id, stageOf(event, byId, used)]))
  const selected = selectEvents(ordered, stages)
  /** Dropped events map to their predecessors. */
  const standing = new Map<string, readonly number[]>()
  const steps: JourneyStep[] = []
  for (const event of ordered) {
    const from = [...new Set(event.parents.flatMap((id) => standing.get(id) ?? []))].sort((a, b) => a - b)
    if (!selected.has(event.id)) {
      standing.set(event.id, from)
      continue
    }
    standing.set(event.id, [steps.length])
    steps.push({
      stage: stages.get(event.id) ?? 'other',
      time: event.eventTime.toISOString(),
      place: placeOf(event, places),
      from,
    })
  }
  return { steps, isCut: isTruncated || selected.size < events.length }
}

/** Returns events before a later transformation. */
function usedUp(ordered: readonly TracedEvent[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { id, type, parents } of ordered.toReversed()) {
    if (type === 'TransformationEvent' || used.has(id)) for (const parent of parents) used.add(parent)
  }
  return used
}

function stageOf(event: TracedEvent, byId: ReadonlyMap<string, TracedEvent>, used: ReadonlySet<string>): Stage {
  const stated = event.bizStep === undefined ? undefined : STAGE_OF_STEP.get(event.bizStep)
  if (stated !== undefined) return stated
  const isFirst = !event.parents.some((id) => byId.has(id))
  if (event.type === 'TransformationEvent') return used.has(event.id) ? 'processing' : 'making'
  if (event.type === 'AggregationEvent' || event.type === 'AssociationEvent') return 'packing'
  if (event.type === 'ObjectEvent' && event.action === 'ADD') {
    if (!isFirst) return 'making'
    return used.has(event.id) ? 'origin' : 'making'
  }
  return 'other'
}

/** Parents first, then by time. */
function inOrder(events: readonly TracedEvent[]): TracedEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]))
  const ordered = new Map<string, TracedEvent>()
  const sorted = events.toSorted((a, b) => a.eventTime.getTime() - b.eventTime.getTime() || (a.id < b.id ? -1 : 1))
  for (const event of sorted) {
    // Iterative: lineages can be deep.
    const waiting = [event]
    const begun = new Set<string>()
    while (waiting.length > 0) {
      const next = waiting.at(-1) as TracedEvent
      const before = next.parents.flatMap((id) => {
        const parent = byId.get(id)
        return parent === undefined || ordered.has(id) || begun.has(id) ? [] : [parent]
      })
      if (ordered.has(next.id) || (begun.has(next.id) && before.length === 0)) {
        waiting.pop()
        ordered.set(next.id, next)
      } else {
        begun.add(next.id)
        waiting.push(...before)
      }
    }
  }
  return [...ordered.values()]
}

function selectEvents(ordered: readonly TracedEvent[], stages: ReadonlyMap<string, Stage>): ReadonlySet<string> {
  const selected = new Set(ordered.map(({ id }) => id))
  for (const minor of MINOR) {
    for (const { id } of ordered) {
      if (selected.size <= MAX_STEPS) return selected
      if (stages.get(id) === minor) selected.delete(id)
    }
  }
  return new Set(ordered.flatMap(({ id }) => (selected.has(id) ? [id] : [])).slice(-MAX_STEPS))
}

function placeOf(
  { bizLocation, readPoint }: TracedEvent,
  places: ReadonlyMap<string, Pick<JourneyPlace, 'name' | 'country'>>,
): JourneyPlace {
  const uri = [bizLocation, readPoint].find((at) => at !== undefined && places.has(at)) ?? bizLocation ?? readPoint
  const known = uri === undefined ? undefined : places.get(uri)
  return { name: known?.name ?? null, country: known?.country ?? null, uri: uri ?? null }
}
