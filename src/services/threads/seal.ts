import type { JsonRecord } from '../../domain/record.ts'
import { serveThread } from '../../plugin/work-thread.ts'
import { revocationsAmong } from '../../verify/revocation.ts'
import { examineSeal, type SealFindings } from '../../verify/seal.ts'

/** A sealed document without its proof, the proof, and what decides whom its verifier trusts. */
export interface SealToExamine {
  /** JSON that was parsed by `parseGuardedJson` with `DOCUMENT_LIMITS` before. */
  readonly text: string
  readonly proof: JsonRecord
  readonly sealCa: string
  readonly timestampCa: string | undefined
  /** By serial number, as `revocationsAmong` takes them. */
  readonly revoked: ReadonlyMap<string, Date>
}

serveThread(({ text, proof, revoked, ...trust }: SealToExamine): Promise<SealFindings> => {
  return examineSeal({ ...JSON.parse(text), proof }, { ...trust, revocations: revocationsAmong(revoked) })
})
