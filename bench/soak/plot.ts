import type { Latency } from './recorder.ts'

export interface SoakPlot {
  readonly title: string
  readonly subtitle: string
  readonly minutes: number
  /** Sizes in MiB. */
  readonly memory: readonly { readonly minute: number; readonly rss: number; readonly heap: number }[]
  readonly database: readonly { readonly minute: number; readonly size: number }[]
  readonly kinds: readonly {
    readonly name: string
    readonly total: Latency
    readonly intervals: readonly (Latency & { readonly minute: number })[]
  }[]
}

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Maps values to positions from 0 to 1. */
interface Axis {
  readonly at: (value: number) => number
  readonly ticks: readonly number[]
}

interface Line {
  readonly style: string
  readonly points: readonly (readonly [number, number])[]
}

const WIDTH = 960
const MARGIN = 24
const COLUMNS = 3
const PANEL = { width: (WIDTH - 2 * MARGIN) / COLUMNS, height: 180 }
const TOP = 76
const MEMORY_HEIGHT = 230
const KEY_WIDTH = 110

/** Colours that are distinct for red-green colour blindness; dashes also distinguish the lines. */
const STYLE = `
  svg { --back: #ffffff; --text: #1f2328; --faint: #59636e; --grid: #d1d9e0; --a: #0b5cad; --b: #a5480c; --c: #6b6b6b }
  @media (prefers-color-scheme: dark) {
    svg { --back: #0d1117; --text: #f0f6fc; --faint: #9198a1; --grid: #3d444d; --a: #79b8ff; --b: #f0a35e; --c: #a8a8a8 }
  }
  text { font: 12px system-ui, sans-serif; fill: var(--text) }
  .title { font-size: 17px; font-weight: 600 }
  .name { font-weight: 600 }
  .faint { fill: var(--faint) }
  .grid { stroke: var(--grid); stroke-width: 1 }
  .line { fill: none; stroke-width: 1.5; stroke-linejoin: round }
  .a { stroke: var(--a) } .b { stroke: var(--b); stroke-dasharray: 6 2 } .c { stroke: var(--c); stroke-dasharray: 2 2 }`

/** Renders a standalone SVG with a light and a dark theme. */
export function svgOf(plot: SoakPlot): string {
  const rows = Math.ceil(plot.kinds.length / COLUMNS)
  const latencyTop = TOP + MEMORY_HEIGHT + 48
  const height = latencyTop + rows * PANEL.height + MARGIN
  const time = linear(0, plot.minutes)
  const longest = Math.max(1, ...plot.kinds.map(({ total }) => total.longest))
  const latency = logarithmic(0.1, longest)
  const half = (WIDTH - 2 * MARGIN) / 2
  const panels = plot.kinds.map(({ name, total, intervals }, index) =>
    panel(
      {
        x: MARGIN + (index % COLUMNS) * PANEL.width,
        y: latencyTop + Math.floor(index / COLUMNS) * PANEL.height,
        ...PANEL,
      },
      `${name}: ${total.count.toLocaleString('en')} responses`,
      `p50 ${short(total.p50)}, p99 ${short(total.p99)}, longest ${short(total.longest)} ms`,
      [time, latency],
      [
        { style: 'c', points: intervals.map(({ minute, longest }) => [minute, longest]) },
        { style: 'b', points: intervals.map(({ minute, p99 }) => [minute, p99]) },
        { style: 'a', points: intervals.map(({ minute, p50 }) => [minute, p50]) },
      ],
    ),
  )
  const memory = panel(
    { x: MARGIN, y: TOP, width: half, height: MEMORY_HEIGHT },
    'memory of the gateway, MiB',
    '',
    [time, linear(0, Math.max(1, ...plot.memory.map(({ rss }) => rss)))],
    [
      { style: 'a', points: plot.memory.map(({ minute, rss }) => [minute, rss]) },
      { style: 'b', points: plot.memory.map(({ minute, heap }) => [minute, heap]) },
    ],
  )
  const database = panel(
    { x: MARGIN + half, y: TOP, width: half, height: MEMORY_HEIGHT },
    'database, MiB',
    '',
    [time, linear(0, Math.max(1, ...plot.database.map(({ size }) => size)))],
    [{ style: 'a', points: plot.database.map(({ minute, size }) => [minute, size]) }],
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(`${plot.title}. ${plot.subtitle}`)}</title>
<style>${STYLE}
</style>
<rect width="${WIDTH}" height="${height}" fill="var(--back)"/>
${label(MARGIN, 32, plot.title, 'title')}
${label(MARGIN, 54, plot.subtitle, 'faint')}
${[memory, database].join('\n')}
${key(MARGIN + 44, TOP + MEMORY_HEIGHT + 8, ['resident', 'heap in use'])}
${label(MARGIN, latencyTop - 12, 'Time to the complete response, by kind of request, in ms on a logarithmic axis', 'name')}
${key(WIDTH - MARGIN - 3 * KEY_WIDTH, latencyTop - 12, ['p50', 'p99', 'longest'])}
${panels.join('\n')}
</svg>
`
}

function panel(area: Area, name: string, summary: string, [across, up]: readonly [Axis, Axis], lines: readonly Line[]) {
  const inner = { x: area.x + 44, y: area.y + 42, width: area.width - 62, height: area.height - 66 }
  const x = (value: number) => round(inner.x + across.at(value) * inner.width)
  const y = (value: number) => round(inner.y + (1 - up.at(value)) * inner.height)
  const bottom = inner.y + inner.height
  const rows = up.ticks.flatMap((tick) => [
    `<line class="grid" x1="${inner.x}" x2="${inner.x + inner.width}" y1="${y(tick)}" y2="${y(tick)}"/>`,
    label(inner.x - 6, y(tick) + 4, tick.toLocaleString('en'), 'faint', 'end'),
  ])
  const columns = across.ticks.map((tick, index) =>
    label(x(tick), bottom + 16, index === across.ticks.length - 1 ? `${tick} min` : `${tick}`, 'faint', 'middle'),
  )
  const drawn = lines.map(({ style, points }) => {
    const path = points.map(([minute, value]) => `${x(minute)},${y(value)}`).join(' ')
    return `<polyline class="line ${style}" points="${path}"/>`
  })
  return [label(area.x, area.y + 16, name, 'name'), label(area.x, area.y + 32, summary, 'faint'), rows, columns, drawn]
    .flat()
    .join('\n')
}

/** Legend of the lines, in the order of the styles a, b and c. */
const key = (x: number, y: number, names: readonly string[]) =>
  names
    .map((name, index) => {
      const start = x + index * KEY_WIDTH
      const line = `<line class="line ${'abc'[index]}" x1="${start}" x2="${start + 24}" y1="${y - 4}" y2="${y - 4}"/>`
      return line + label(start + 30, y, name, 'faint')
    })
    .join('\n')

const label = (x: number, y: number, text: string, style: string, anchor = 'start') =>
  `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`

/** Axis from `min` to a round number of at least `max`, in four to eight steps. */
function linear(min: number, max: number): Axis {
  const power = 10 ** Math.floor(Math.log10((max - min) / 4))
  const step = ([1, 2, 5, 10].find((factor) => (max - min) / (factor * power) <= 6) ?? 10) * power
  const steps = Math.ceil((max - min) / step - 1e-9)
  return {
    at: (value) => (value - min) / (steps * step),
    ticks: Array.from({ length: steps + 1 }, (_, index) => round(min + index * step)),
  }
}

/** Axis of powers of ten; smaller values are drawn at its start. */
function logarithmic(min: number, max: number): Axis {
  const [first, last] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))]
  return {
    at: (value) => (Math.log10(Math.max(value, 10 ** first)) - first) / (last - first),
    ticks: Array.from({ length: last - first + 1 }, (_, index) => 10 ** (first + index)),
  }
}

const round = (value: number) => Math.round(value * 100) / 100

/** Rounds to three significant figures. */
const short = (value: number) => Number(value.toPrecision(3)).toLocaleString('en')

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
