import type { components } from './generated.ts'
import type { LabelFile } from './services/labels.ts'

export function labelsResult(printed: LabelFile | Omit<components['schemas']['OneLabelJob'], 'success'>) {
  return 'job' in printed ? { status: 202 as const, body: printed } : { status: 200 as const, ...printed }
}
