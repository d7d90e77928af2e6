import type { Handler } from '../../../../src/plugin/module.ts'
import type { Cradle } from '../cradle.ts'
import type { operations } from '../generated.ts'

export default function deletePassportLink({ links }: Cradle): Handler<'deletePassportLink', operations> {
  return async ({ path, principal }) => {
    await links.remove(principal, path.id)
    return { status: 200, body: { message: 'The link is removed.' } }
  }
}
