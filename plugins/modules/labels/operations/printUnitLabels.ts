import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'
import { labelsResult } from '../labels-result.ts'

export default function printUnitLabels({ labels }: Cradle): Handler<'printUnitLabels', operations> {
  return async ({ body, principal, lang }) =>
    labelsResult(await labels.print(principal, { ...body, lang, subject: 'unit' }))
}
