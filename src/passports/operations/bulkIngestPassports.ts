import type { Cradle } from '../../cradle.ts'
import type { IdempotentHandler } from '../../http/handler.ts'

export default function bulkIngestPassports({ passportIntake }: Cradle): IdempotentHandler<'bulkIngestPassports'> {
  return async ({ body: { passports, dryRun: preview = false }, principal, lang, scope }) => {
    const body = await passportIntake.ingest(principal, passports, { lang, preview }, scope)
    return preview ? { status: 200, body } : { status: 201, body }
  }
}
