import { isRecord } from '../../../../src/plugin/index.ts'
import { type Check, firstOf, needed, shown, unless } from '../check.ts'
import { dppIdOf, offered, productIdOf, search } from '../en18222.ts'
import type { Probe } from '../probe.ts'
import { type Reply, statusOf, typeOf } from '../reply.ts'

const CLAUSE = 'EN 18222, 4.5, Table 4'
const NAMES = ['dppIds', 'items', 'payload', 'dppIdentifiers', 'digitalProductPassportIds']

/** Identifiers in the forms of all known implementations: a list, or a member of an object. */
function idsIn(value: unknown, depth = 0): string[] {
  if (Array.isArray(value)) return value.filter((id) => typeof id === 'string')
  if (!isRecord(value) || depth > 2) return []
  return NAMES.flatMap((name) => idsIn(value[name], depth + 1))
}

const isNotOffered = (reply: Reply) => offered(reply, 'ReadDPPIdsByProductIds')

async function find(probe: Probe, body: unknown, query = ''): Promise<Reply> {
  return isNotOffered(await probe.post(search(probe, query), body))
}

/** The search in the first accepted form of the body. */
async function findOwn(probe: Probe, query = '', ids = [productIdOf(probe)]): Promise<Reply> {
  let reply = await find(probe, ids, query)
  if (reply.status === 400) reply = await find(probe, { productIds: ids }, query)
  return reply
}

const bodyForm = (name: string, toBody: (id: string) => unknown, title: string): Check => ({
  id: `en18222-search.${name}`,
  clause: CLAUSE,
  title,
  should: true,
  async run(probe) {
    const reply = await find(probe, toBody(productIdOf(probe)))
    return (
      statusOf(reply, 200) ??
      unless(idsIn(reply.json()).includes(dppIdOf(probe)), `The response is ${shown(reply.json())}.`)
    )
  },
})

const badRequest = (name: string, title: string, body: unknown, query = '', should?: true): Check => ({
  id: `en18222-search.${name}`,
  clause: 'EN 18222, 4.5 and 7.2, Table 15',
  title,
  ...(should && { should }),
  async run(probe) {
    const isOwn = body === undefined
    return statusOf(isOwn ? await findOwn(probe, query) : await find(probe, body, query), 400)
  },
})

/** ReadDPPIdsByProductIds. */
export const SEARCH_CHECKS: readonly Check[] = [
  {
    id: 'en18222-search.finds',
    clause: CLAUSE,
    title: 'ReadDPPIdsByProductIds finds the passport without credentials',
    async run(probe) {
      const reply = await findOwn(probe)
      const fault = firstOf(statusOf(reply, 200), typeOf(reply, 'application/json'))
      return fault ?? unless(idsIn(reply.json()).includes(dppIdOf(probe)), `The response is ${shown(reply.json())}.`)
    },
  },
  bodyForm('list-body', (id) => [id], 'The body may be a list of product identifiers'),
  bodyForm('object-body', (id) => ({ productIds: [id] }), 'The body may be an object with productIds'),
  bodyForm('table-4-body', (id) => ({ productId: [id] }), 'The body may be an object with productId'),
  badRequest('not-json', 'A body that is not JSON is a bad request', '{not json'),
  badRequest('wrong-type', 'A product identifier that is not a text is a bad request', { productId: 42 }),
  badRequest('no-ids', 'An empty set of product identifiers is a bad request', []),
  badRequest('limit-zero', 'A limit of 0 is a bad request', undefined, '?limit=0'),
  badRequest('limit-text', 'A limit that is not a number is a bad request', undefined, '?limit=many'),
  badRequest('cursor-empty', 'An empty cursor is a bad request', undefined, '?cursor=', true),
  {
    id: 'en18222-search.unknown-product',
    clause: CLAUSE,
    title: 'An unknown product has no passports',
    async run(probe) {
      const reply = await findOwn(probe, '', ['https://unknown.example/01/09506000134352/21/unknown'])
      return (
        statusOf(reply, 200, 404) ??
        unless(reply.status === 404 || idsIn(reply.json()).length === 0, `The response is ${shown(reply.json())}.`)
      )
    },
  },
  {
    id: 'en18222-search.limit',
    clause: 'EN 18222, 4.5 and 8.1',
    title: 'A limit of 1 returns at most one identifier',
    async run(probe) {
      const reply = await findOwn(probe, '?limit=1')
      return statusOf(reply, 200) ?? unless(idsIn(reply.json()).length === 1, `The response is ${shown(reply.json())}.`)
    },
  },
  {
    id: 'en18222-search.repeated',
    clause: CLAUSE,
    title: 'A product that is requested twice has its passport once',
    async run(probe) {
      const id = productIdOf(probe)
      const reply = await findOwn(probe, '', [id, id])
      const found = statusOf(reply, 200) === undefined ? idsIn(reply.json()) : []
      needed(found[0], 'the search does not find the passport')
      return unless(new Set(found).size === found.length, `The response is ${shown(found)}.`)
    },
  },
  {
    id: 'en18222-search.hundred',
    clause: CLAUSE,
    title: '100 product identifiers are accepted',
    should: true,
    async run(probe) {
      const others = Array.from({ length: 99 }, (_, index) => `https://unknown.example/01/09506000134352/21/${index}`)
      const reply = await findOwn(probe, '', [...others, productIdOf(probe)])
      return (
        statusOf(reply, 200) ??
        unless(idsIn(reply.json()).includes(dppIdOf(probe)), 'The passport is not in the response.')
      )
    },
  },
  {
    id: 'en18222-search.no-read',
    clause: 'RFC 9110, 15.5.6',
    title: 'The address of the search has no GET',
    async run(probe) {
      return statusOf(isNotOffered(await probe.get(search(probe))), 405, 400, 401, 404)
    },
  },
]
