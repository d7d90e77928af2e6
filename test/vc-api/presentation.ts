import { isRecord } from '../../src/domain/record.ts'
import { contextFindings, isUrl, listOf, typeFindings } from '../../src/verify/credential-content.ts'
import type { Finding } from '../../src/verify/verification.ts'

/** Findings about the structure of a presentation (W3C Verifiable Credentials Data Model 2.0). */
export function presentationFindings(presentation: unknown): Finding[] {
  if (!isRecord(presentation)) return [{ path: '', message: 'is not a JSON object' }]
  const { id, holder, verifiableCredential } = presentation
  const holderId = isRecord(holder) ? holder.id : holder
  return [
    ...contextFindings(presentation['@context']),
    ...typeFindings(presentation.type, 'VerifiablePresentation'),
    ...(id === undefined || isUrl(id) ? [] : [{ path: 'id', message: 'must be one URL' }]),
    ...(holder === undefined || isUrl(holderId)
      ? []
      : [{ path: 'holder', message: 'must be a URL, or an object with a URL as its id' }]),
    ...listOf(verifiableCredential).flatMap((entry, index) =>
      isRecord(entry) ? [] : [{ path: `verifiableCredential[${index}]`, message: 'must be an object' }],
    ),
  ]
}
