import { isRecord } from '../../../../src/plugin/index.ts'

/** WGS 84, in degrees. */
export interface Point {
  readonly latitude: number
  readonly longitude: number
}

/** Longitude, latitude, altitude (RFC 7946, section 3.1.1). */
type Position = readonly [number, number, ...number[]]
/** Outer ring, then holes. */
type Polygon = readonly (readonly Position[])[]

export type Plot =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'Polygon'; readonly coordinates: Polygon }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly Polygon[] }

const PLOT_TYPES: readonly unknown[] = ['Point', 'Polygon', 'MultiPolygon']

/** True if intended as GeoJSON of a plot, valid or not. */
export const meansPlot = (value: unknown): boolean =>
  isRecord(value) && PLOT_TYPES.includes(value.type) && value.coordinates !== undefined

/** Validates a GeoJSON geometry (RFC 7946, section 3.1). */
export function plotIn(geometry: unknown): { readonly plot: Plot } | { readonly fault: string } {
  const { type, coordinates } = isRecord(geometry) ? geometry : {}
  if (!PLOT_TYPES.includes(type)) return { fault: 'The type must be Point, Polygon or MultiPolygon.' }
  const polygons = type === 'MultiPolygon' ? coordinates : [coordinates]
  const fault = type === 'Point' ? faultOfPosition(coordinates) : firstFault(polygons, faultOfPolygon)
  return fault === undefined ? { plot: geometry as unknown as Plot } : { fault }
}

export const isPoint = ({ latitude, longitude }: Point): boolean =>
  Number.isFinite(latitude) && Number.isFinite(longitude) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180

function firstFault(list: unknown, faultOf: (one: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(list) || list.length === 0) return 'The coordinates must be a non-empty list.'
  for (const one of list) {
    const fault = faultOf(one)
    if (fault !== undefined) return fault
  }
  return undefined
}

const faultOfPolygon = (rings: unknown) => firstFault(rings, faultOfRing)

function faultOfRing(ring: unknown): string | undefined {
  const fault = firstFault(ring, faultOfPosition)
  if (fault !== undefined) return fault
  const positions = ring as readonly Position[]
  const [first, last] = [positions[0], positions.at(-1)]
  if (positions.length < 4) return 'A ring has fewer than four positions.'
  return first?.[0] === last?.[0] && first?.[1] === last?.[1] ? undefined : 'A ring does not end where it begins.'
}

function faultOfPosition(position: unknown): string | undefined {
  const [longitude, latitude] = Array.isArray(position) ? position : []
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return 'A position must have two numbers.'
  return isPoint({ latitude, longitude })
    ? undefined
    : 'A position is out of range: write longitude first, then latitude.'
}

export function cornersOf(plot: Plot): Point[] {
  const polygons =
    plot.type === 'MultiPolygon' ? plot.coordinates : [plot.type === 'Point' ? [[plot.coordinates]] : plot.coordinates]
  return polygons.flat(2).map(([longitude, latitude]) => ({ latitude, longitude }))
}

/** True if a polygon contains the point; holes are outside. */
export function isInside(point: Point, plot: Plot): boolean {
  if (plot.type === 'Point') return false
  const polygons = plot.type === 'Polygon' ? [plot.coordinates] : plot.coordinates
  return polygons.some((rings) => isInPolygon(point, rings))
}

function isInPolygon({ latitude, longitude }: Point, rings: Polygon): boolean {
  // Rings over the antimeridian exceed 180 degrees.
  return [0, 360, -360].some((turn) => {
    const crossings = rings.reduce((sum, ring) => sum + crossingsOf(longitude + turn, latitude, unwrapped(ring)), 0)
    return crossings % 2 === 1
  })
}

function crossingsOf(longitude: number, latitude: number, ring: readonly Position[]): number {
  let crossings = 0
  for (let at = 1; at < ring.length; at += 1) {
    const [x1, y1] = ring[at - 1] as Position
    const [x2, y2] = ring[at] as Position
    if (y1 > latitude === y2 > latitude) continue
    if (x1 + ((latitude - y1) / (y2 - y1)) * (x2 - x1) < longitude) crossings += 1
  }
  return crossings
}

/** No edge spans more than 180 degrees. */
function unwrapped(ring: readonly Position[]): Position[] {
  let before = ring[0]?.[0] ?? 0
  return ring.map(([longitude, latitude]) => {
    before = longitude + 360 * Math.round((before - longitude) / 360)
    return [before, latitude]
  })
}
