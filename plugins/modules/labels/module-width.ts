import { MAX_MODULE_MM, type Matrix, modulesAcross } from '../../../src/plugin/thread.ts'
import type { Layout } from './layouts.ts'

export function moduleMm(matrix: Matrix, { label: { width, height, padding } }: Layout): number {
  const side = Math.min(width, height) - 2 * padding
  return Math.min(side / modulesAcross(matrix), MAX_MODULE_MM)
}
