export interface Curve {
  readonly name: string
  readonly unit: string
  /** Number of passports, and value. */
  readonly points: readonly (readonly [number, number])[]
}

const PANEL = { width: 300, height: 206 }
const COLUMNS = 3
const TOP = 70
const MARGIN = { left: 52, right: 24, top: 36, bottom: 46 }
const STYLE = `
  .back { fill: #ffffff }
  text { font: 12px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 }
  .name { font-weight: 600 }
  .faint { fill: #59636e }
  .grid { stroke: #d1d9e0 }
  .line { fill: none; stroke: #0b5cad; stroke-width: 1.5 }
  .dot { fill: #0b5cad }
  @media (prefers-color-scheme: dark) {
    .back { fill: #0d1117 }
    text { fill: #f0f6fc }
    .faint { fill: #9198a1 }
    .grid { stroke: #3d444d }
    .line { stroke: #79b8ff }
    .dot { fill: #79b8ff }
  }`

/** Renders each curve in a panel: passports on a logarithmic axis, values from 0. */
export function svgOf(title: string, subtitle: string, curves: readonly Curve[]): string {
  const width = COLUMNS * PANEL.width
  const height = TOP + Math.ceil(curves.length / COLUMNS) * PANEL.height
  const panels = curves.map((curve, index) =>
    panel(curve, (index % COLUMNS) * PANEL.width, TOP + Math.floor(index / COLUMNS) * PANEL.height),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escaped(`${title}. ${subtitle}`)}</title>
<style>${STYLE}
</style>
<rect class="back" width="${width}" height="${height}"/>
${label(16, 28, title, 'title')}
${label(16, 48, subtitle, 'faint')}
${panels.join('\n')}
</svg>
`
}

function panel({ name, unit, points }: Curve, left: number, top: number): string {
  const inner = {
    x: left + MARGIN.left,
    y: top + MARGIN.top,
    width: PANEL.width - MARGIN.left - MARGIN.right,
    height: PANEL.height - MARGIN.top - MARGIN.bottom,
  }
  const sizes = points.map(([size]) => Math.log10(size))
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)]
  const highest = nice(Math.max(...points.map(([, value]) => value)))
  const x = (size: number) => round(inner.x + ((Math.log10(size) - first) / (last - first || 1)) * inner.width)
  const y = (value: number) => round(inner.y + (1 - value / highest) * inner.height)
  const rows = [0, 0.5, 1].map((part) => part * highest)
  return [
    label(left + 16, top + 18, `${name}, ${unit}`, 'name'),
    ...rows.map(
      (value) => `<line class="grid" x1="${inner.x}" x2="${inner.x + inner.width}" y1="${y(value)}" y2="${y(value)}"/>`,
    ),
    ...rows.map((value) => label(inner.x - 6, y(value) + 4, value.toLocaleString('en'), 'faint', 'end')),
    ...points.map(([size]) =>
      label(x(size), inner.y + inner.height + 18, size.toLocaleString('en'), 'faint', 'middle'),
    ),
    label(inner.x + inner.width / 2, inner.y + inner.height + 34, 'passports', 'faint', 'middle'),
    `<polyline class="line" points="${points.map(([size, value]) => `${x(size)},${y(value)}`).join(' ')}"/>`,
    ...points.map(([size, value]) => `<circle class="dot" cx="${x(size)}" cy="${y(value)}" r="3"/>`),
  ].join('\n')
}

const label = (x: number, y: number, text: string, style: string, anchor = 'start') =>
  `<text class="${style}" x="${x}" y="${y}" text-anchor="${anchor}">${escaped(text)}</text>`

/** The next number of the form 1, 2, 4, 5 or 8 times a power of ten. */
function nice(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 8, 10].find((factor) => factor * power >= value) ?? 10) * power
}

const round = (value: number) => Math.round(value * 10) / 10

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
