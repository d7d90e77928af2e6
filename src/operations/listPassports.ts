import type { Cradle } from '../cradle.ts'
import { JSON_TYPE } from '../http/default-headers.ts'
import type { Handler } from '../http/handler.ts'

export default function listPassports({ passports }: Cradle): Handler<'listPassports'> {
  return async ({ query, principal }) => {
    const { page, limit, passports: items } = await passports.list(principal, query)
    // Its passports are texts already.
    const body = `{"success":true,"page":${page},"limit":${limit},"passports":[${items.join()}]}`
    return { status: 200, body, contentType: JSON_TYPE }
  }
}
