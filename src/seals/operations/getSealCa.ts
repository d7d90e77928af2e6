import type { Cradle } from '../../cradle.ts'
import { unavailable } from '../../domain/problem.ts'
import type { PublicHandler } from '../../http/handler.ts'

export default function getSealCa({ sealCa }: Cradle): PublicHandler<'getSealCa'> {
  return async () => ({
    status: 200,
    contentType: 'application/x-pem-file',
    headers: { 'Cache-Control': 'public, max-age=3600' },
    body: await sealCa.pem().catch((cause) => {
      throw unavailable('Seal CA not available', 2, cause)
    }),
  })
}
