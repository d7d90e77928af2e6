import { isRecord } from '../../../src/plugin/index.ts'
import { badRequest } from '../../../src/plugin/module.ts'

const MAX_PRODUCTS = 100
const MAX_PAGE = 500
const USUAL_PAGE = 100

/** Members that implementers use for the set of product identifiers, which Table 16 leaves open. */
const MEMBERS = ['productIds', 'productId', 'productIdentifiers']
const PAGING = ['limit', 'cursor']

interface IdQuery {
  readonly productIds: readonly string[]
  readonly limit: number
  readonly cursor: string | undefined
}

/**
 * Reads a list of product identifiers, or an object with one; paging of the query takes precedence over that of the body.
 * @throws Problem 400
 */
export function readIdQuery(body: unknown, query: { readonly limit?: string; readonly cursor?: string }): IdQuery {
  const given = isRecord(body) ? body : {}
  const named = MEMBERS.filter((member) => given[member] !== undefined && given[member] !== null)
  const unknown = Object.keys(given).find((member) => ![...MEMBERS, ...PAGING].includes(member))
  if (unknown !== undefined) throw badRequest(`Unknown member "${unknown}". Send {"productIds": ["…"]}.`)
  if (named.length > 1) throw badRequest(`Send only one of ${named.join(', ')}.`)
  const list = Array.isArray(body) ? body : given[named[0] ?? '']
  const productIds = typeof list === 'string' ? [list] : list
  if (!isTextList(productIds)) throw badRequest('Send a list of product identifiers, such as {"productIds": ["…"]}.')
  if (productIds.length > MAX_PRODUCTS) {
    throw badRequest(`The list has ${productIds.length} product identifiers. The maximum is ${MAX_PRODUCTS}.`)
  }
  return {
    productIds,
    limit: readLimit(query.limit ?? given.limit ?? USUAL_PAGE),
    cursor: readCursor(query.cursor ?? given.cursor ?? undefined),
  }
}

const isTextList = (list: unknown): list is readonly string[] =>
  Array.isArray(list) &&
  list.length > 0 &&
  list.every((id) => typeof id === 'string' && id.trim() !== '' && id.length <= 2000)

function readLimit(given: unknown): number {
  const limit = typeof given === 'string' && /^\d{1,6}$/.test(given) ? Number(given) : given
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 1) {
    throw badRequest(`Invalid limit: send an integer from 1 to ${MAX_PAGE}.`)
  }
  return Math.min(limit, MAX_PAGE)
}

/** The cursor of a page is the last identifier of the page before, encoded. */
function readCursor(given: unknown): string | undefined {
  if (given === undefined) return undefined
  const text = typeof given === 'string' && /^[\w-]+$/.test(given) ? Buffer.from(given, 'base64url').toString() : ''
  if (!/^https?:\/\//.test(text)) throw badRequest('Invalid cursor: send the nextCursor of an earlier page.')
  return text
}

interface Page {
  readonly dppIds: readonly string[]
  readonly nextCursor?: string
}

export function pageAfter(ids: readonly string[], { limit, cursor }: IdQuery): Page {
  const rest = cursor === undefined ? ids : ids.filter((id) => id > cursor)
  const dppIds = rest.slice(0, limit)
  const last = dppIds.at(-1)
  if (rest.length <= limit || last === undefined) return { dppIds }
  return { dppIds, nextCursor: Buffer.from(last).toString('base64url') }
}
