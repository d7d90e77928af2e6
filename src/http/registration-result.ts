import type { ProofType } from '../domain/registry.ts'
import type { Content } from '../domain/schema.ts'

/** Returns a registration with a link to its metadata schema (RFC 8288). */
export function registrationResult<S extends number>(status: S, body: Content<'PassportRegistration'>) {
  const { metadataSchema } = body
  const headers: Record<string, string> =
    metadataSchema === null ? {} : { Link: `<${metadataSchema}>; rel="describedby"; type="application/schema+json"` }
  return { status, body, headers }
}

/** Returns a registry's proof as an attachment that browsers do not run on this host. */
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
