import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'

export default function registerFacility({ facilities }: Cradle): Handler<'registerFacility'> {
  return async ({ body, principal }) => {
    const facility = await facilities.register(principal, body)
    return { status: 201, body: { message: 'Facility registered successfully', facility } }
  }
}
