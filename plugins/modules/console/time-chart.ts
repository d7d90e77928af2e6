interface Measured {
  readonly at: string
  readonly value: number
}

/** Line of a measure over time, in the coordinates of an SVG of 600 × 120. */
interface TimeChart {
  readonly label: string
  /** Attribute `points` of a polyline. */
  readonly points: string
  readonly dots: readonly (Measured & { readonly x: number; readonly y: number })[]
  readonly least: number
  readonly most: number
  readonly from: string
  readonly to: string
}

const [WIDTH, HEIGHT, MARGIN] = [600, 120, 6]

/** Chart of at least two values; undefined for fewer. */
export function timeChart(label: string, values: readonly Measured[]): TimeChart | undefined {
  const ordered = values.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const [first, last] = [ordered[0], ordered.at(-1)]
  if (first === undefined || last === undefined || ordered.length < 2) return undefined
  const least = Math.min(...ordered.map(({ value }) => value))
  const most = Math.max(...ordered.map(({ value }) => value))
  const [start, span] = [Date.parse(first.at), Date.parse(last.at) - Date.parse(first.at)]
  const place = (part: number, size: number) => Math.round(10 * (MARGIN + part * (size - 2 * MARGIN))) / 10
  const dots = ordered.map(({ at, value }) => ({
    ...{ at, value },
    x: place(span === 0 ? 0.5 : (Date.parse(at) - start) / span, WIDTH),
    y: place(most === least ? 0.5 : (most - value) / (most - least), HEIGHT),
  }))
  const points = dots.map(({ x, y }) => `${x},${y}`).join(' ')
  return { label, points, dots, least, most, from: first.at, to: last.at }
}
