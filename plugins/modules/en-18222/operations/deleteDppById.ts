import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function deleteDppById({ enWrites }: Cradle): Handler<'deleteDppById', operations> {
  return async ({ path, principal }) => {
    await enWrites.remove(principal, path.dppId)
    return { status: 204 }
  }
}
