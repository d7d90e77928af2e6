type Rgb = readonly [number, number, number]

/** Page backgrounds (style.css: --paper, --wash). */
const LIGHT = ['#ffffff', '#eef3f1'].map(rgbOf)
const DARK = ['#0f1614', '#17211f'].map(rgbOf)
/** WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5

const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]

export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/.test(text)

export const isReadable = (colour: string): boolean => reads(rgbOf(colour), LIGHT)

export const readable = (colour: string): string => moved(rgbOf(colour), BLACK, LIGHT)

/** Lightens the colour until readable on the dark page. */
export const onDark = (colour: string): string => moved(rgbOf(colour), WHITE, DARK)

function moved(from: Rgb, towards: Rgb, backgrounds: readonly Rgb[]): string {
  for (let part = 0; part < 1; part += 0.02) {
    const colour = mix(from, towards, part)
    if (reads(colour, backgrounds)) return hexOf(colour)
  }
  return hexOf(towards)
}

const reads = (colour: Rgb, backgrounds: readonly Rgb[]): boolean =>
  backgrounds.every((background) => contrast(colour, background) >= LEAST_CONTRAST)

/** WCAG 2.2, contrast ratio. */
function contrast(a: Rgb, b: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: Rgb): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const mix = (a: Rgb, b: Rgb, part: number): Rgb =>
  a.map((value, index) => Math.round(value + ((b[index] as number) - value) * part)) as unknown as Rgb

function rgbOf(colour: string): Rgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const hexOf = (colour: Rgb): string => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`
