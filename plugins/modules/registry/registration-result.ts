import type { components } from './generated.ts'
import type { ProofType } from './registry-entry.ts'

type Registration = Omit<components['schemas']['PassportRegistration'], 'success'>

/** Links the metadata schema (RFC 8288). */
export function registrationResult<S extends number>(status: S, body: Registration) {
  const { metadataSchema } = body
  const headers: Record<string, string> =
    metadataSchema === null ? {} : { Link: `<${metadataSchema}>; rel="describedby"; type="application/schema+json"` }
  return { status, body, headers }
}

/** An attachment, so that browsers do not run it on this host. */
export function proofResult({ type, bytes }: { readonly type: ProofType; readonly bytes: Buffer }) {
  const extension = type.replace('application/', '')
  return {
    status: 200 as const,
    contentType: type,
    headers: {
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Content-Disposition': `attachment; filename="registration-proof.${extension}"`,
    },
    body: bytes,
  }
}
