import type { SkippedLabel } from './entities.ts'
import type { components } from './generated.ts'
import type { LabelJobRow } from './label-jobs.ts'
import type { LabelRequest } from './label-request.ts'

export type OneLabelJob = Omit<components['schemas']['OneLabelJob'], 'success'>

export interface LabelFile {
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
  readonly contentType: string
  readonly headers: Readonly<Record<string, string>>
}

const CONTENT_TYPE = { png: 'application/zip', svg: 'application/zip', pdf: 'application/pdf' } as const

export function labelsResult(printed: LabelFile | OneLabelJob) {
  return 'job' in printed ? { status: 202 as const, body: printed } : { status: 200 as const, ...printed }
}

export function labelFile(
  { format = 'png' }: LabelRequest,
  body: LabelFile['body'],
  { skipped }: { readonly skipped: readonly SkippedLabel[] },
): LabelFile {
  return {
    body,
    contentType: CONTENT_TYPE[format],
    headers: {
      'Content-Disposition': `attachment; filename="labels.${format === 'pdf' ? 'pdf' : 'zip'}"`,
      'X-Labels-Skipped': String(skipped.length),
    },
  }
}

export function labelJobResult(baseUrl: string, row: Omit<LabelJobRow, 'operatorId' | 'subject'>): OneLabelJob['job'] {
  const { id, status, createdAt, expiresAt, bytes, included, skipped } = row
  const { format = 'png' }: LabelRequest = JSON.parse(row.request)
  const url = `${baseUrl}/api/v1/label-jobs/${id}`
  const whenDone =
    status === 'done'
      ? { file: `${url}/file`, bytes: bytes ?? 0, included: included ?? 0, skipped: [...(skipped ?? [])] }
      : {}
  return { id, status, format, createdAt, expiresAt, url, ...whenDone }
}
