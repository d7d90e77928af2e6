import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function passportVcReadinessReport({ passports }: Cradle): Handler<'passportVcReadinessReport'> {
  return async ({ principal, query }) => ({
    status: 200,
    body: await passports.vcReadiness(principal, query),
  })
}
