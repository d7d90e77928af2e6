import { serveThread } from '../../plugin/work-thread.ts'
import { revocationsAmong } from '../../verify/revocation.ts'
import { examineSeal, type SealFindings } from '../../verify/seal.ts'

/** A sealed document, and what decides whom its verifier trusts. */
export interface SealToExamine {
  /** JSON that was parsed by `parseGuardedJson` with `DOCUMENT_LIMITS` before. */
  readonly text: string
  readonly sealCa: string
  readonly timestampCa: string | undefined
  /** By serial number, as `revocationsAmong` takes them. */
  readonly revoked: ReadonlyMap<string, Date>
}

serveThread(({ text, revoked, ...trust }: SealToExamine): Promise<SealFindings> => {
  return examineSeal(JSON.parse(text), { ...trust, revocations: revocationsAmong(revoked) })
})
