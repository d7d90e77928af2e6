import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function ingestPassportFromAas({ passportImport }: Cradle): Handler<'ingestPassportFromAas'> {
  return async ({ body, principal, lang }) => ({
    status: 201,
    body: await passportImport.ingest(principal, 'aas', body, lang),
  })
}
