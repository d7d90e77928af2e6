import { type Check, firstOf, needed, orUndefined, Skipped, shown, unless } from '../check.ts'
import { formOf, maybeForm, passportUrlOf } from '../formats.ts'
import { isRedirect, locationOf, type Probe } from '../probe.ts'
import { listIn, type Reply, statusOf } from '../reply.ts'

const READER = 'https://reader.example'

/** The passport as a browser gets it, else as JSON. */
const page = (probe: Probe) => probe.follow(passportUrlOf(probe), { accept: 'text/html, */*;q=0.1' })

const unknownUrl = (probe: Probe) => new URL('/no-such-address/of-this-service', passportUrlOf(probe)).href

function isServerError({ status }: Reply) {
  return status >= 500 && status !== 501
}

const noServerError = (name: string, title: string, request: (probe: Probe) => Promise<Reply>): Check => ({
  id: `http.${name}`,
  clause: 'RFC 9110, 15.6',
  title,
  async run(probe) {
    const reply = await request(probe)
    return unless(!isServerError(reply), `Status ${reply.status}.`)
  },
})

const withQuery = (probe: Probe, query: string) => {
  const url = passportUrlOf(probe)
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

export const HTTP_CHECKS: readonly Check[] = [
  {
    id: 'http.get',
    clause: 'RFC 9110, 9.3.1; EN 18219, 4.6.2',
    title: 'The address of the passport responds',
    run: async (probe) => statusOf(await probe.follow(passportUrlOf(probe)), 200),
  },
  {
    id: 'http.head',
    clause: 'RFC 9110, 9.3.2',
    title: 'HEAD responds as GET, without a body',
    async run(probe) {
      const url = passportUrlOf(probe)
      const [get, head] = [await probe.get(url), await probe.send('HEAD', url)]
      return firstOf(
        statusOf(head, get.status),
        unless(head.body.length === 0, 'The response has a body.'),
        unless(head.header('content-type') === get.header('content-type'), 'Content-Type differs.'),
        unless(head.header('location') === get.header('location'), 'Location differs.'),
      )
    },
  },
  {
    id: 'http.options',
    clause: 'RFC 9110, 9.3.7',
    title: 'OPTIONS lists the methods',
    should: true,
    async run(probe) {
      const reply = await probe.send('OPTIONS', passportUrlOf(probe))
      const fault = unless([200, 204].includes(reply.status), `Status ${reply.status}.`)
      return fault ?? unless(listIn(reply.header('allow')).includes('get'), `Allow is ${shown(reply.header('allow'))}.`)
    },
  },
  {
    id: 'http.cross-origin',
    clause: 'Fetch, 3.2; GS1-Conformant Resolver 1.2, 6.1',
    title: 'Pages of other origins may read the passport',
    async run(probe) {
      const reply = await probe.get(passportUrlOf(probe), { origin: READER, accept: 'application/json' })
      const allowed = reply.header('access-control-allow-origin')
      return unless(['*', READER].includes(allowed), `Access-Control-Allow-Origin is ${shown(allowed)}.`)
    },
  },
  {
    id: 'http.cross-origin-credentials',
    clause: 'Fetch, 3.2.5',
    title: 'Other origins may not send cookies',
    async run(probe) {
      const reply = await probe.get(passportUrlOf(probe), { origin: READER, accept: 'application/json' })
      return unless(reply.header('access-control-allow-credentials') !== 'true', 'Credentials are allowed.')
    },
  },
  {
    id: 'http.unknown-address',
    clause: 'RFC 9110, 15.5.5',
    title: 'An unknown address is not found',
    run: async (probe) => statusOf(await probe.get(unknownUrl(probe)), 404, 400, 410),
  },
  {
    id: 'http.unknown-method',
    clause: 'RFC 9110, 9.1',
    title: 'An unknown method is rejected',
    async run(probe) {
      const reply = await orUndefined(probe.send('BREW', passportUrlOf(probe)))
      if (reply === undefined) throw new Skipped('the connection is closed')
      return unless(reply.status >= 400 && reply.status !== 500, `Status ${reply.status}.`)
    },
  },
  {
    id: 'http.trace',
    clause: 'RFC 9110, 9.3.8',
    title: 'TRACE returns no headers of the request',
    async run(probe) {
      const reply = await probe.send('TRACE', passportUrlOf(probe), { 'x-conformance': 'reflected' })
      return unless(!reply.text.includes('reflected'), 'The response has the headers of the request.')
    },
  },
  {
    id: 'http.content-type',
    clause: 'RFC 9110, 8.3',
    title: 'A response with a body has a Content-Type',
    async run(probe) {
      const reply = await probe.follow(passportUrlOf(probe))
      return unless(reply.body.length === 0 || reply.type !== '', 'Content-Type is missing.')
    },
  },
  {
    id: 'http.charset',
    clause: 'HTML, 4.2.5.4; RFC 8259, 8.1',
    title: 'Texts are UTF-8',
    async run(probe) {
      const reply = await page(probe)
      const [, charset] = /charset="?([\w-]+)/i.exec(reply.header('content-type')) ?? []
      const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset)
      return unless(isUtf8 && !reply.text.includes('\uFFFD'), `Content-Type is ${shown(reply.header('content-type'))}.`)
    },
  },
  {
    id: 'http.no-sniffing',
    clause: 'Fetch, 3.6',
    title: 'Browsers may not guess the type',
    should: true,
    async run(probe) {
      const value = (await page(probe)).header('x-content-type-options')
      return unless(value.toLowerCase() === 'nosniff', `X-Content-Type-Options is ${shown(value)}.`)
    },
  },
  {
    id: 'http.date',
    clause: 'RFC 9110, 6.6.1',
    title: 'A response has the present date',
    should: true,
    async run(probe) {
      const { date = '' } = (await probe.getAgain(passportUrlOf(probe))).headers
      const age = Math.abs(Date.now() - Date.parse(date))
      return unless(age < 10 * 60_000, `Date is ${shown(date)}.`)
    },
  },
  {
    id: 'http.vary',
    clause: 'RFC 9110, 12.5.5',
    title: 'A negotiated response varies by Accept',
    async run(probe) {
      const [html, json] = [await maybeForm(probe, 'html'), await probe.follow(passportUrlOf(probe))]
      needed((html !== undefined && html.type !== json.type) || undefined, 'the service does not negotiate formats')
      const names = listIn(html?.header('vary') ?? '')
      return unless(names.includes('accept'), `Vary is ${shown(html?.header('vary'))}.`)
    },
  },
  {
    id: 'http.quality-values',
    clause: 'RFC 9110, 12.5.1',
    title: 'Quality values of Accept are weighed',
    async run(probe) {
      const url = passportUrlOf(probe)
      await formOf(probe, 'html')
      const html = await probe.follow(url, { accept: 'application/json;q=0.1, application/ld+json;q=0.1, text/html' })
      const json = await probe.follow(url, { accept: 'application/json, application/ld+json;q=0.9, text/html;q=0.1' })
      return firstOf(
        unless(html.type === 'text/html', `HTML was preferred, but the response is ${html.type}.`),
        unless(json.isJson, `JSON was preferred, but the response is ${json.type}.`),
      )
    },
  },
  {
    id: 'http.zero-quality',
    clause: 'RFC 9110, 12.4.2',
    title: 'A type with quality 0 is not served',
    should: true,
    async run(probe) {
      await formOf(probe, 'html')
      const reply = await probe.follow(passportUrlOf(probe), {
        accept: 'text/html;q=0, application/json, application/ld+json',
      })
      return unless(reply.type !== 'text/html', 'The response is text/html.')
    },
  },
  noServerError('unknown-type', 'An unknown type in Accept causes no server error', (probe) =>
    probe.follow(passportUrlOf(probe), { accept: 'application/x-unknown' }),
  ),
  noServerError('broken-accept', 'A malformed Accept causes no server error', (probe) =>
    probe.follow(passportUrlOf(probe), { accept: ';;q=x,/,*' }),
  ),
  noServerError('broken-query', 'A malformed query causes no server error', (probe) =>
    probe.follow(withQuery(probe, 'a=%zz&&=&%00')),
  ),
  noServerError('broken-language', 'A malformed Accept-Language causes no server error', (probe) =>
    probe.follow(passportUrlOf(probe), { 'accept-language': 'xx-*-;q=,,9', accept: 'text/html' }),
  ),
  noServerError('long-query', 'A long query causes no server error', (probe) =>
    probe.follow(withQuery(probe, `a=${'b'.repeat(7000)}`)),
  ),
  {
    id: 'http.extra-parameter',
    clause: 'RFC 9110, 4.2.2; EN 18220, 5.3',
    title: 'Parameters that scanners add do not hide the passport',
    run: async (probe) => statusOf(await probe.follow(withQuery(probe, 'utm_source=scan')), 200),
  },
  {
    id: 'http.compression',
    clause: 'RFC 9110, 12.5.3',
    title: 'A response is compressed only as requested',
    async run(probe) {
      const plain = await probe.follow(passportUrlOf(probe), { 'accept-encoding': 'identity', accept: 'text/html' })
      const gzip = await probe.follow(passportUrlOf(probe), { 'accept-encoding': 'gzip', accept: 'text/html' })
      const [none, some] = [plain.header('content-encoding'), gzip.header('content-encoding')]
      return firstOf(
        unless(['', 'identity'].includes(none), `Content-Encoding is ${none} without a request.`),
        unless(['', 'identity', 'gzip', 'x-gzip'].includes(some), `Content-Encoding is ${some} instead of gzip.`),
      )
    },
  },
  {
    id: 'http.varies-by-encoding',
    clause: 'RFC 9110, 12.5.5',
    title: 'A compressed response varies by Accept-Encoding',
    async run(probe) {
      const reply = await probe.follow(passportUrlOf(probe), { 'accept-encoding': 'gzip', accept: 'text/html' })
      needed(reply.header('content-encoding') || undefined, 'the service does not compress')
      return unless(listIn(reply.header('vary')).includes('accept-encoding'), `Vary is ${shown(reply.header('vary'))}.`)
    },
  },
  {
    id: 'http.redirects',
    clause: 'RFC 9110, 15.4; EN 18216, 4',
    title: 'Redirections lead to the passport, never from HTTPS to HTTP',
    async run(probe) {
      let reply = await probe.get(passportUrlOf(probe))
      needed(isRedirect(reply) || undefined, 'the address does not redirect')
      const visited = new Set<string>()
      while (isRedirect(reply)) {
        const next = locationOf(reply)
        if (visited.has(next)) return `Redirections repeat ${next}.`
        if (reply.request.url.startsWith('https:') && next.startsWith('http:')) return `${next} is not HTTPS.`
        visited.add(next)
        reply = await probe.get(next)
      }
      return statusOf(reply, 200)
    },
  },
]
