import { type Check, Fault, firstOf, orUndefined, Skipped, shown, unless } from '../check.ts'
import { apiOf, byId } from '../en18222.ts'
import { formOf, passportUrlOf } from '../formats.ts'
import type { Probe } from '../probe.ts'
import { statusOf, typeOf } from '../reply.ts'
import { handshake, httpsUrl } from '../tls.ts'
import { isLoopbackUrl } from '../transport.ts'

const TRANSPORT = 'EN 18216, 4'
const FORMATS = 'EN 18216, 5'

// Old versions need weak signatures, which OpenSSL offers at security level 0 only.
const versions = (minVersion: 'TLSv1' | 'TLSv1.2' | 'TLSv1.3', maxVersion: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => ({
  ...{ minVersion, maxVersion, rejectUnauthorized: false },
  ...(minVersion === 'TLSv1' && { ciphers: 'DEFAULT:@SECLEVEL=0' }),
})

const withoutOldHttp = (version: '1.0' | '1.1'): Check => ({
  id: `en18216.no-http-${version}`,
  clause: TRANSPORT,
  title: `HTTP/${version} is rejected on the HTTPS port`,
  async run(probe) {
    const { status } = await handshake(probe, { ALPNProtocols: ['http/1.1'], rejectUnauthorized: false }, version)
    return unless(status === undefined || status >= 400, `Status ${status} by HTTP/${version}.`)
  },
})

const negotiated = (probe: Probe, accept?: string) =>
  probe.follow(passportUrlOf(probe), accept === undefined ? {} : { accept })

export const EN18216_CHECKS: readonly Check[] = [
  {
    id: 'en18216.https',
    clause: TRANSPORT,
    title: 'The interface has an HTTPS address',
    async run({ target }) {
      if (isLoopbackUrl(target.api)) throw new Skipped('the service is on this machine')
      return unless(target.api.startsWith('https:'), `The address is ${target.api}.`)
    },
  },
  {
    id: 'en18216.certificate',
    clause: TRANSPORT,
    title: 'The certificate is valid for the host',
    async run(probe) {
      const { error } = await handshake(probe, {})
      return error === undefined ? undefined : `The handshake fails: ${error}`
    },
  },
  {
    id: 'en18216.no-plain-http',
    clause: TRANSPORT,
    title: 'Plain HTTP serves no passports',
    async run(probe) {
      const url = new URL(httpsUrl(probe))
      if (url.port !== '') throw new Skipped('the service is not at port 443')
      const plain = `http://${url.host}${url.pathname}`
      const reply = await orUndefined(probe.send('GET', plain))
      if (reply === undefined) return undefined
      const isMoved = reply.status >= 300 && reply.status < 400 && reply.header('location').startsWith('https://')
      return unless(isMoved || reply.status >= 400, `${plain} responds with ${reply.status}.`)
    },
  },
  {
    id: 'en18216.tls-1.2',
    clause: TRANSPORT,
    title: 'TLS 1.2 or later is negotiated',
    async run(probe) {
      const { protocol, error } = await handshake(probe, versions('TLSv1.2', 'TLSv1.3'))
      return unless(['TLSv1.2', 'TLSv1.3'].includes(String(protocol)), error ?? `The protocol is ${protocol}.`)
    },
  },
  {
    id: 'en18216.no-old-tls',
    clause: TRANSPORT,
    title: 'TLS 1.0 and 1.1 are rejected',
    async run(probe) {
      const { protocol } = await handshake(probe, versions('TLSv1', 'TLSv1.1'))
      return unless(protocol === undefined, `${protocol} is accepted.`)
    },
  },
  {
    id: 'en18216.tls-1.3',
    clause: TRANSPORT,
    title: 'TLS 1.3 is offered',
    should: true,
    async run(probe) {
      const { error } = await handshake(probe, versions('TLSv1.3', 'TLSv1.3'))
      return error === undefined ? undefined : `The handshake fails: ${error}`
    },
  },
  {
    id: 'en18216.http-2',
    clause: TRANSPORT,
    title: 'HTTP/2 is offered',
    async run(probe) {
      const { application, error } = await handshake(probe, { ALPNProtocols: ['h2'], rejectUnauthorized: false })
      return unless(application === 'h2', error ?? `The protocol is ${shown(application)}.`)
    },
  },
  withoutOldHttp('1.0'),
  withoutOldHttp('1.1'),
  {
    id: 'en18216.strict-transport',
    clause: 'RFC 6797, 7.1',
    title: 'Browsers are instructed to use HTTPS only',
    should: true,
    async run(probe) {
      httpsUrl(probe)
      const { headers } = await negotiated(probe, 'text/html')
      return unless(
        /max-age=[1-9]/.test(headers['strict-transport-security'] ?? ''),
        'Strict-Transport-Security is missing.',
      )
    },
  },
  {
    id: 'en18216.json',
    clause: `${FORMATS} a)`,
    title: 'The interface responds with JSON',
    async run(probe) {
      apiOf(probe)
      return typeOf(await probe.get(byId(probe)), 'application/json')
    },
  },
  {
    id: 'en18216.passport-json',
    clause: `${FORMATS} a); EN 18223, 5.2.4`,
    title: 'The product identifier leads to a JSON object, also without Accept',
    async run(probe) {
      const reply = await negotiated(probe)
      const fault =
        statusOf(reply, 200) ?? unless(reply.isJson, `Content-Type is ${shown(reply.header('content-type'))}.`)
      if (fault === undefined) reply.record()
      return fault
    },
  },
  {
    id: 'en18216.plain-json',
    clause: `${FORMATS} a)`,
    title: 'The product identifier leads to application/json if it is requested',
    async run(probe) {
      const reply = await negotiated(probe, 'application/json')
      return firstOf(statusOf(reply, 200), typeOf(reply, 'application/json'))
    },
  },
  {
    id: 'en18216.default-json',
    clause: `${FORMATS} a)`,
    title: 'The default type is application/json exactly',
    should: true,
    run: async (probe) => typeOf(await negotiated(probe), 'application/json'),
  },
  {
    id: 'en18216.any-type-json',
    clause: `${FORMATS} a)`,
    title: 'Accept: */* returns application/json',
    should: true,
    run: async (probe) => typeOf(await negotiated(probe, '*/*'), 'application/json'),
  },
  {
    id: 'en18216.html',
    clause: `${FORMATS} d)`,
    title: 'The passport is available as HTML',
    async run(probe) {
      const reply = await negotiated(probe, 'text/html')
      const fault = firstOf(statusOf(reply, 200), typeOf(reply, 'text/html'))
      return fault ?? unless(/<html[\s>]/i.test(reply.text), 'The body is not an HTML document.')
    },
  },
  {
    id: 'en18216.html-language',
    clause: 'EN 18216, 5 d); EN 301 549, 9.3.1.1',
    title: 'The page states its language',
    async run(probe) {
      return unless(
        /<html\b[^<>]{0,300}\blang=/i.test((await formOf(probe, 'html')).text),
        'The html element has no lang.',
      )
    },
  },
  {
    id: 'en18216.html-title',
    clause: 'EN 18216, 5 d); EN 301 549, 9.2.4.2',
    title: 'The page has a title',
    async run(probe) {
      return unless(
        (/<title>([^<]+)<\/title>/i.exec((await formOf(probe, 'html')).text)?.[1] ?? '').trim() !== '',
        'The title is missing.',
      )
    },
  },
  {
    id: 'en18216.html-alternatives',
    clause: 'EN 18216, 5 d); EN 301 549, 9.1.1.1',
    title: 'Pictures of the page have alternative texts',
    async run(probe) {
      const pictures = (await formOf(probe, 'html')).text.match(/<img\b[^<>]*>/gi) ?? []
      const without = pictures.filter((picture) => !/\balt\s*=/i.test(picture))
      return unless(without.length === 0, `${without.length} pictures have no alt: ${shown(without[0])}`)
    },
  },
  {
    id: 'en18216.json-ld',
    clause: `${FORMATS} b)`,
    title: 'JSON-LD has a context',
    async run(probe) {
      const document = (await formOf(probe, 'jsonLd')).record()
      if (document['@context'] === undefined) throw new Fault('@context is missing.')
      return undefined
    },
  },
]
