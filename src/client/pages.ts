import { OPERATIONS } from '../generated/client-operations.ts'
import type { Call, CallOptions } from './call.ts'
import type { OperationId, OperationRow } from './contract.ts'

export async function* itemsOf(
  call: Call,
  id: OperationId,
  parameters: Readonly<Record<string, unknown>> = {},
  options: CallOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { pages }: OperationRow = OPERATIONS[id]
  if (pages === undefined) return
  let next: unknown
  do {
    const pageParameters = next === undefined ? parameters : { ...parameters, [pages.by]: next }
    const { answer, headers } = await call(id, pageParameters, options)
    const page = answer as Page
    const items = pages.items.split('.').reduce<unknown>((of, name) => (of as Page)[name], page) as readonly unknown[]
    yield* items
    next = items.length === 0 ? undefined : nextOf(pages, page, headers, items.length)
  } while (next !== undefined && next !== null)
}

type Page = Readonly<Record<string, unknown>>

/** Returns the next value of the paging parameter; undefined after the last page. */
function nextOf(
  { by, from }: NonNullable<OperationRow['pages']>,
  page: Page,
  headers: Headers,
  count: number,
): unknown {
  if (from === 'Link') return linked(headers.get('link'), by)
  if (from !== 'page') return page[from]
  const number = Number(page.page)
  // The passport list has no total: it ends with an incomplete page.
  const isLast = page.totalPages === undefined ? count < Number(page.limit) : number >= Number(page.totalPages)
  return isLast ? undefined : number + 1
}

/** Returns a parameter of the `next` link (RFC 8288). */
function linked(header: string | null, name: string): string | undefined {
  const [, target] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(header ?? '') ?? []
  return target === undefined ? undefined : (new URL(target, 'http://localhost').searchParams.get(name) ?? undefined)
}
