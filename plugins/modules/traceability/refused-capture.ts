import { Problem } from '../../../src/plugin/index.ts'
import type { CaptureFinding } from './epcis/event.ts'

export function refusedCapture(findings: readonly CaptureFinding[]): Problem {
  const count = findings.length === 1 ? '1 error' : `${findings.length} errors`
  return new Problem(400, `${count}; nothing was stored.`, {
    issues: findings.map(({ pointer, code, message }) => ({ path: pointer, message: `${code}: ${message}` })),
  })
}
