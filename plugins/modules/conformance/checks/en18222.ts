import { isDeepStrictEqual } from 'node:util'
import { type Check, firstOf, joined, needed, shown, unless } from '../check.ts'
import { apiOf, byId, byProduct, compressed, dppIdOf, full, offered, productIdOf } from '../en18222.ts'
import { listIn, statusOf, typeOf } from '../reply.ts'

const JSON_TYPE = 'application/json'

/** ReadDPPById and ReadDPPByProductId. */
export const EN18222_CHECKS: readonly Check[] = [
  {
    id: 'en18222.version-prefix',
    clause: 'EN 18222, 8.1, Tables 16 to 18',
    title: 'Addresses of operations begin with v1/',
    run: async (probe) => unless(/\/v1$/.test(apiOf(probe)), `The base is ${apiOf(probe)}.`),
  },
  {
    id: 'en18222.read-by-id',
    clause: 'EN 18222, 4.2 and 8.2',
    title: 'ReadDPPById returns the passport without credentials',
    async run(probe) {
      const reply = await probe.get(byId(probe))
      return firstOf(statusOf(reply, 200), typeOf(reply, JSON_TYPE))
    },
  },
  {
    id: 'en18222.read-by-id-identifier',
    clause: 'EN 18222, 4.2, Table 1',
    title: 'ReadDPPById returns the requested identifier',
    async run(probe) {
      const { digitalProductPassportId: id } = await compressed(probe)
      return unless(id === dppIdOf(probe), `digitalProductPassportId is ${shown(id)}.`)
    },
  },
  {
    id: 'en18222.read-by-product',
    clause: 'EN 18222, 4.3 and 8.2',
    title: 'ReadDPPByProductId returns a passport without credentials',
    async run(probe) {
      const reply = await probe.get(byProduct(probe))
      return firstOf(statusOf(reply, 200), typeOf(reply, JSON_TYPE))
    },
  },
  {
    id: 'en18222.read-by-product-identifier',
    clause: 'EN 18222, 4.3, Table 2',
    title: 'ReadDPPByProductId returns the product identifier letter for letter',
    async run(probe) {
      const { uniqueProductIdentifier: id } = (await probe.get(byProduct(probe))).record()
      return unless(id === productIdOf(probe), `uniqueProductIdentifier is ${shown(id)}.`)
    },
  },
  {
    id: 'en18222.same-document',
    clause: 'EN 18222, 4.2 and 4.3',
    title: 'Both operations return the same passport',
    async run(probe) {
      const reply = await probe.get(byProduct(probe))
      needed(reply.status === 200 || undefined, 'ReadDPPByProductId returns no passport')
      return unless(isDeepStrictEqual(reply.record(), await compressed(probe)), 'The documents differ.')
    },
  },
  {
    id: 'en18222.no-envelope',
    clause: 'EN 18222, 7.2',
    title: 'A successful response is the document itself',
    async run(probe) {
      const document = await compressed(probe)
      const names = ['payload', 'statusCode'].filter((name) => Object.hasOwn(document, name))
      return joined(names.map((name) => `the response has ${name}`))
    },
  },
  {
    id: 'en18222.default-form',
    clause: 'EN 18222, 8.1; EN 18223, 5.2.2',
    title: 'The compressed form is the default',
    async run(probe) {
      return unless(!Array.isArray((await compressed(probe)).elements), 'The response has elements, as the full form.')
    },
  },
  {
    id: 'en18222.compressed-form',
    clause: 'EN 18222, 8.1',
    title: 'representation=compressed returns the default form',
    async run(probe) {
      const reply = await probe.get(byId(probe, '?representation=compressed'))
      return (
        statusOf(reply, 200) ??
        unless(isDeepStrictEqual(reply.record(), await compressed(probe)), 'It differs from the default response.')
      )
    },
  },
  {
    id: 'en18222.full-form',
    clause: 'EN 18222, 8.1; EN 18223, Annex A',
    title: 'representation=full returns elements with elementId and objectType',
    async run(probe) {
      const reply = await probe.get(byId(probe, '?representation=full'))
      const fault = firstOf(statusOf(reply, 200), typeOf(reply, JSON_TYPE))
      if (fault !== undefined) return fault
      const { elements } = reply.record()
      const [first] = Array.isArray(elements) ? elements : []
      return unless(
        typeof first?.elementId === 'string' && typeof first?.objectType === 'string',
        `elements is ${shown(elements)}.`,
      )
    },
  },
  {
    id: 'en18222.full-form-by-product',
    clause: 'EN 18222, 8.1',
    title: 'ReadDPPByProductId offers the full form too',
    async run(probe) {
      const large = await full(probe)
      const reply = await probe.get(byProduct(probe, '?representation=full'))
      return statusOf(reply, 200) ?? unless(isDeepStrictEqual(reply.record(), large), 'It differs from ReadDPPById.')
    },
  },
  {
    id: 'en18222.unknown-form',
    clause: 'EN 18222, 8.1 and Table 15',
    title: 'An unknown representation is a bad request',
    should: true,
    run: async (probe) => statusOf(await probe.get(byId(probe, '?representation=unknown-form')), 400),
  },
  {
    id: 'en18222.lower-case-escapes',
    clause: 'RFC 3986, 6.2.2.1',
    title: 'Percent-encoding with small letters is equivalent',
    async run(probe) {
      const url = byId(probe)
      const lower = url.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase())
      needed(url === lower ? undefined : lower, 'the identifier has no letters in escapes')
      return statusOf(await probe.get(lower), 200)
    },
  },
  {
    id: 'en18222.unreserved-escapes',
    clause: 'RFC 3986, 6.2.2.2',
    title: 'Percent-encoded unreserved characters are equivalent',
    async run(probe) {
      const id = dppIdOf(probe)
      const last = `%${id
        .charCodeAt(id.length - 1)
        .toString(16)
        .toUpperCase()}`
      needed(/[A-Za-z0-9]$/.test(id) || undefined, 'the identifier does not end with an unreserved character')
      return statusOf(await probe.get(byId(probe).slice(0, -1) + last), 200)
    },
  },
  {
    id: 'en18222.double-encoding',
    clause: 'EN 18222, 8.1; RFC 3986, 2.4',
    title: 'A doubly encoded identifier is another identifier',
    async run(probe) {
      const url = byId(probe)
      const at = apiOf(probe).length
      const doubled = url.slice(0, at) + url.slice(at).replaceAll('%', '%25')
      needed(doubled === url ? undefined : doubled, 'the identifier needs no encoding')
      return statusOf(await probe.get(doubled), 404, 400)
    },
  },
  {
    id: 'en18222.head',
    clause: 'RFC 9110, 9.3.2',
    title: 'HEAD of a passport responds as GET, without a body',
    async run(probe) {
      const [get, head] = [await probe.get(byId(probe)), await probe.send('HEAD', byId(probe))]
      return firstOf(
        statusOf(head, get.status),
        typeOf(head, get.type),
        unless(head.body.length === 0, 'The response has a body.'),
      )
    },
  },
  {
    id: 'en18222.cross-origin',
    clause: 'EN 18219, 4.6.2; Fetch, 3.2',
    title: 'Pages of other origins may read public passports',
    should: true,
    async run(probe) {
      const reply = await probe.get(byId(probe), { origin: 'https://reader.example' })
      const allowed = reply.header('access-control-allow-origin')
      return unless(
        ['*', 'https://reader.example'].includes(allowed),
        `Access-Control-Allow-Origin is ${shown(allowed)}.`,
      )
    },
  },
  {
    id: 'en18222.validator',
    clause: 'RFC 9110, 8.8.3 and 13.1.2',
    title: 'A passport has an entity tag, and 304 responds to it',
    should: true,
    async run(probe) {
      const etag = (await probe.get(byId(probe))).header('etag')
      if (etag === '') return 'ETag is missing.'
      return statusOf(await probe.get(byId(probe), { 'if-none-match': etag }), 304)
    },
  },
  {
    id: 'en18222.form-tags',
    clause: 'RFC 9110, 8.8.3',
    title: 'Both forms have different entity tags',
    async run(probe) {
      const tag = needed((await probe.get(byId(probe))).header('etag') || undefined, 'the response has no ETag')
      const other = (await probe.get(byId(probe, '?representation=full'))).header('etag')
      return unless(tag !== other, `Both have ${tag}.`)
    },
  },
  {
    id: 'en18222.varies',
    clause: 'RFC 9110, 12.5.5; EN 18239, 4.2',
    title: 'A stored public passport is not served to callers with credentials',
    async run(probe) {
      const reply = await probe.get(byId(probe))
      const isShared = !/no-store|private/.test(reply.header('cache-control'))
      needed((isShared && probe.target.grant) || undefined, 'no --grant, or the response is not stored')
      return unless(listIn(reply.header('vary')).includes('authorization'), `Vary is ${shown(reply.header('vary'))}.`)
    },
  },
  {
    id: 'en18222.stable',
    clause: 'EN 18221, 4.1',
    title: 'Two reads of an unchanged passport have the same bytes',
    async run(probe) {
      const [one, other] = [await probe.get(byId(probe)), await probe.getAgain(byId(probe))]
      return unless(one.body.equals(other.body), 'The bodies differ.')
    },
  },
  {
    id: 'en18222.unknown-method',
    clause: 'EN 18222, 7.2, Table 15; RFC 9110, 15.5.6',
    title: 'A method that an address does not have is rejected',
    writes: true,
    async run(probe) {
      const reply = offered(await probe.post(byProduct(probe), '{}'), 'POST')
      return statusOf(reply, 405, 400, 401, 403, 404)
    },
  },
]
