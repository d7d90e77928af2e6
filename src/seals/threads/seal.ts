import type { JsonRecord } from '../../domain/record.ts'
import { serveThread } from '../../plugin/work-thread.ts'
import { revocationsAmong } from '../../verify/revocation.ts'
import { examineSeal, type SealFindings } from '../../verify/seal.ts'

export interface SealToExamine {
  /** JSON validated by `parseGuardedJson` with `DOCUMENT_LIMITS`. */
  readonly text: string
  readonly proof: JsonRecord
  readonly sealCa: string
  readonly timestampCa: string | undefined
  readonly revoked: ReadonlyMap<string, Date>
}

serveThread(({ text, proof, revoked, ...trust }: SealToExamine): Promise<SealFindings> => {
  return examineSeal({ ...JSON.parse(text), proof }, { ...trust, revocations: revocationsAmong(revoked) })
})
