import type { Content } from '../domain/schema.ts'
import type { LabelFile } from '../services/labels.ts'

export function labelsResult(printed: LabelFile | Content<'OneLabelJob'>) {
  return 'job' in printed ? { status: 202 as const, body: printed } : { status: 200 as const, ...printed }
}
