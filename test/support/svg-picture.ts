import { PNG } from 'pngjs'

/**
 * Draws the path of a code's SVG, eight pixels per unit; supports only horizontal lines in the middle of their rows.
 * @throws Error for anything else in the path
 */
export function pictureOf(svg: string) {
  const [, width = '0'] = /viewBox="0 0 (\d+) /.exec(svg) ?? []
  const [, path = ''] = /<path stroke="#000"[^>]* d="([^"]*)"/.exec(svg) ?? []
  const across = Number(width)
  const dark: { x: number; y: number }[] = []
  let x = 0
  let y = 0
  for (const [command, letter, first = '', second = ''] of path.matchAll(/([Mmh])(-?[\d.]+)(?: ([\d.]+))?|./g)) {
    if (letter === 'M') {
      x = Number(first)
      y = Number(second)
    } else if (letter === 'm') {
      x += Number(first)
      y += Number(second)
    } else if (letter === 'h') {
      for (let step = 0; step < Number(first); step += 1) dark.push({ x: x + step, y: y - 0.5 })
      x += Number(first)
    } else throw new Error(`The path has ${command}.`)
  }
  const picture = new PNG({ width: across * SCALE, height: across * SCALE })
  picture.data.fill(255)
  for (const module of dark) {
    for (let dy = 0; dy < SCALE; dy += 1) {
      const start = 4 * ((module.y * SCALE + dy) * across * SCALE + module.x * SCALE)
      for (let dx = 0; dx < SCALE; dx += 1) picture.data.fill(0, start + 4 * dx, start + 4 * dx + 3)
    }
  }
  return { across, dark, picture: PNG.sync.write(picture) }
}

const SCALE = 8
