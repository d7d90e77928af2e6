import type { Cradle } from '../../cradle.ts'
import type { Handler } from '../../http/handler.ts'
import { describeCaller } from '../describe-caller.ts'

export default function whoami({ database }: Cradle): Handler<'whoami'> {
  return async ({ principal }) => ({
    status: 200,
    body: await describeCaller(database, principal),
  })
}
