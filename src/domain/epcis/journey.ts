import type { Audiences } from '../audience.ts'
import type { CapturedEvent } from './event.ts'

/** Kinds of work that people tell apart; what is none of them is `other`. */
type Stage = 'origin' | 'processing' | 'making' | 'packing' | 'transport' | 'inspection' | 'sale' | 'repair' | 'other'

/** Where a step took place; null for what is not known. */
interface JourneyPlace {
  readonly name: string | null
  /** ISO 3166-1, two letters. */
  readonly country: string | null
  /** The URI that the event has. */
  readonly uri: string | null
}

interface JourneyStep {
  readonly stage: Stage
  /** ISO 8601 in UTC. */
  readonly time: string
  readonly place: JourneyPlace
  /** Which earlier steps it follows, by their position in the list. */
  readonly from: readonly number[]
}

/** How a product came to be, in the order of time, as its owner has published it. */
export interface Journey {
  readonly steps: readonly JourneyStep[]
  /** Steps between these are left out, or what was before them was not followed further. */
  readonly isCut: boolean
}

/** A journey as its owner has published it, and when (ISO 8601 in UTC). */
export interface PublishedJourney extends Journey {
  /** Whom it opens to; none: everybody. */
  readonly audience: Audiences
  readonly publishedAt: string
}

/** An event of a lineage, and the events of that lineage which it follows. */
export interface TracedEvent
  extends Pick<CapturedEvent, 'type' | 'action' | 'eventTime' | 'bizStep' | 'bizLocation' | 'readPoint'> {
  readonly id: string
  readonly parents: readonly string[]
}

/** More would be no line that people follow. */
export const MAX_STEPS = 40

/** What is left out first where there are too many. */
const MINOR: readonly Stage[] = ['inspection', 'other', 'packing', 'transport', 'sale', 'repair']

/** Stages that a business step of the CBV (2.0, 7.1) says by itself. */
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
 * Puts the events of a lineage in the order of time, says what each was, and leaves out what is of least weight where there
 * are more than {@link MAX_STEPS}; what follows a step that was left out follows what that followed.
 * @param places what the owner calls the places, by their URIs
 * @param isTruncated the lineage was not followed to its beginning
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
  const kept = keptOf(ordered, stages)
  /** For each event the steps that stand for it: itself, or those that it follows. */
  const standing = new Map<string, readonly number[]>()
  const steps: JourneyStep[] = []
  for (const event of ordered) {
    const from = [...new Set(event.parents.flatMap((id) => standing.get(id) ?? []))].sort((a, b) => a - b)
    if (!kept.has(event.id)) {
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
  return { steps, isCut: isTruncated || kept.size < events.length }
}

/** Events from which something else was made later, however it got there. */
function usedUp(ordered: readonly TracedEvent[]): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { id, type, parents } of ordered.toReversed()) {
    if (type === 'TransformationEvent' || used.has(id)) for (const parent of parents) used.add(parent)
  }
  return used
}

function stageOf(event: TracedEvent, byId: ReadonlyMap<string, TracedEvent>, used: ReadonlySet<string>): Stage {
  const said = event.bizStep === undefined ? undefined : STAGE_OF_STEP.get(event.bizStep)
  if (said !== undefined) return said
  const isFirst = !event.parents.some((id) => byId.has(id))
  if (event.type === 'TransformationEvent') return used.has(event.id) ? 'processing' : 'making'
  if (event.type === 'AggregationEvent' || event.type === 'AssociationEvent') return 'packing'
  if (event.type === 'ObjectEvent' && event.action === 'ADD') {
    if (!isFirst) return 'making'
    return used.has(event.id) ? 'origin' : 'making'
  }
  return 'other'
}

/** By time; what follows another at the same time comes behind it. */
function inOrder(events: readonly TracedEvent[]): TracedEvent[] {
  const byId = new Map(events.map((event) => [event.id, event]))
  const ordered = new Map<string, TracedEvent>()
  const sorted = events.toSorted((a, b) => a.eventTime.getTime() - b.eventTime.getTime() || (a.id < b.id ? -1 : 1))
  for (const event of sorted) {
    // Not by calling itself: a lineage may be as deep as it has events.
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

function keptOf(ordered: readonly TracedEvent[], stages: ReadonlyMap<string, Stage>): ReadonlySet<string> {
  const kept = new Set(ordered.map(({ id }) => id))
  for (const minor of MINOR) {
    for (const { id } of ordered) {
      if (kept.size <= MAX_STEPS) return kept
      if (stages.get(id) === minor) kept.delete(id)
    }
  }
  // What is nearest to the product stays.
  return new Set(ordered.flatMap(({ id }) => (kept.has(id) ? [id] : [])).slice(-MAX_STEPS))
}

function placeOf(
  { bizLocation, readPoint }: TracedEvent,
  places: ReadonlyMap<string, Pick<JourneyPlace, 'name' | 'country'>>,
): JourneyPlace {
  const uri = [bizLocation, readPoint].find((at) => at !== undefined && places.has(at)) ?? bizLocation ?? readPoint
  const known = uri === undefined ? undefined : places.get(uri)
  return { name: known?.name ?? null, country: known?.country ?? null, uri: uri ?? null }
}
