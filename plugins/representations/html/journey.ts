import type { PassportView, PublishedJourney } from '../../../src/plugin/index.ts'
import type { Texts } from './texts.ts'

export interface JourneyPart {
  readonly steps: readonly Step[]
  readonly graph: Graph | undefined
  readonly note: string
  readonly cut: string | undefined
  readonly isPrivileged: boolean
}

interface Step {
  readonly number: string
  readonly stage: string
  readonly date: string
  readonly time: string
  readonly place: string | undefined
  readonly country: string | undefined
  /** Preceding steps, unless only the one above. */
  readonly after: string | undefined
  /** True if only this step precedes the next. */
  readonly leadsOn: boolean
}

interface Graph {
  readonly width: number
  readonly height: number
  readonly label: string
  readonly dots: readonly { readonly x: number; readonly y: number; readonly number: string }[]
  readonly lines: readonly string[]
}

const BETWEEN = 56
const RADIUS = 15
const MARGIN = RADIUS + 3

export function journeyOf({ journey, audience }: PassportView, texts: Texts): JourneyPart | undefined {
  if (journey === null || journey.steps.length === 0) return undefined
  const { t, formats } = texts
  const numbers = journey.steps.map((_, index) => formats.number(index + 1))
  return {
    steps: journey.steps.map(({ stage, time, place, from }, index) => ({
      number: numbers[index] as string,
      stage: t(`journey.stage.${stage}`),
      date: formats.date(time) ?? time,
      time,
      place: place.name ?? undefined,
      country: place.country === null ? undefined : (formats.country(place.country) ?? place.country),
      after: isNext(from, index) ? undefined : t('journey.after', { steps: listOf(from, numbers, texts) }),
      leadsOn: journey.steps[index + 1]?.from.toString() === String(index),
    })),
    graph: journey.steps.every(({ from }, index) => isNext(from, index)) ? undefined : graphOf(journey, numbers, texts),
    note: t('journey.note', { date: formats.date(journey.publishedAt) ?? journey.publishedAt }),
    cut: journey.isCut ? t('journey.cut') : undefined,
    isPrivileged: audience !== 'public' && journey.audience.length > 0,
  }
}

const isNext = (from: readonly number[], index: number): boolean =>
  from.length === 0 || (from.length === 1 && from[0] === index - 1)

const listOf = (steps: readonly number[], numbers: readonly string[], { lang }: Texts): string =>
  new Intl.ListFormat(lang, { type: 'conjunction' }).format(steps.map((step) => numbers[step] as string))

function graphOf({ steps }: PublishedJourney, numbers: readonly string[], { t }: Texts): Graph {
  const levels: number[] = []
  for (const { from } of steps) levels.push(Math.max(-1, ...from.map((step) => levels[step] as number)) + 1)
  // Places a first step directly above its follower.
  steps.forEach(({ from }, index) => {
    if (from.length > 0) return
    const followers = steps.flatMap((step, other) => (step.from.includes(index) ? [levels[other] as number] : []))
    if (followers.length > 0) levels[index] = Math.min(...followers) - 1
  })
  const rows: number[][] = []
  levels.forEach((level, index) => {
    const row = rows[level] ?? []
    rows[level] = row
    row.push(index)
  })
  const widest = Math.max(...rows.map((row) => row.length))
  const dots = levels.map((level, index) => {
    const row = rows[level] as number[]
    const x = MARGIN + (row.indexOf(index) + (widest - row.length) / 2) * BETWEEN
    return { x, y: MARGIN + level * BETWEEN, number: numbers[index] as string }
  })
  return {
    width: (widest - 1) * BETWEEN + 2 * MARGIN,
    height: (rows.length - 1) * BETWEEN + 2 * MARGIN,
    label: t('journey.graph'),
    dots,
    lines: steps.flatMap(({ from }, index) =>
      from.map((step) => lineBetween(dots[step] as Graph['dots'][number], dots[index] as Graph['dots'][number])),
    ),
  }
}

function lineBetween(upper: Graph['dots'][number], lower: Graph['dots'][number]): string {
  const [start, end] = [upper.y + RADIUS, lower.y - RADIUS]
  const middle = (start + end) / 2
  return `M${upper.x} ${start}C${upper.x} ${middle} ${lower.x} ${middle} ${lower.x} ${end}`
}
