import type { Cradle } from '../../cradle.ts'
import { bytesOf } from '../../domain/text.ts'
import { JSON_TYPE } from '../../http/default-headers.ts'
import type { Handler } from '../../http/handler.ts'

export default function listPassports({ passports }: Cradle): Handler<'listPassports'> {
  return async ({ query, principal }) => {
    const { page, limit, passports: items } = await passports.list(principal, query)
    // Passports are already JSON text.
    const listed = items.flatMap((item, index) => (index === 0 ? item : [',', ...item]))
    const head = `{"success":true,"page":${page},"limit":${limit},"passports":[`
    return { status: 200, body: bytesOf([head, ...listed, ']}']), contentType: JSON_TYPE }
  }
}
