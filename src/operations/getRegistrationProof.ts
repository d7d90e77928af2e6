import type { Cradle } from '../cradle.ts'
import type { PublicHandler } from '../http/handler.ts'

export default function getRegistrationProof({ registrations }: Cradle): PublicHandler<'getRegistrationProof'> {
  return async ({ path }) => {
    const { type, bytes } = await registrations.proof(path.id)
    const extension = type.replace('application/', '')
    return {
      status: 200,
      contentType: type,
      headers: {
        // Whatever a registry has sent, no browser runs it under this host's name.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Content-Disposition': `attachment; filename="registration-proof.${extension}"`,
      },
      body: bytes,
    }
  }
}
