import type { JsonRecord } from '../../../../src/plugin/index.ts'
import { checkDigitOf } from '../../../../src/plugin/module.ts'
import { type Check, firstOf, joined, needed, Skipped, shown, unless } from '../check.ts'
import { isRedirect, locationOf, type Probe } from '../probe.ts'
import { listIn, type Reply, statusOf, typeOf } from '../reply.ts'
import { type Gs1Link, readGs1Link } from '../rules/gs1-link.ts'
import { contextsOf, isDefault, LINKSET_RULES, linksOf } from '../rules/linkset.ts'

const RESOLVER = 'GS1-Conformant Resolver 1.2'
const LINKSET_TYPE = 'application/linkset+json'
const MAX_LINKS = 6
const KEYS = 'all 00 01 253 255 401 402 410 411 412 413 414 415 417 8003 8004 8006 8010 8013 8017 8018'.split(' ')

/** The GS1 Digital Link of the product. @throws Skipped */
function linkOf({ target }: Probe): { url: string; link: Gs1Link } {
  const candidates = [target.productId, target.passportUrl]
  const url = candidates.find((text) => text !== undefined && readGs1Link(text) !== undefined)
  const link = url === undefined ? undefined : readGs1Link(url)
  if (url === undefined || link === undefined) throw new Skipped('the product has no GS1 Digital Link')
  return { url, link }
}

const at = (probe: Probe, query: string) => `${linkOf(probe).url}?${query}`
const linksetReply = (probe: Probe) => probe.get(at(probe, 'linkType=linkset'))

/** @throws Skipped if there is no link set, which another check reports */
async function linkset(probe: Probe): Promise<JsonRecord> {
  const reply = await linksetReply(probe)
  const document = reply.status === 200 ? reply.maybeRecord() : undefined
  return needed(document && Array.isArray(document.linkset) ? document : undefined, 'the service offers no link set')
}

const inLinkset = (
  name: string,
  clause: string,
  title: string,
  rule: (document: JsonRecord) => string[],
  should?: true,
): Check => ({
  id: `gs1.${name}`,
  clause,
  title,
  ...(should && { should }),
  run: async (probe) => joined(rule(await linkset(probe))),
})

/** A link of the same resolver with another value. Applies to GTINs. */
function gtinLink(probe: Probe, change: (gtin: string) => string, rest = ''): string {
  const { link } = linkOf(probe)
  if (link.key !== '01') throw new Skipped('the product has no GTIN')
  return `${link.root}/01/${change(link.value)}${rest}`
}

const wrongDigit = (gtin: string) => gtin.slice(0, -1) + ((Number(gtin.at(-1)) + 1) % 10)

/** A valid GTIN that no service knows: of the prefix for internal use (GS1 General Specifications, 2.1.13). */
function unknownGtin(): string {
  const digits = '0200000000004'
  return digits + checkDigitOf(digits)
}

const rejected = (name: string, title: string, url: (probe: Probe) => string, ...statuses: number[]): Check => ({
  id: `gs1.${name}`,
  clause: `${RESOLVER}, 6.5`,
  title,
  run: async (probe) => statusOf(await probe.get(url(probe)), ...statuses),
})

const description = (probe: Probe) => probe.get(`${new URL(linkOf(probe).url).origin}/.well-known/gs1resolver`)

/** @throws Skipped without a description file, which another check reports */
async function described(probe: Probe): Promise<JsonRecord> {
  const reply = await description(probe)
  return needed(reply.status === 200 ? reply.maybeRecord() : undefined, 'the resolver has no description file')
}

const isOpen = (reply: Reply) => {
  const allowed = reply.header('access-control-allow-origin')
  return unless(allowed === '*', `Access-Control-Allow-Origin is ${shown(allowed)}, status ${reply.status}.`)
}

const RESOLVER_CHECKS: readonly Check[] = [
  {
    id: 'gs1.resolves',
    clause: `${RESOLVER}, 6.2`,
    title: 'A GS1 Digital Link leads to the passport',
    run: async (probe) => statusOf(await probe.follow(linkOf(probe).url), 200),
  },
  {
    id: 'gs1.head',
    clause: `${RESOLVER}, 6.1`,
    title: 'HEAD of a link responds as GET',
    async run(probe) {
      const { url } = linkOf(probe)
      const [get, head] = [await probe.get(url), await probe.send('HEAD', url)]
      return firstOf(
        statusOf(head, get.status),
        unless(head.header('location') === get.header('location'), 'Location differs.'),
        unless(head.header('link') === get.header('link'), 'Link differs.'),
      )
    },
  },
  {
    id: 'gs1.options',
    clause: `${RESOLVER}, 6.1`,
    title: 'OPTIONS of a link is supported',
    async run(probe) {
      const reply = await probe.send('OPTIONS', linkOf(probe).url)
      return unless([200, 204].includes(reply.status), `Status ${reply.status}.`)
    },
  },
  {
    id: 'gs1.cross-origin',
    clause: `${RESOLVER}, 6.1`,
    title: 'Pages of every origin may read links',
    run: async (probe) => isOpen(await probe.get(linkOf(probe).url)),
  },
  {
    id: 'gs1.cross-origin-errors',
    clause: `${RESOLVER}, 6.1`,
    title: 'Pages of every origin may read errors',
    run: async (probe) => isOpen(await probe.get(gtinLink(probe, unknownGtin))),
  },
  {
    id: 'gs1.exposed-headers',
    clause: `${RESOLVER}, 6.1; Fetch, 3.2.5`,
    title: 'Pages may read Link and Location',
    should: true,
    async run(probe) {
      const names = listIn((await probe.get(linkOf(probe).url)).header('access-control-expose-headers'))
      const lacking = ['link', 'location'].filter((name) => !names.includes(name) && !names.includes('*'))
      return joined(lacking.map((name) => `${name} is not exposed`))
    },
  },
  {
    id: 'gs1.description',
    clause: `${RESOLVER}, 7`,
    title: 'The resolver describes itself at /.well-known/gs1resolver',
    async run(probe) {
      const reply = await description(probe)
      const fault = firstOf(statusOf(reply, 200), typeOf(reply, 'application/json', 'application/ld+json'))
      if (fault === undefined) reply.record()
      return fault
    },
  },
  {
    id: 'gs1.description-root',
    clause: `${RESOLVER}, 7`,
    title: 'The description has the root of the resolver',
    async run(probe) {
      const { resolverRoot } = await described(probe)
      return unless(
        typeof resolverRoot === 'string' && URL.canParse(resolverRoot),
        `resolverRoot is ${shown(resolverRoot)}.`,
      )
    },
  },
  {
    id: 'gs1.description-keys',
    clause: `${RESOLVER}, 7`,
    title: 'The description lists the key of the product',
    async run(probe) {
      const { supportedPrimaryKeys: keys } = await described(probe)
      const { key } = linkOf(probe).link
      if (!Array.isArray(keys)) return `supportedPrimaryKeys is ${shown(keys)}.`
      const unknown = keys.filter((one) => !KEYS.includes(String(one)))
      return firstOf(
        joined(unknown.map((one) => `${shown(one)} is not a primary key`)),
        unless(keys.includes('all') || keys.includes(key), `supportedPrimaryKeys has no ${key}: ${shown(keys)}.`),
      )
    },
  },
  rejected('check-digit', 'A wrong check digit is a bad request', (probe) => gtinLink(probe, wrongDigit), 400, 404),
  rejected(
    'short-gtin',
    'A GTIN with other than 14 digits is a bad request',
    (probe) => gtinLink(probe, (gtin) => gtin.slice(3)),
    400,
    404,
  ),
  rejected('no-value', 'A key without a value is a bad request', (probe) => gtinLink(probe, () => ''), 400, 404),
  rejected(
    'no-qualifier-value',
    'A qualifier without a value is a bad request',
    (probe) => gtinLink(probe, (gtin) => gtin, '/21'),
    400,
    404,
  ),
  rejected(
    'qualifier-order',
    'Qualifiers in the wrong order are a bad request',
    (probe) => gtinLink(probe, (gtin) => gtin, '/21/S1/10/L1'),
    400,
    404,
  ),
  rejected('unknown-gtin', 'An unknown GTIN is not found', (probe) => gtinLink(probe, unknownGtin), 404),
  rejected(
    'unknown-gtin-linkset',
    'An unknown GTIN has no link set',
    (probe) => `${gtinLink(probe, unknownGtin)}?linkType=linkset`,
    404,
  ),
  {
    id: 'gs1.unknown-link-type',
    clause: `${RESOLVER}, 6.4`,
    title: 'An unknown link type is not found',
    async run(probe) {
      await linkset(probe)
      return statusOf(await probe.get(at(probe, 'linkType=gs1:noSuchLinkType')), 404, 400)
    },
  },
  {
    id: 'gs1.link-type',
    clause: `${RESOLVER}, 6.4`,
    title: 'A link type of the link set leads to its link',
    async run(probe) {
      const found = linksOf(await linkset(probe)).filter(({ relation }) => relation.startsWith('https://'))
      const { relation } = needed(
        found.find((one) => !isDefault(one.relation)),
        'the link set has only a default link',
      )
      const targets = found
        .filter((one) => one.relation === relation)
        .map(({ link }) => withoutQuery(String(link.href)))
      const reply = await probe.get(at(probe, `linkType=gs1:${relation.split('/').at(-1)}`))
      if (!isRedirect(reply)) return statusOf(reply, 200, 300)
      return unless(targets.includes(withoutQuery(locationOf(reply))), `Location is ${shown(locationOf(reply))}.`)
    },
  },
  {
    id: 'gs1.redirect-status',
    clause: `${RESOLVER}, 6.2`,
    title: 'A redirection is temporary',
    async run(probe) {
      const reply = await probe.get(linkOf(probe).url, { accept: 'text/html' })
      needed(isRedirect(reply) || undefined, 'the link does not redirect')
      return statusOf(reply, 307, 302, 303)
    },
  },
  {
    id: 'gs1.query',
    clause: `${RESOLVER}, 6.3`,
    title: 'A redirection keeps the query',
    async run(probe) {
      const reply = await probe.get(at(probe, 'scanned=1'), { accept: 'text/html' })
      needed(isRedirect(reply) || undefined, 'the link does not redirect')
      return unless(locationOf(reply).includes('scanned=1'), `Location is ${shown(locationOf(reply))}.`)
    },
  },
  {
    id: 'gs1.link-header',
    clause: `${RESOLVER}, 6.6; RFC 9264, 6.2`,
    title: 'A link states its link set in the Link header',
    should: true,
    async run(probe) {
      await linkset(probe)
      const value = (await probe.get(linkOf(probe).url)).header('link')
      return unless(/rel="?linkset"?/.test(value), `Link is ${shown(value)}.`)
    },
  },
]

const withoutQuery = (url: string) => url.split('?', 1)[0] ?? url

const LINKSET_CHECKS: readonly Check[] = [
  {
    id: 'gs1.linkset',
    clause: `${RESOLVER}, 6.4; RFC 9264, 4.2`,
    title: 'linkType=linkset returns the link set',
    async run(probe) {
      const reply = await linksetReply(probe)
      return firstOf(statusOf(reply, 200), typeOf(reply, LINKSET_TYPE, 'application/json'))
    },
  },
  {
    id: 'gs1.linkset-type',
    clause: 'RFC 9264, 4.2',
    title: 'The link set is application/linkset+json',
    run: async (probe) => {
      await linkset(probe)
      return typeOf(await linksetReply(probe), LINKSET_TYPE)
    },
  },
  {
    id: 'gs1.linkset-by-accept',
    clause: `${RESOLVER}, 6.4; RFC 9110, 12.5.1`,
    title: 'Accept: application/linkset+json returns the link set',
    async run(probe) {
      const reply = await probe.get(linkOf(probe).url, { accept: LINKSET_TYPE })
      return firstOf(statusOf(reply, 200), typeOf(reply, LINKSET_TYPE))
    },
  },
  {
    id: 'gs1.linkset-all',
    clause: `${RESOLVER}, 6.4`,
    title: 'linkType=all returns the link set, as in former versions',
    should: true,
    async run(probe) {
      const reply = await probe.get(at(probe, 'linkType=all'))
      return statusOf(reply, 200) ?? unless(Array.isArray(reply.record().linkset), 'The response has no linkset.')
    },
  },
  inLinkset('linkset-form', 'RFC 9264, 4.2.1', 'linkset is a list of objects', LINKSET_RULES.form),
  inLinkset('linkset-anchors', 'RFC 9264, 4.2.2', 'Every context has an absolute anchor', LINKSET_RULES.anchors),
  inLinkset('linkset-relations', 'RFC 9264, 4.2.3', 'Every relation is a list of links', LINKSET_RULES.relations),
  inLinkset(
    'linkset-relation-names',
    'RFC 9264, 4.2.3; RFC 8288, 2.1',
    'Relations are addresses or registered',
    LINKSET_RULES.relationNames,
  ),
  inLinkset('linkset-targets', 'RFC 9264, 4.2.4.1', 'Every link has an absolute href', LINKSET_RULES.targets),
  inLinkset('linkset-titles', `${RESOLVER}, 6.6`, 'Every link has a title', LINKSET_RULES.titles),
  inLinkset('linkset-types', 'RFC 9264, 4.2.4.1', 'The type of a link is a media type', LINKSET_RULES.types),
  inLinkset('linkset-languages', 'RFC 9264, 4.2.4.1', 'hreflang is a list of language tags', LINKSET_RULES.languages),
  inLinkset('default-link', `${RESOLVER}, 6.6`, 'There is one default link', LINKSET_RULES.defaultLink),
  inLinkset(
    'default-link-plain',
    `${RESOLVER}, 6.6`,
    'The default link has only a title',
    LINKSET_RULES.defaultIsPlain,
  ),
  inLinkset('descriptions', `${RESOLVER}, 6.6`, 'Every context describes the item', LINKSET_RULES.descriptions, true),
  {
    id: 'gs1.anchor-of-link',
    clause: `${RESOLVER}, 6.6`,
    title: 'The first anchor is the requested link',
    async run(probe) {
      const [context] = contextsOf(await linkset(probe))
      const { link } = linkOf(probe)
      const anchor = readGs1Link(String(context?.anchor))
      const isSame = anchor?.key === link.key && anchor.value === link.value
      return unless(isSame, `The anchor is ${shown(context?.anchor)}.`)
    },
  },
  {
    id: 'gs1.default-link-responds',
    clause: `${RESOLVER}, 6.6`,
    title: 'The default link leads to a document',
    async run(probe) {
      const found = linksOf(await linkset(probe)).find(({ relation }) => isDefault(relation))
      const href = needed(found?.link.href, 'the link set has no default link')
      return statusOf(await probe.follow(String(href)), 200)
    },
  },
  {
    id: 'gs1.links-respond',
    clause: `${RESOLVER}, 6.6`,
    title: 'Links of the same service respond with their types',
    async run(probe) {
      const { origin } = new URL(linkOf(probe).url)
      const own = linksOf(await linkset(probe)).filter(
        ({ link }) => URL.canParse(String(link.href)) && new URL(String(link.href)).origin === origin,
      )
      const faults: string[] = []
      for (const { link } of own.slice(0, MAX_LINKS)) faults.push(...(await wrongTarget(probe, link)))
      return joined(faults)
    },
  },
]

async function wrongTarget(probe: Probe, { href, type }: JsonRecord): Promise<string[]> {
  const reply = await probe.follow(String(href), typeof type === 'string' ? { accept: type } : {})
  if (reply.status !== 200) return [`${href} responds with ${reply.status}`]
  const isWrong = typeof type === 'string' && reply.type !== type.split(';', 1)[0]?.trim().toLowerCase()
  return isWrong ? [`${href} is ${reply.type} instead of ${type}`] : []
}

export const GS1_CHECKS: readonly Check[] = [...RESOLVER_CHECKS, ...LINKSET_CHECKS]
