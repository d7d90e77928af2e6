import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function downloadLabels({ labels }: Cradle): Handler<'downloadLabels', operations> {
  return async ({ path, principal }) => ({ status: 200, ...(await labels.file(principal, path.id)) })
}
