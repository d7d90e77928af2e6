import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function getLabelJob({ labels }: Cradle): Handler<'getLabelJob', operations> {
  return async ({ path, principal }) => ({ status: 200, body: await labels.job(principal, path.id) })
}
