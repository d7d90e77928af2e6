import type { Cradle } from '../cradle.ts'
import type { Handler } from '../http/handler.ts'
import { labelsResult } from '../http/labels-result.ts'

export default function printPassportLabels({ labels }: Cradle): Handler<'printPassportLabels'> {
  return async ({ body, principal, lang }) =>
    labelsResult(await labels.print(principal, { ...body, lang, subject: 'passport' }))
}
