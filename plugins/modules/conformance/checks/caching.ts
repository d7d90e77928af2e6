import { type Check, firstOf, needed, shown, unless } from '../check.ts'
import { formOf, maybeForm, passportUrlOf } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { listIn, type Reply, statusOf } from '../reply.ts'

const MAX_AGE_SECONDS = 24 * 60 * 60

const json = (probe: Probe) => probe.follow(passportUrlOf(probe), { accept: 'application/json' })

async function tagged(probe: Probe): Promise<{ reply: Reply; etag: string }> {
  const reply = await json(probe)
  return {
    reply,
    etag: needed(reply.header('etag') || undefined, 'the passport has no ETag, which another check reports'),
  }
}

const again = (probe: Probe, { request }: Reply, headers: Readonly<Record<string, string>>) =>
  probe.getAgain(request.url, { ...request.headers, ...headers })

const isShared = (caching: string) => !/\b(?:private|no-store)\b/.test(caching)

export const CACHING_CHECKS: readonly Check[] = [
  {
    id: 'caching.etag',
    clause: 'RFC 9110, 8.8.3',
    title: 'The passport has an entity tag',
    async run(probe) {
      const { etag = '' } = (await json(probe)).headers
      return unless(/^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag), `ETag is ${shown(etag)}.`)
    },
  },
  {
    id: 'caching.not-modified',
    clause: 'RFC 9110, 13.1.2 and 15.4.5',
    title: 'An unchanged passport is not sent again',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      const known = await again(probe, reply, { 'if-none-match': etag })
      return firstOf(statusOf(known, 304), unless(known.body.length === 0, 'The response has a body.'))
    },
  },
  {
    id: 'caching.not-modified-tag',
    clause: 'RFC 9110, 15.4.5',
    title: '304 has the entity tag of the passport',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      const known = await again(probe, reply, { 'if-none-match': etag })
      needed(known.status === 304 || undefined, 'the service does not respond with 304')
      return unless(
        known.header('etag').replace('W/', '') === etag.replace('W/', ''),
        `ETag is ${shown(known.header('etag'))}.`,
      )
    },
  },
  {
    id: 'caching.several-tags',
    clause: 'RFC 9110, 13.1.2',
    title: 'One of several entity tags is enough',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      return statusOf(await again(probe, reply, { 'if-none-match': `"other", ${etag}` }), 304)
    },
  },
  {
    id: 'caching.weak-tag',
    clause: 'RFC 9110, 13.1.2',
    title: 'If-None-Match compares weakly',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      const weak = etag.startsWith('W/') ? etag.slice(2) : `W/${etag}`
      return statusOf(await again(probe, reply, { 'if-none-match': weak }), 304)
    },
  },
  {
    id: 'caching.other-tag',
    clause: 'RFC 9110, 13.1.2',
    title: 'A changed passport is sent',
    async run(probe) {
      const { reply } = await tagged(probe)
      return statusOf(await again(probe, reply, { 'if-none-match': '"another-version"' }), 200)
    },
  },
  {
    id: 'caching.tags-of-formats',
    clause: 'RFC 9110, 8.8.3',
    title: 'Formats have different entity tags',
    async run(probe) {
      const { etag } = await tagged(probe)
      const other = (await formOf(probe, 'html')).header('etag')
      return unless(other !== etag, `HTML and JSON have ${etag}.`)
    },
  },
  {
    id: 'caching.head-tag',
    clause: 'RFC 9110, 9.3.2',
    title: 'HEAD has the entity tag of GET',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      const head = await probe.send('HEAD', reply.request.url, reply.request.headers)
      return unless(head.header('etag') === etag, `ETag is ${shown(head.header('etag'))} instead of ${etag}.`)
    },
  },
  {
    id: 'caching.cache-control',
    clause: 'RFC 9111, 5.2.2',
    title: 'The passport states how it is cached',
    async run(probe) {
      return unless((await json(probe)).header('cache-control') !== '', 'Cache-Control is missing.')
    },
  },
  {
    id: 'caching.fresh',
    clause: 'RFC 9111, 4.2.1; Regulation (EU) 2024/1781, Article 9',
    title: 'A recall is visible within a day',
    async run(probe) {
      const caching = (await json(probe)).header('cache-control')
      const [, seconds] = /(?:s-maxage|max-age)=(\d+)/.exec(caching) ?? []
      const isOld = Number(seconds ?? 0) > MAX_AGE_SECONDS || caching.includes('immutable')
      return unless(!isOld || caching.includes('no-cache'), `Cache-Control is ${shown(caching)}.`)
    },
  },
  {
    id: 'caching.stable',
    clause: 'EN 18221, 4.1',
    title: 'Two reads of an unchanged passport have the same bytes',
    async run(probe) {
      const reply = await json(probe)
      return unless((await again(probe, reply, {})).body.equals(reply.body), 'The bodies differ.')
    },
  },
  {
    id: 'caching.last-modified',
    clause: 'RFC 9110, 8.8.2',
    title: 'Last-Modified is a past date',
    async run(probe) {
      const date = needed((await json(probe)).headers['last-modified'], 'the response has no Last-Modified')
      return unless(Date.parse(date) <= Date.now() + 60_000, `Last-Modified is ${shown(date)}.`)
    },
  },
  {
    id: 'caching.no-cookies',
    clause: 'RFC 6265, 3; EN 18219, 4.6.2',
    title: 'A public passport sets no cookies',
    async run(probe) {
      const replies = [await json(probe), await maybeForm(probe, 'html')]
      const cookie = replies.map((reply) => reply?.header('set-cookie')).find((value) => value)
      return unless(cookie === undefined, `Set-Cookie is ${shown(cookie)}.`)
    },
  },
  {
    id: 'caching.errors',
    clause: 'RFC 9111, 4.2.2',
    title: 'An error is not stored by caches for long',
    async run(probe) {
      const reply = await probe.get(`${passportUrlOf(probe)}-unknown`)
      const caching = reply.header('cache-control')
      const [, seconds] = /max-age=(\d+)/.exec(caching) ?? []
      needed(reply.status >= 400 || undefined, 'the address responds')
      return unless(Number(seconds ?? 0) <= 300, `Status ${reply.status} has Cache-Control ${shown(caching)}.`)
    },
  },
  {
    id: 'caching.restricted-view',
    clause: 'RFC 9111, 5.2.2.7; EN 18239, 4.2',
    title: 'A view that a token opens is not stored by shared caches',
    async run(probe) {
      const reply = await probe.follow(passportUrlOf(probe), { accept: 'application/json', ...probe.asGrant })
      needed(!reply.body.equals((await json(probe)).body) || undefined, 'the token opens no more than the public view')
      const caching = reply.header('cache-control')
      return unless(!isShared(caching) && caching !== '', `Cache-Control is ${shown(caching)}.`)
    },
  },
  {
    id: 'caching.varies-by-token',
    clause: 'RFC 9110, 12.5.5; RFC 9111, 3.5',
    title: 'A stored public view is not served to callers with a token',
    async run(probe) {
      const reply = await json(probe)
      needed(probe.target.grant ?? probe.target.key, 'a token is required: add --grant or --key')
      needed(isShared(reply.header('cache-control')) || undefined, 'the response is not stored')
      return unless(listIn(reply.header('vary')).includes('authorization'), `Vary is ${shown(reply.header('vary'))}.`)
    },
  },
  {
    id: 'caching.restricted-tag',
    clause: 'RFC 9110, 8.8.3',
    title: 'A restricted view has another entity tag than the public view',
    async run(probe) {
      const { reply, etag } = await tagged(probe)
      const open = await probe.follow(passportUrlOf(probe), { ...reply.request.headers, ...probe.asGrant })
      needed(!open.body.equals(reply.body) || undefined, 'the token opens no more than the public view')
      return unless(open.header('etag') !== etag, `Both have ${etag}.`)
    },
  },
]
