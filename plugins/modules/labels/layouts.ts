import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dictionary, isRecord } from '../../../src/plugin/index.ts'
import { LAYOUT_FOLDER, LAYOUT_NAMES } from './layout-names.ts'

/** Label positions in mm from the top left corner. A roll has one label per page. */
export interface Layout {
  readonly title: string
  readonly page: { readonly width: number; readonly height: number }
  readonly label: { readonly width: number; readonly height: number; readonly padding: number }
  readonly first: { readonly left: number; readonly top: number }
  readonly columns: number
  readonly rows: number
  readonly pitch: { readonly x: number; readonly y: number }
}

/** Limits: space for a code, and printable page sizes. */
const LEAST_MM = 5
const MAX_MM = 2000
const ROUNDING_MM = 0.01

export const USUAL_LAYOUT = 'L7160'

export const LAYOUTS: Readonly<Record<string, Layout>> = readLayouts()

function readLayouts(): Readonly<Record<string, Layout>> {
  const read = (file: string) => layoutOf(JSON.parse(readFileSync(join(LAYOUT_FOLDER, file), 'utf8')), file)
  return dictionary(Object.fromEntries(LAYOUT_NAMES.map((name) => [name, read(`${name}.json`)])))
}

/** @throws Error if malformed, or if labels overlap or exceed the page */
export function layoutOf(json: unknown, file: string): Layout {
  const refuse = (reason: string): never => {
    throw new Error(`layouts/${file}: ${reason}`)
  }
  const group = (value: unknown, name: string, keys: readonly string[], least: number) => {
    if (!isRecord(value)) return refuse(`${name} must be an object.`)
    for (const key of keys) {
      const number = value[key]
      if (typeof number !== 'number' || !(number >= least) || number > MAX_MM) {
        refuse(`${name}.${key} must be a number from ${least} to ${MAX_MM}.`)
      }
    }
    return value
  }
  const layout = group(json, 'the layout', ['columns', 'rows'], 1) as unknown as Layout
  group(layout.page, 'page', ['width', 'height'], LEAST_MM)
  group(layout.label, 'label', ['width', 'height'], LEAST_MM)
  group(layout.label, 'label', ['padding'], 0)
  group(layout.first, 'first', ['left', 'top'], 0)
  group(layout.pitch, 'pitch', ['x', 'y'], LEAST_MM)
  const { title, page, label, first, columns, rows, pitch } = layout
  if (typeof title !== 'string' || title === '') refuse('title must be a string.')
  if (!Number.isInteger(columns) || !Number.isInteger(rows)) refuse('columns and rows must be integers.')
  if (columns > 1 && pitch.x < label.width) refuse('labels overlap: pitch.x is less than label.width.')
  if (rows > 1 && pitch.y < label.height) refuse('labels overlap: pitch.y is less than label.height.')
  const right = first.left + (columns - 1) * pitch.x + label.width
  const bottom = first.top + (rows - 1) * pitch.y + label.height
  if (right > page.width + ROUNDING_MM) refuse('the last column ends beyond the page.')
  if (bottom > page.height + ROUNDING_MM) refuse('the last row ends beyond the page.')
  if (2 * label.padding >= Math.min(label.width, label.height)) refuse('label.padding leaves no space for the label.')
  return layout
}

export const labelsPerPage = ({ columns, rows }: Layout): number => columns * rows
