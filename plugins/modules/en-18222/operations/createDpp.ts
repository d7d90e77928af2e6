import type { IdempotentHandler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function createDpp({
  enWrites,
  config: { baseUrl },
}: Cradle): IdempotentHandler<'createDpp', operations> {
  return async ({ body, principal, lang, scope, target }) => {
    const digitalProductPassportId = await enWrites.create(principal, body, lang, scope)
    const path = target.split('?', 1)[0]
    return {
      status: 201,
      body: { digitalProductPassportId },
      headers: { Location: `${baseUrl}${path}/${encodeURIComponent(digitalProductPassportId)}` },
    }
  }
}
