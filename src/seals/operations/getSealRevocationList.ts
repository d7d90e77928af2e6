import type { Cradle } from '../../cradle.ts'
import { notFound, unavailable } from '../../domain/problem.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getSealRevocationList({ sealCa }: Cradle): PublicHandler<'getSealRevocationList'> {
  return async ({ path }) => {
    const list = await sealCa.revocationList(Number(path.number)).catch((cause) => {
      throw unavailable('Revocation list not available', 2, cause)
    })
    if (list === undefined) throw notFound('No seal CA with this number.')
    return {
      status: 200,
      contentType: 'application/pkix-crl',
      headers: { 'Cache-Control': 'public, max-age=3600' },
      body: list,
    }
  }
}
